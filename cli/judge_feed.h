/* SPDX-License-Identifier: Apache-2.0
 *
 * The possible events of a trace (private to cli/judge*.c): read once and checked once, whatever the number of jobs.
 *
 * One thread may read ahead; beside that the shard that wants a batch that nobody has read yet reads it, while the others judge
 * those before it.  So who has more to judge reads less.
 *
 *     gl_feed_begin(&f);
 *     while ((b = gl_feed_next(&f, shard)))    of each shard, from its own thread
 *         ...                                  b is read-only, unless there is but one shard
 *     gl_feed_leave(&f, shard);
 *     gl_feed_end(&f);                         when all have left
 */
#ifndef GL_CLI_JUDGE_FEED_H
#define GL_CLI_JUDGE_FEED_H

#include <pthread.h>

#include "cli/env.h"
#include "cli/judge.h"
#include "cli/judge_journal.h"

struct gl_progress;

enum { GL_FEED_BATCH = 256 /* events */ };

struct gl_feed_batch {
    struct gl_event *events;
    uint64_t *records; /* of each event */
    size_t count;
    uint64_t *operands; /* of commits; malloc */
    size_t n_operands;  /* there is room for */
};

struct gl_feed {
    /* the job */
    const struct gl_judge_source *source;
    const struct gl_judge_options *o;
    unsigned shards; /* 1 .. GL_JUDGE_JOBS */
    struct gl_progress *bar;

    /* the result, when all jobs have left */
    uint64_t events;                 /* read */
    uint64_t faults[GL_FAULT_COUNT]; /* events left out */
    uint32_t threads;
    bool incomplete;
    struct gl_trace_reader *reader; /* until gl_feed_end(); whoever wants its names takes it away (NULL) */
    struct gl_counted_env *memory;  /* malloc; the reader's: goes with it */

    /* at work */
    struct gl_validator *validator; /* NULL: nothing is checked */
    struct gl_journal journal;      /* of a stream */
    struct gl_event *events_of_all;
    uint64_t *records_of_all;
    struct gl_feed_batch *batch; /* ring */
    unsigned slots;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* what `lock` guards has changed */
    uint64_t made;        /* batches; guarded by lock, as are the next three */
    bool making, over;    /* the next one is being read; there are no more */
    uint64_t limit;       /* the lowest record at which somebody has failed: nobody need go past it */
    bool resting;         /* who reads ahead waits for much room */
    /* By shard: batches that it has been given; all but the last are done with. */
    uint64_t taken[GL_JUDGE_JOBS];
    bool failed;              /* the trace ends here, because of an error; guarded by making */
    uint64_t failed_at;
    struct gl_judge_error error;
};

/* The caller has filled "the job" and zeroed the rest.  False: f->error says why; gl_feed_end() is right in both cases. */
bool gl_feed_begin(struct gl_feed *f);
void gl_feed_end(struct gl_feed *f);

/* The next batch of a shard, until it asks again.  NULL: there is none. */
struct gl_feed_batch *gl_feed_next(struct gl_feed *f, unsigned shard);
/* The shard takes no more. */
void gl_feed_leave(struct gl_feed *f, unsigned shard);
/* Reads ahead until there is no more, or all shards have left.  From one thread, with o->jobs > 1. */
void gl_feed_read_ahead(struct gl_feed *f);

/* A shard has failed at this record: nobody need go past it. */
void gl_feed_limit(struct gl_feed *f, uint64_t record);

/* error := "place: sentence" for a record of the trace. */
void gl_feed_error(const struct gl_feed *f, uint64_t record, const char *sentence,
                   struct gl_judge_error *error);

#endif
