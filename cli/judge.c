/* SPDX-License-Identifier: Apache-2.0
 *
 * See judge.h.  One job is judge_shard.c; here jobs are started and their results become one.
 */
#include "cli/judge.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/judge_shard.h"
#include "cli/progress.h"

/* From here on a jump in a trace that allows it is cheaper than to read on. */
enum { JUMP = 100000, BATCH = 1024 };

void gl_judge_place(const struct gl_trace_error *e, char *text, size_t size)
{
    if (e->line && e->column)
        snprintf(text, size, "line %llu, column %u", (unsigned long long)e->line, e->column);
    else if (e->line)
        snprintf(text, size, "line %llu", (unsigned long long)e->line);
    else
        snprintf(text, size, "byte %llu", (unsigned long long)e->offset);
}

static bool is_text(enum gl_trace_format f) { return f != GL_TRACE_BINARY && f != GL_TRACE_RAPIDBIN; }

/* About how many events there are: the bar needs no more.  0: no idea. */
static uint64_t estimate(const struct gl_judge_source *source)
{
    const void *bytes = source->bytes;
    size_t size = source->size;
    struct gl_counted_env memory;
    struct gl_trace_error error;
    gl_counted_env_init(&memory);
    struct gl_trace_reader *r =
        source->stream ? NULL : gl_trace_open(&memory.env, bytes, size, source->format, &error);
    if (!r)
        return 0;
    uint64_t chunks = gl_trace_chunks(r), total = 0;
    bool text = is_text(gl_trace_format_of(r));
    gl_trace_close(r);
    if (text) { /* as long as the first lines are */
        size_t sample = size < 1 << 16 ? size : 1 << 16, lines = 0;
        for (const char *at = bytes, *end = at + sample; (at = memchr(at, '\n', (size_t)(end - at))) != NULL;
             at++)
            lines++;
        return lines ? (uint64_t)((double)size / (double)sample * (double)lines) : 0;
    }
    if (!chunks || !(r = gl_trace_open_chunks(&memory.env, bytes, size, chunks - 1, 1, &error)))
        return 0;
    struct gl_event event;
    struct gl_trace_batch batch = {.events = &event, .records = &total, .capacity = 1};
    if (gl_trace_read(r, &batch, &error) != 1)
        total = 0;
    gl_trace_close(r);
    return total;
}

/* ---- what the racing events were ---- */

/* A place in the list of races that waits for its record. */
struct question {
    uint64_t record;
    struct gl_judge_access *answer;
};

static int by_record(const void *a, const void *b)
{
    const struct question *x = a, *y = b;
    return x->record < y->record ? -1 : x->record > y->record;
}

static void answer(struct gl_judge_access *to, const struct gl_event *e)
{
    to->thread = e->thread;
    to->location = e->site;
    to->op = e->op;
    to->order = e->order;
}

/* Reads the trace again, with jumps where its format has them, and answers all questions, which are sorted. */
static bool ask(struct gl_trace_reader *r, const struct question *q, size_t n, struct gl_judge_error *error)
{
    struct gl_trace_error wrong;
    struct gl_event *events = calloc(BATCH, sizeof *events);
    uint64_t *records = calloc(BATCH, sizeof *records), next = 1;
    struct gl_trace_batch batch = {.events = events, .records = records, .capacity = BATCH};
    bool fine = events && records;
    snprintf(error->text, sizeof error->text, "there is not enough memory to list the races");
    for (size_t k = 0; fine && k < n;) {
        if (q[k].record > next + JUMP && gl_trace_chunks(r))
            (void)gl_trace_seek(r, q[k].record, &wrong);
        int got = gl_trace_read(r, &batch, &wrong);
        if (got < 0) { /* a name of a place, which is read for the first time */
            char place[80];
            gl_judge_place(&wrong, place, sizeof place);
            snprintf(error->text, sizeof error->text, "%s: %s", place, wrong.text);
        } else if (got == 0) {
            snprintf(error->text, sizeof error->text, "the file changed while it was read");
        }
        fine = got > 0;
        for (size_t i = 0; fine && i < batch.count; i++) {
            while (k < n && q[k].record < records[i]) /* the first event of a record answers */
                k++;
            for (; k < n && q[k].record == records[i]; k++)
                answer(q[k].answer, &events[i]);
            next = records[i];
        }
    }
    free(events);
    free(records);
    return fine;
}

