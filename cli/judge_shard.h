/* SPDX-License-Identifier: Apache-2.0
 *
 * One job of a judgement (private to cli/judge*.c): reads the whole trace, and gives a detector all of its
 * synchronization and the accesses of its share of the data.
 */
#ifndef GL_CLI_JUDGE_SHARD_H
#define GL_CLI_JUDGE_SHARD_H

#include "cli/env.h"
#include "cli/judge.h"

struct gl_progress;

struct gl_shard {
    /* the job */
    const void *bytes;
    size_t size;
    enum gl_trace_format format;
    const struct gl_judge_options *o;
    unsigned index;          /* of o->jobs */
    _Atomic uint64_t *limit; /* shared: the lowest record at which a job has failed; nobody need go past it */
    struct gl_progress *bar; /* NULL: another one shows it */

    /* the result */
    uint64_t events, of[GL_OP_COUNT]; /* the same in each */
    uint64_t faults[GL_FAULT_COUNT];  /* events left out by the validator, the same in each */
    uint64_t skipped_by_detector;
    uint64_t variables, racing_variables, racing_accesses;
    uint32_t threads;
    bool incomplete;
    struct gl_judge_race *races; /* only `record` of their accesses is filled */
    size_t n_races, cap_races;
    struct gl_judge_count *counts;
    size_t n_counts;
    double seconds;
    size_t peak;
    bool failed;
    uint64_t failed_at; /* record */
    struct gl_judge_error error;

    /* at work */
    struct gl_counted_env reading, detecting; /* memory of the reader, of the detector */
    struct gl_state *state;
    struct gl_validator *validator; /* NULL: nothing is checked here */
    uint64_t *seen, *raced;         /* a bit per word of the dense space: accessed; raced on */
    uint64_t n_words;               /* that they have room for; a multiple of 64 */
};

/* From the first event to the last; the caller has filled "the job" and zeroed the rest. */
void gl_shard_run(struct gl_shard *s);
void gl_shard_free(struct gl_shard *s);

#endif
