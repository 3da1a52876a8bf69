/* SPDX-License-Identifier: Apache-2.0
 *
 * See judge_feed.h.
 */
#include "cli/judge_feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"

enum { SLOTS = 64 };

_Static_assert(SLOTS *GL_FEED_BATCH < GL_JOURNAL_RECORDS,
               "gl_journal_find(): who reads is not far ahead of who judges");

/* ---- errors ---- */

static bool fail(struct gl_feed *f, uint64_t record)
{
    f->failed = true;
    f->failed_at = record;
    return false;
}

static bool fail_begin(struct gl_feed *f)
{
    snprintf(f->error.text, sizeof f->error.text, "there is not enough memory to begin");
    return fail(f, 0);
}

static bool fail_reading(struct gl_feed *f, uint64_t record, const struct gl_trace_error *error)
{
    char place[60];
    gl_judge_place(error, place, sizeof place);
    snprintf(f->error.text, sizeof f->error.text, "%s: %s", place, error->text);
    return fail(f, record);
}

void gl_feed_error(const struct gl_feed *f, uint64_t record, const char *sentence,
                   struct gl_judge_error *error)
{
    enum gl_trace_format format = gl_trace_format_of(f->reader);
    snprintf(error->text, sizeof error->text, "%s %llu: %s",
             format == GL_TRACE_BINARY || format == GL_TRACE_RAPIDBIN ? "record" : "line",
             (unsigned long long)record, sentence);
}

static bool fail_on_fault(struct gl_feed *f, const struct gl_event *e, uint64_t record, enum gl_fault fault)
{
    char sentence[320];
    gl_validate_sentence(f->validator, gl_trace_names(f->reader), e, fault, sentence, sizeof sentence);
    gl_feed_error(f, record, sentence, &f->error);
    return fail(f, record);
}

/* ---- one batch ---- */

/* The possible events of the batch stay.  The others are left out, or the first of them ends it: false. */
static bool check(struct gl_feed *f, struct gl_feed_batch *b)
{
    struct gl_event *events = b->events;
    size_t kept = 0, at = 0, count = b->count;
    bool fine = true;
    while (at < count) {
        enum gl_fault fault;
        size_t n = gl_validate(f->validator, events + at, count - at, &fault);
        if (kept < at) {
            memmove(events + kept, events + at, n * sizeof *events);
            memmove(b->records + kept, b->records + at, n * sizeof *b->records);
        }
        kept += n;
        at += n;
        if (at == count)
            break;
        if (!f->o->lenient || fault == GL_FAULT_NO_MEMORY || fault == GL_FAULT_THREADS) {
            fine = fail_on_fault(f, &events[at], b->records[at], fault);
            break;
        }
        f->faults[fault]++;
        at++;
    }
    b->count = kept;
    return fine;
}

/* The operands of commits, which belong to the reader, get a place that lasts as long as the batch. */
static bool keep_operands(struct gl_feed_batch *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->count; i++)
        n += b->events[i].op == GL_OP_COMMIT ? (size_t)b->events[i].n_reads + b->events[i].n_writes : 0;
    if (n == 0)
        return true;
    if (n > b->n_operands) {
        free(b->operands);
        b->operands = malloc(n * sizeof *b->operands);
        b->n_operands = b->operands ? n : 0;
        if (!b->operands)
            return false;
    }
    uint64_t *to = b->operands;
    for (size_t i = 0; i < b->count; i++) {
        struct gl_event *e = &b->events[i];
        if (e->op != GL_OP_COMMIT)
            continue;
        memcpy(to, e->reads, e->n_reads * sizeof *to);
        e->reads = to;
        to += e->n_reads;
        memcpy(to, e->writes, e->n_writes * sizeof *to);
        e->writes = to;
        to += e->n_writes;
    }
    return true;
}

/* Reads the next batch into a slot; false: it is the last, and perhaps empty. */
static bool make(struct gl_feed *f, struct gl_feed_batch *b)
{
    struct gl_trace_error error;
    struct gl_trace_batch batch = {.events = b->events, .records = b->records, .capacity = GL_FEED_BATCH};
    int got = gl_trace_read(f->reader, &batch, &error);
    b->count = got > 0 ? batch.count : 0;
    if (got < 0)
        return fail_reading(f, error.line ? error.line : f->events + 1, &error);
    if (got == 0) {
        f->threads = gl_names_count(gl_trace_names(f->reader), GL_NAME_THREAD);
        f->incomplete = !gl_trace_is_complete(f->reader);
        return false;
    }
    f->events += b->count;
    bool fine = !f->validator || check(f, b);
    if (f->slots > 1 && !keep_operands(b)) {
        gl_feed_error(f, b->records[0], "there is not enough memory for a commit", &f->error);
        fine = fail(f, b->records[0]);
        b->count = 0;
    }
    if (f->journal.entry)
        gl_journal_add(&f->journal, b->events, b->records, b->count);
    if (f->bar)
        gl_progress_show(f->bar, f->events);
    return fine;
}

/* ---- turns ---- */