static bool look_up(struct gl_judgement *j, bool stream, struct gl_judge_error *error)
{
    if (!j->n_races || stream)
        return true; /* of a stream, the jobs have asked */
    struct question *q = calloc(2 * j->n_races, sizeof *q);
    if (!q) {
        snprintf(error->text, sizeof error->text, "there is not enough memory to list the races");
        return false;
    }
    size_t n = 0;
    for (size_t i = 0; i < j->n_races; i++) {
        q[n++] = (struct question){j->races[i].now.record, &j->races[i].now};
        if (j->races[i].then.record)
            q[n++] = (struct question){j->races[i].then.record, &j->races[i].then};
    }
    qsort(q, n, sizeof *q, by_record);
    bool fine = ask(j->reader, q, n, error);
    free(q);
    return fine;
}

/* ---- many jobs, one result ---- */

static int by_event(const void *a, const void *b)
{
    const struct gl_judge_race *x = a, *y = b;
    if (x->now.record != y->now.record)
        return x->now.record < y->now.record ? -1 : 1;
    return x->variable < y->variable ? -1 : x->variable > y->variable;
}

/* Same counters in the same order from each job: they are summed. */
static bool merge_counts(struct gl_judgement *out, const struct gl_shard *s)
{
    if (!out->counts) {
        out->counts = calloc(s->n_counts ? s->n_counts : 1, sizeof *out->counts);
        if (!out->counts)
            return false;
        if (s->n_counts)
            memcpy(out->counts, s->counts, s->n_counts * sizeof *out->counts);
        out->n_counts = s->n_counts;
        return true;
    }
    for (size_t i = 0; i < out->n_counts && i < s->n_counts; i++)
        out->counts[i].value += s->counts[i].value;
    return true;
}

static bool merge(struct gl_judgement *out, const struct gl_feed *feed, struct gl_shard *shards,
                  unsigned jobs)
{
    size_t n = 0;
    for (unsigned i = 0; i < jobs; i++)
        n += shards[i].n_races;
    out->races = calloc(n ? n : 1, sizeof *out->races);
    if (!out->races)
        return false;
    for (unsigned i = 0; i < jobs; i++) {
        const struct gl_shard *s = &shards[i];
        if (s->n_races)
            memcpy(out->races + out->n_races, s->races, s->n_races * sizeof *s->races);
        out->n_races += s->n_races;
        out->variables += s->variables;
        out->racing_variables += s->racing_variables;
        out->racing_accesses += s->racing_accesses;
        out->skipped += s->skipped_by_detector;
        out->memory += s->peak;
        if (s->seconds > out->seconds)
            out->seconds = s->seconds;
        if (!merge_counts(out, s))
            return false;
    }
    qsort(out->races, out->n_races, sizeof *out->races,
          by_event); /* the list exists, also when it is empty */
    if (out->n_races > GL_JUDGE_LISTED)
        out->n_races = GL_JUDGE_LISTED;
    /* what concerns the whole trace is the same in each */
    out->events = feed->events;
    for (int f = 0; f < GL_FAULT_COUNT; f++)
        out->skipped += out->faults[f] = feed->faults[f];
    out->threads = feed->threads;
    out->incomplete = feed->incomplete;
    memcpy(out->of, shards[0].of, sizeof out->of);
    return true;
}

/* Some of the jobs, in one thread: they take turns. */
static void run_some(struct gl_shard *const *shards, unsigned n)
{
    struct gl_shard *left[GL_JUDGE_JOBS];
    unsigned n_left = 0;
    for (unsigned i = 0; i < n; i++) {
        if (gl_shard_begin(shards[i]))
            left[n_left++] = shards[i];
        else
            gl_shard_end(shards[i]);
    }
    while (n_left > 0)
        for (unsigned i = n_left; i-- > 0;)
            if (!gl_shard_step(left[i])) {
                gl_shard_end(left[i]);
                left[i] = left[--n_left];
            }
}

