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
static uint64_t estimate(const void *bytes, size_t size, enum gl_trace_format format)
{
    struct gl_counted_env memory;
    struct gl_trace_error error;
    gl_counted_env_init(&memory);
    struct gl_trace_reader *r = gl_trace_open(&memory.env, bytes, size, format, &error);
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
        if (got <= 0) {
            snprintf(error->text, sizeof error->text, "the file changed while it was read");
            fine = false;
        }
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

static bool look_up(struct gl_judgement *j, struct gl_judge_error *error)
{
    if (!j->n_races)
        return true;
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

static bool merge(struct gl_judgement *out, struct gl_shard *shards, unsigned jobs)
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
    out->events = shards[0].events;
    for (int f = 0; f < GL_FAULT_COUNT; f++)
        out->skipped += out->faults[f] = shards[0].faults[f];
    out->threads = shards[0].threads;
    out->incomplete = shards[0].incomplete;
    memcpy(out->of, shards[0].of, sizeof out->of);
    return true;
}

static void *run_shard(void *arg)
{
    gl_shard_run(arg);
    return NULL;
}

/* The first job is this thread.  A thread that cannot be started is a job done by this one, later. */
static void run_all(struct gl_shard *shards, unsigned jobs)
{
    pthread_t thread[GL_JUDGE_JOBS];
    bool started[GL_JUDGE_JOBS] = {false};
    for (unsigned i = 1; i < jobs; i++)
        started[i] = pthread_create(&thread[i], NULL, run_shard, &shards[i]) == 0;
    gl_shard_run(&shards[0]);
    for (unsigned i = 1; i < jobs; i++) {
        if (started[i])
            pthread_join(thread[i], NULL);
        else
            gl_shard_run(&shards[i]);
    }
}

/* The error that one job would have met: the first in the trace. */
static const struct gl_shard *first_failure(const struct gl_shard *shards, unsigned jobs)
{
    const struct gl_shard *first = NULL;
    for (unsigned i = 0; i < jobs; i++)
        if (shards[i].failed && (!first || shards[i].failed_at < first->failed_at))
            first = &shards[i];
    return first;
}

static void open_names(struct gl_judgement *out, const void *bytes, size_t size, enum gl_trace_format format)
{
    struct gl_trace_error error;
    struct gl_counted_env *memory = malloc(sizeof *memory);
    if (!memory)
        return;
    gl_counted_env_init(memory);
    out->reader = gl_trace_open(&memory->env, bytes, size, format, &error);
    out->text = out->reader && is_text(gl_trace_format_of(out->reader));
    out->names_memory = memory;
}

bool gl_judge(const void *bytes, size_t size, enum gl_trace_format format, const char *name,
              const struct gl_judge_options *o, struct gl_judgement *out, struct gl_judge_error *error)
{
    *out = (struct gl_judgement){0};
    snprintf(error->text, sizeof error->text, "there is not enough memory to begin");
    struct gl_shard *shards = calloc(o->jobs, sizeof *shards);
    open_names(out, bytes, size, format);
    bool fine = shards && out->names_memory;
    if (fine) {
        struct gl_progress bar;
        _Atomic uint64_t limit = UINT64_MAX;
        gl_progress_begin(&bar, name, estimate(bytes, size, format));
        for (unsigned i = 0; i < o->jobs; i++)
            shards[i] = (struct gl_shard){
                .bytes = bytes, .size = size, .format = format, .o = o, .index = i, .limit = &limit};
        shards[0].bar = &bar;
        run_all(shards, o->jobs);
        gl_progress_end(&bar);
        const struct gl_shard *failure = first_failure(shards, o->jobs);
        if (failure)
            *error = failure->error;
        fine = !failure && out->reader && merge(out, shards, o->jobs) && look_up(out, error);
    }
    for (unsigned i = 0; shards && i < o->jobs; i++)
        gl_shard_free(&shards[i]);
    free(shards);
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
