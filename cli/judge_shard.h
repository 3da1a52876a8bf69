/* SPDX-License-Identifier: Apache-2.0
 *
 * One job of a judgement (private to cli/judge*.c): gives a detector all synchronization of the trace and the accesses
 * of its share of the data.
 */
#ifndef GL_CLI_JUDGE_SHARD_H
#define GL_CLI_JUDGE_SHARD_H

#include "cli/judge_feed.h"

struct gl_shard {
    /* the job */
    struct gl_feed *feed;
    const struct gl_judge_options *o;
    unsigned index; /* of feed->shards */

    /* the result */
    uint64_t of[GL_OP_COUNT]; /* events, the same in each */
    uint64_t skipped_by_detector;
    uint64_t variables, racing_variables, racing_accesses;
    struct gl_judge_race *races; /* only `record` of their accesses is filled, unless the trace is a stream */
    size_t n_races, cap_races;
    struct gl_judge_count *counts;
    size_t n_counts;
    double seconds;
    uint64_t batches;
    size_t peak;
    bool failed;
    uint64_t failed_at; /* record */
    struct gl_judge_error error;

    /* at work */
    struct gl_counted_env detecting; /* the detector's memory */
    struct gl_state *state;
    struct gl_event *own;   /* with several shards: the events of a batch that are this one's; else NULL */
    uint64_t now;           /* record that is being judged */
    uint64_t *seen, *raced, *told; /* a bit per word of the dense space: accessed; raced on; raced on by the commit being judged */
    uint64_t n_words;              /* that they have room for; a multiple of 64 */
    uint64_t *met;                 /* with several shards, a bit per thread: the detector knows it */
    uint64_t n_met;                /* as n_words */
};

/* The caller has filled "the job" and zeroed the rest.  Begin, then steps as long as they return true (one batch each), then
 * the end, also after a begin that failed (false). */
bool gl_shard_begin(struct gl_shard *s);
bool gl_shard_step(struct gl_shard *s);
void gl_shard_end(struct gl_shard *s);

void gl_shard_free(struct gl_shard *s);

#endif