/* Slots for so many more batches?  A shard that asks for one has no other; the others still use the last that they were given. */
static bool has_room(const struct gl_feed *f, unsigned slots)
{
    for (unsigned i = 0; f->slots > 1 && i < f->shards; i++)
        if (f->taken[i] != UINT64_MAX && f->made + 1 + slots > f->taken[i] + f->slots)
            return false;
    return true;
}

static bool somebody_is_there(const struct gl_feed *f)
{
    unsigned left = 0;
    while (left < f->shards && f->taken[left] == UINT64_MAX)
        left++;
    return left < f->shards;
}

static void make_next(struct gl_feed *f)
{
    struct gl_feed_batch *b = &f->batch[f->made % f->slots];
    f->making = true;
    pthread_mutex_unlock(&f->lock);
    bool last = !make(f, b);
    pthread_mutex_lock(&f->lock);
    f->making = false;
    f->over = last;
    f->made += b->count > 0;
    if (f->failed && f->failed_at < f->limit)
        f->limit = f->failed_at;
    pthread_cond_broadcast(&f->moved);
}

struct gl_feed_batch *gl_feed_next(struct gl_feed *f, unsigned shard)
{
    struct gl_feed_batch *b = NULL;
    pthread_mutex_lock(&f->lock);
    uint64_t mine = f->taken[shard];
    while (mine == f->made && !f->over) {
        if (!f->making && has_room(f, 1))
            make_next(f);
        else
            pthread_cond_wait(&f->moved, &f->lock);
    }
    if (mine < f->made) {
        b = &f->batch[mine % f->slots];
        f->taken[shard] = mine + 1;
        if (b->records[0] > f->limit)
            b = NULL;
        else if (f->shards > 1 || (f->resting && has_room(f, f->slots / 2)))
            pthread_cond_broadcast(&f->moved);
    }
    pthread_mutex_unlock(&f->lock);
    return b;
}

void gl_feed_leave(struct gl_feed *f, unsigned shard)
{
    pthread_mutex_lock(&f->lock);
    f->taken[shard] = UINT64_MAX;
    pthread_cond_broadcast(&f->moved);
    pthread_mutex_unlock(&f->lock);
}

/* When there is no room, it sleeps until there is much: waking it costs as much as reading some batches. */
void gl_feed_read_ahead(struct gl_feed *f)
{
    pthread_mutex_lock(&f->lock);
    while (!f->over && somebody_is_there(f)) {
        f->resting = f->resting ? !has_room(f, f->slots / 2) : !has_room(f, 1);
        if (!f->resting && !f->making)
            make_next(f);
        else
            pthread_cond_wait(&f->moved, &f->lock);
    }
    pthread_mutex_unlock(&f->lock);
}

void gl_feed_limit(struct gl_feed *f, uint64_t record)
{
    pthread_mutex_lock(&f->lock);
    if (record < f->limit)
        f->limit = record;
    pthread_mutex_unlock(&f->lock);
}

/* ---- begin and end ---- */

bool gl_feed_begin(struct gl_feed *f)
{
    struct gl_trace_error error;
    const struct gl_judge_source *s = f->source;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->moved, NULL);
    f->limit = UINT64_MAX;
    f->slots = f->o->jobs > 1 ? SLOTS : 1;
    f->memory = malloc(sizeof *f->memory);
    f->batch = calloc(f->slots, sizeof *f->batch);
    f->events_of_all = calloc((size_t)f->slots * GL_FEED_BATCH, sizeof *f->events_of_all);
    f->records_of_all = calloc((size_t)f->slots * GL_FEED_BATCH, sizeof *f->records_of_all);
    if (!f->memory || !f->batch || !f->events_of_all || !f->records_of_all)
        return fail_begin(f);
    for (unsigned i = 0; i < f->slots; i++) {
        f->batch[i].events = f->events_of_all + (size_t)i * GL_FEED_BATCH;
        f->batch[i].records = f->records_of_all + (size_t)i * GL_FEED_BATCH;
    }
    gl_counted_env_init(f->memory);
    f->reader = s->stream ? gl_trace_open_stream(&f->memory->env, s->stream, s->format, &error)
                          : gl_trace_open(&f->memory->env, s->bytes, s->size, s->format, &error);
    if (!f->reader)
        return fail_reading(f, 0, &error);
    if (!s->stream) /* of a file, who shows a race reads again */
        gl_trace_leave_out_locations(f->reader);
    if ((!f->o->trust && !(f->validator = gl_validator_create(&f->memory->env))) ||
        (s->stream && !gl_journal_begin(&f->journal)))
        return fail_begin(f);
    return true;
}

void gl_feed_end(struct gl_feed *f)
{
    if (f->validator)
        gl_validator_destroy(f->validator);
    if (f->reader)
        gl_trace_close(f->reader);
    free(f->memory);
    for (unsigned i = 0; f->batch && i < f->slots; i++)
        free(f->batch[i].operands);
    free(f->batch);
    free(f->events_of_all);
    free(f->records_of_all);
    gl_journal_end(&f->journal);
    pthread_mutex_destroy(&f->lock);
    pthread_cond_destroy(&f->moved);
}