static void *run_one(void *arg)
{
    struct gl_shard *shard = arg;
    run_some(&shard, 1);
    return NULL;
}

static void *run_ahead(void *arg)
{
    gl_feed_read_ahead(arg);
    return NULL;
}

/* The first shard is this thread's, and so are those that no thread could be started for. */
static void run_all(struct gl_feed *feed, struct gl_shard *shards)
{
    pthread_t thread[GL_JUDGE_JOBS];
    struct gl_shard *mine[GL_JUDGE_JOBS] = {&shards[0]};
    unsigned started = 0, n_mine = 1;
    if (feed->o->jobs > 1 && pthread_create(&thread[started], NULL, run_ahead, feed) == 0)
        started++;
    for (unsigned i = 1; i < feed->shards; i++) {
        if (pthread_create(&thread[started], NULL, run_one, &shards[i]) == 0)
            started++;
        else
            mine[n_mine++] = &shards[i];
    }
    run_some(mine, n_mine);
    while (started > 0)
        pthread_join(thread[--started], NULL);
}

/* The error that one job would have met: the first in the trace.  NULL: none. */
static const struct gl_judge_error *first_failure(const struct gl_feed *feed, const struct gl_shard *shards,
                                                  unsigned jobs)
{
    const struct gl_judge_error *first = feed->failed ? &feed->error : NULL;
    uint64_t at = feed->failed_at;
    for (unsigned i = 0; i < jobs; i++)
        if (shards[i].failed && (!first || shards[i].failed_at < at)) {
            first = &shards[i].error;
            at = shards[i].failed_at;
        }
    return first;
}

/* A reader for the words of the races: of a file a new one, of a stream that which has read it. */
static bool take_names(struct gl_judgement *out, const struct gl_judge_source *source, struct gl_feed *feed)
{
    struct gl_trace_error error;
    if (source->stream) {
        out->reader = feed->reader;
        out->names_memory = feed->memory;
        feed->reader = NULL;
        feed->memory = NULL;
    } else {
        out->names_memory = malloc(sizeof *out->names_memory);
        if (!out->names_memory)
            return false;
        gl_counted_env_init(out->names_memory);
        out->reader =
            gl_trace_open(&out->names_memory->env, source->bytes, source->size, source->format, &error);
    }
    out->text = out->reader && is_text(gl_trace_format_of(out->reader));
    return out->reader;
}

bool gl_judge(const struct gl_judge_source *source, const struct gl_judge_options *o,
              struct gl_judgement *out, struct gl_judge_error *error)
{
    struct gl_progress bar;
    unsigned n = o->jobs > 1 ? o->jobs - 1 : 1; /* one job reads ahead */
    struct gl_feed feed = {.source = source, .o = o, .shards = n, .bar = &bar};
    struct gl_shard *shards = calloc(n, sizeof *shards);
    *out = (struct gl_judgement){0};
    snprintf(error->text, sizeof error->text, "there is not enough memory to begin");
    gl_progress_begin(&bar, source->name, estimate(source));
    bool fine = shards && gl_feed_begin(&feed);
    if (fine) {
        for (unsigned i = 0; i < n; i++)
            shards[i] = (struct gl_shard){.feed = &feed, .o = o, .index = i};
        run_all(&feed, shards);
    }
    gl_progress_end(&bar);
    const struct gl_judge_error *failure = shards ? first_failure(&feed, shards, n) : NULL;
    if (failure)
        *error = *failure;
    fine = fine && !failure;
    if (fine)
        snprintf(error->text, sizeof error->text, "the file changed while it was read, or there is not enough memory for its names");
    fine = fine && take_names(out, source, &feed) && merge(out, &feed, shards, n) && look_up(out, source->stream, error);
    for (unsigned i = 0; shards && i < n; i++)
        gl_shard_free(&shards[i]);
    free(shards);
    gl_feed_end(&feed);
    if (!fine)
        gl_judgement_free(out);
    return fine;
}

void gl_judgement_free(struct gl_judgement *j)
{
    if (j->reader)
        gl_trace_close(j->reader);
    free(j->names_memory);
    free(j->races);
    free(j->counts);
    *j = (struct gl_judgement){0};
}
