/* SPDX-License-Identifier: Apache-2.0
 *
 * See judge_shard.h.
 *
 * The site of an event is replaced by its record number, so that a race names both of its events.  A plain access
 * is given to the detector word by word: then each word's race comes with its own earlier access.  So are the accesses of
 * a commit, between its two ends.  An atomic access cannot be cut up, because it synchronizes; where one races on several
 * words, the earlier access is known for the first of them.
 *
 * Among several jobs a word belongs to the job that its page is assigned to.  An atomic access of another job's word
 * is given without data.  Where one touches words of several jobs (across pages), the foreign bytes are allocated anew just
 * before it, so that nothing can race on them here.  A thread that has only touched other jobs' words is begun, since it may be joined.
 */
#include "cli/judge_shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"

enum { PAGE = 4096, EVENT_BYTES = 64 /* that one race can name */ };

/* ---- failure ---- */

static bool fail(struct gl_shard *s, uint64_t record)
{
    s->failed = true;
    s->failed_at = record;
    gl_feed_limit(s->feed, record);
    return false;
}

static bool fail_at(struct gl_shard *s, uint64_t record, const char *sentence)
{
    gl_feed_error(s->feed, record, sentence, &s->error);
    return fail(s, record);
}

/* ---- whose data ---- */

static bool owns(const struct gl_shard *s, uint64_t byte)
{
    if (s->feed->shards == 1)
        return true;
    uint32_t mixed = (uint32_t)(byte / PAGE * 0x9e3779b97f4a7c15u >> 32);
    return (uint64_t)mixed * s->feed->shards >> 32 == s->index;
}

/* How many bits there will be when there are n, and `bit` is wanted. */
static uint64_t larger(uint64_t n, uint64_t bit)
{
    n = n ? n : 1 << 16;
    while (n <= bit)
        n *= 2;
    return n;
}

static bool grow_set(uint64_t **set, uint64_t from, uint64_t to)
{
    uint64_t *longer = realloc(*set, to / 8);
    if (!longer)
        return false;
    memset(longer + from / 64, 0, (to - from) / 8);
    *set = longer;
    return true;
}

static bool grow_bits(struct gl_shard *s, uint64_t word)
{
    uint64_t n = larger(s->n_words, word);
    if (!grow_set(&s->seen, s->n_words, n) || !grow_set(&s->raced, s->n_words, n) || !grow_set(&s->told, s->n_words, n))
        return false;
    s->n_words = n;
    return true;
}

static inline bool is_met(const struct gl_shard *s, uint32_t thread)
{
    return thread < s->n_met && (s->met[thread >> 6] >> (thread & 63) & 1);
}

/* Counts the variables. */
static inline gl_status touch(struct gl_shard *s, uint64_t byte)
{
    uint64_t word = byte >> 2;
    if (word >= s->n_words && !grow_bits(s, word))
        return GL_NOMEM;
    uint64_t bit = UINT64_C(1) << (word & 63), *bits = &s->seen[word >> 6];
    s->variables += !(*bits & bit);
    *bits |= bit;
    return GL_OK;
}

static gl_status touch_range(struct gl_shard *s, uint64_t from, uint64_t size)
{
    gl_status status = GL_OK;
    for (uint64_t byte = from & ~UINT64_C(3); byte < from + size && status == GL_OK; byte += 4)
        if (owns(s, byte))
            status = touch(s, byte);
    return status;
}

/* ---- races ---- */

/* What can be told of an access of a stream: it is asked for now, or never. */
static void tell(const struct gl_shard *s, uint64_t record, const struct gl_race_access *as,
                 struct gl_judge_access *to)
{
    to->record = record;
    if (!record || !s->feed->journal.entry || gl_journal_find(&s->feed->journal, record, s->now, to))
        return;
    to->forgotten = true;
    to->thread = as->thread;
    to->op = as->write ? GL_OP_WRITE : GL_OP_READ;
}

/* A race of event `record` on a word; then = 0: it is not known with what. */
static gl_status note(struct gl_shard *s, uint64_t word, uint64_t record, uint64_t then,
                      const struct gl_race *race)
{
    uint64_t bit = UINT64_C(1) << (word & 63), *bits = &s->raced[word >> 6];
    bool first = !(*bits & bit);
    *bits |= bit;
    s->racing_variables += first;
    s->racing_accesses++;
    if ((!first && !s->o->all) || s->n_races == GL_JUDGE_LISTED)
        return GL_OK;
    if (s->n_races == s->cap_races) {
        size_t cap = s->cap_races ? 2 * s->cap_races : 64;
        struct gl_judge_race *longer = realloc(s->races, cap * sizeof *longer);
        if (!longer)
            return GL_NOMEM;
        s->races = longer;
        s->cap_races = cap;
    }
    struct gl_judge_race *r = &s->races[s->n_races++];
    *r = (struct gl_judge_race){.variable = word << 2};
    tell(s, record, &race->now, &r->now);
    tell(s, then, &race->then, &r->then);
    return GL_OK;
}

/* Of a commit that is told in parts: false when one has raced on the word before. */
static bool tell_once(struct gl_shard *s, uint64_t word)
{
    uint64_t bit = UINT64_C(1) << (word & 63), *bits = &s->told[word >> 6];
    bool first = !(*bits & bit);
    *bits |= bit;
    return first;
}

/* Every word that the race names, once. */
static gl_status note_all(struct gl_shard *s, const struct gl_event *e, const struct gl_race *race)
{
    uint64_t words[EVENT_BYTES];
    unsigned n = 0;
    gl_status status = GL_OK;
    for (unsigned i = 0; i < EVENT_BYTES && status == GL_OK; i++) {
        if (!(race->bytes >> i & 1))
            continue;
        uint64_t byte = e->op != GL_OP_COMMIT ? e->object + i
                        : i < e->n_reads      ? e->reads[i]
                                              : e->writes[i - e->n_reads];
        unsigned k = 0;
        while (k < n && words[k] != byte >> 2)
            k++;
        if (k < n || !owns(s, byte) || (e->op == GL_OP_COMMIT && !tell_once(s, byte >> 2)))
            continue;
        words[n++] = byte >> 2;
        status = note(s, byte >> 2, e->site, n == 1 ? race->then.site : 0, race);
    }
    return status;
}

static inline gl_status deliver(struct gl_shard *s, const struct gl_event *e)
{
    struct gl_race race;
    gl_status status = s->o->detector->event(s->state, e, &race);
    return status == GL_RACE ? note_all(s, e, &race) : status;
}

/* ---- events ---- */

/* A plain access of several words. */
static gl_status feed_pieces(struct gl_shard *s, const struct gl_event *e)
{
    gl_status status = GL_OK;
    struct gl_event piece = *e;
    for (uint64_t at = e->object, end = at + e->size; at < end && status == GL_OK; at += piece.size) {
        piece.object = at;
        piece.size = 4 - (uint32_t)(at & 3);
        if (piece.size > end - at)
            piece.size = (uint32_t)(end - at);
        if (!owns(s, at))
            continue;
        status = touch(s, at);
        if (status == GL_OK)
            status = deliver(s, &piece);
    }
    return status;
}

static gl_status feed_alloc(struct gl_shard *s, const struct gl_event *e)
{
    if (s->feed->shards == 1)
        return deliver(s, e);
    gl_status status = GL_OK;
    struct gl_event piece = *e;
    for (uint64_t at = e->object, end = at + e->size; at < end && status == GL_OK; at += piece.size) {
        piece.object = at;
        piece.size = PAGE - (uint32_t)(at % PAGE);
        if (piece.size > end - at)
            piece.size = (uint32_t)(end - at);
        if (owns(s, at))
            status = deliver(s, &piece);
    }
    return status;
}

/* Nothing that was before can race on this byte of another job. */
static gl_status forget(struct gl_shard *s, const struct gl_event *e, uint64_t byte)
{
    struct gl_event fresh = {
        .op = GL_OP_ALLOC, .thread = e->thread, .site = e->site, .object = byte, .size = 1};
    return deliver(s, &fresh);
}

static gl_status feed_atomic(struct gl_shard *s, const struct gl_event *e)
{
    bool first = owns(s, e->object), last = e->size ? owns(s, e->object + e->size - 1) : first;
    struct gl_event without = *e;
    without.size = 0;
    if (!e->size || (!first && !last))
        return deliver(s, &without);
    gl_status status = touch_range(s, e->object, e->size);
    for (uint64_t byte = e->object; first != last && byte < e->object + e->size && status == GL_OK; byte++)
        if (!owns(s, byte))
            status = forget(s, e, byte);
    return status == GL_OK ? deliver(s, e) : status;
}

/* The accesses of a commit, those to one word after the other together: their data are entries from..to of one of its lists. */
static gl_status feed_accesses(struct gl_shard *s, const struct gl_event *e, const uint64_t *list, uint32_t n, bool write)
{
    gl_status status = GL_OK;
    for (uint32_t i = 0, k; i < n && status == GL_OK; i = k) {
        for (k = i + 1; k < n && k - i < EVENT_BYTES && list[k] >> 2 == list[i] >> 2;)
            k++;
        if (!owns(s, list[i]))
            continue;
        struct gl_event piece = *e;
        piece.part = GL_COMMIT_ACCESS;
        piece.n_reads = write ? 0 : k - i;
        piece.n_writes = write ? k - i : 0;
        piece.reads = piece.writes = list + i;
        status = touch(s, list[i]);
        if (status == GL_OK)
            status = deliver(s, &piece);
    }
    return status;
}

static void forget_told(struct gl_shard *s, const uint64_t *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (owns(s, list[i]) && list[i] >> 2 < s->n_words)
            s->told[list[i] >> 8] &= ~(UINT64_C(1) << (list[i] >> 2 & 63));
}

static gl_status feed_commit(struct gl_shard *s, const struct gl_event *e)
{
    struct gl_event end = *e;
    end.part = GL_COMMIT_BEGIN;
    gl_status status = deliver(s, &end);
    if (status == GL_OK)
        status = feed_accesses(s, e, e->reads, e->n_reads, false);
    if (status == GL_OK)
        status = feed_accesses(s, e, e->writes, e->n_writes, true);
    forget_told(s, e->reads, e->n_reads);
    forget_told(s, e->writes, e->n_writes);
    end.part = GL_COMMIT_END;
    return status == GL_OK ? deliver(s, &end) : status;
}

/* A thread that this shard has not heard of: another one judges what it has accessed. */
static gl_status meet(struct gl_shard *s, const struct gl_event *e)
{
    struct gl_event begin = {.op = GL_OP_BEGIN, .thread = e->thread, .site = e->site};
    uint64_t n = larger(s->n_met, e->thread);
    if (n > s->n_met && !grow_set(&s->met, s->n_met, n))
        return GL_NOMEM;
    s->n_met = n;
    s->met[e->thread >> 6] |= UINT64_C(1) << (e->thread & 63);
    gl_status status = deliver(s, &begin);
    return status == GL_INVALID ? GL_OK : status; /* it was known, by its synchronization or otherwise */
}

/* What the detector may not be given as it is. */
static gl_status feed(struct gl_shard *s, const struct gl_event *e)
{
    if (s->feed->shards > 1 && !is_met(s, e->thread)) {
        gl_status status = meet(s, e);
        if (status != GL_OK)
            return status;
    }
    switch (e->op) {
    case GL_OP_ALLOC:
        return feed_alloc(s, e);
    case GL_OP_LOAD:
    case GL_OP_STORE:
    case GL_OP_RMW:
        return feed_atomic(s, e);
    case GL_OP_COMMIT:
        return feed_commit(s, e);
    default:
        return feed_pieces(s, e);
    }
}

/* A plain access to one whole word of this job that is counted already, or an acquire or release of a mutex?  One question: which of them it is
 * cannot be foreseen.  n_words: > 0, a power of two. */
static inline bool is_usual(const uint64_t *seen, uint64_t n_words, const struct gl_event *e)
{
    uint64_t other = e->op >> 1 | (e->size ^ 4) | (e->object & (3 | -(4 * n_words)));
    uint64_t counted = seen[e->object >> 8 & (n_words / 64 - 1)] >> (e->object >> 2 & 63) & (other == 0);
    return counted | (e->op - GL_OP_ACQ <= GL_OP_REL - GL_OP_ACQ);
}

/* What most events are, done soon: from the i-th on, those that are usual become the next ones of *kept.  Returns how far.
 * way_of() finds the same of each. */
static inline size_t keep_usual(struct gl_shard *s, const struct gl_feed_batch *b, size_t i, struct gl_event **kept)
{
    struct gl_event *events = b->events, *to = *kept;
    const uint64_t *seen = s->seen, *records = b->records, n_words = s->n_words;
    size_t count = n_words ? b->count : 0;
    if (to == &events[i]) {
        for (; i < count && is_usual(seen, n_words, &events[i]); i++) {
            s->of[events[i].op]++;
            events[i].site = (uint32_t)records[i];
        }
        *kept = &events[i];
        return i;
    }
    for (; i < count && is_usual(seen, n_words, &events[i]); i++, to++) {
        s->of[events[i].op]++;
        *to = events[i];
        to->site = (uint32_t)records[i];
    }
    *kept = to;
    return i;
}

enum way {
    WHOLE, /* as it is */
    APART, /* through feed() */
    NOT    /* it is another job's */
};

static inline enum way way_of(struct gl_shard *s, const struct gl_event *e, gl_status *status)
{
    switch (e->op) {
    case GL_OP_READ:
    case GL_OP_WRITE:
    case GL_OP_FREE:
        if ((e->object & 3) + e->size > 4)
            return APART;
        if (!owns(s, e->object))
            return is_met(s, e->thread) ? NOT : APART;
        *status = touch(s, e->object);
        return WHOLE;
    case GL_OP_ALLOC:
    case GL_OP_LOAD:
    case GL_OP_STORE:
    case GL_OP_RMW:
    case GL_OP_COMMIT:
        return APART;
    default:
        return WHOLE;
    }
}

static const char *why(gl_status status)
{
    switch (status) {
    case GL_NOMEM:
        return "there is not enough memory for this detector here (it may take three quarters of the "
               "machine's, or --memory)";
    case GL_INVALID:
        return "no program can do this here; leave --trust out to hear why, or add --lenient to go on";
    default:
        return gl_status_message(status);
    }
}

/* What became of an event; false: it was the last. */
static bool settle(struct gl_shard *s, const struct gl_event *e, gl_status status)
{
    if (status == GL_OK)
        return true;
    if (status == GL_INVALID && s->o->lenient) {
        /* everyone sees a synchronization, and the first byte's job an access */
        s->skipped_by_detector += gl_op_class(e->op) == GL_CLASS_DATA ? owns(s, e->object) : s->index == 0;
        return true;
    }
    return fail_at(s, e->site, why(status));
}

/* n events in a row that are WHOLE. */
static bool feed_run(struct gl_shard *s, const struct gl_event *e, size_t n)
{
    const struct gl_detector *d = s->o->detector;
    while (n) {
        struct gl_race race;
        gl_status status;
        size_t done = 1;
        if (d->events)
            done = d->events(s->state, e, n, &race, &status);
        else
            status = d->event(s->state, e, &race);
        const struct gl_event *last = e + done - 1;
        s->now = last->site;
        if (status != GL_OK && !settle(s, last, status == GL_RACE ? note_all(s, last, &race) : status))
            return false;
        e += done;
        n -= done;
    }
    return true;
}

static bool feed_batch(struct gl_shard *s, struct gl_feed_batch *b)
{
    bool fine = true;
    struct gl_event *events = s->own ? s->own : b->events; /* what waits is gathered here */
    struct gl_event *kept = events;                        /* its end: others are left out or given */
    bool small = !b->count || b->records[b->count - 1] <= UINT32_MAX;
    for (size_t i = 0; fine && (i = small ? keep_usual(s, b, i, &kept) : i) < b->count; i++) {
        const struct gl_event *e = &b->events[i];
        uint64_t record = b->records[i];
        gl_status status = GL_OK;
        enum way way = small || record <= UINT32_MAX ? way_of(s, e, &status) : APART;
        s->of[e->op]++;
        if (way == NOT)
            continue;
        if (way == APART || status != GL_OK) {
            struct gl_event alone = *e;
            alone.site = (uint32_t)record;
            fine = feed_run(s, events, (size_t)(kept - events));
            kept = events;
            s->now = record;
            if (fine && record > UINT32_MAX)
                fine = fail_at(s, record,
                               "a detector can tell 4294967295 records apart, and this trace has more");
            else if (fine)
                fine = settle(s, &alone, way == APART ? feed(s, &alone) : status);
            continue;
        }
        if (kept != e)
            *kept = *e;
        kept++->site = (uint32_t)record;
    }
    return fine && feed_run(s, events, (size_t)(kept - events));
}

/* ---- from the first event to the last ---- */

static void count(void *ctx, const char *name, const char *sentence, uint64_t value)
{
    struct gl_shard *s = ctx;
    struct gl_judge_count *longer = realloc(s->counts, (s->n_counts + 1) * sizeof *longer);
    if (!longer)
        return; /* one line less of statistics */
    s->counts = longer;
    s->counts[s->n_counts++] = (struct gl_judge_count){name, sentence, value};
}

bool gl_shard_begin(struct gl_shard *s)
{
    const struct gl_detector *d = s->o->detector;
    gl_counted_env_init(&s->detecting);
    if (s->o->memory && s->o->memory < s->detecting.limit)
        s->detecting.limit = s->o->memory;
    s->detecting.limit /= s->feed->shards;
    s->state = d->create(&s->detecting.env);
    if (s->feed->shards > 1)
        s->own = calloc(GL_FEED_BATCH, sizeof *s->own);
    if (!s->state || !grow_bits(s, 0) || (s->feed->shards > 1 && !s->own)) {
        snprintf(s->error.text, sizeof s->error.text, "there is not enough memory to begin");
        return fail(s, 0);
    }
    for (size_t i = 0; i < s->o->n_sets; i++)
        d->set(s->state, s->o->sets[i].name, s->o->sets[i].on);
    return true;
}

/* The clock costs as much as some events: after the first batches, one of so many stands for all. */
enum { TIMED_ALL = 256, TIMED_EACH = 8 };

bool gl_shard_step(struct gl_shard *s)
{
    struct gl_feed_batch *b = gl_feed_next(s->feed, s->index);
    if (!b)
        return false;
    unsigned stands_for = s->batches++ < TIMED_ALL ? 1 : s->batches % TIMED_EACH == 0 ? TIMED_EACH : 0;
    if (!stands_for)
        return feed_batch(s, b);
    double begun = gl_seconds();
    bool fine = feed_batch(s, b);
    s->seconds += (gl_seconds() - begun) * stands_for;
    return fine;
}

void gl_shard_end(struct gl_shard *s)
{
    gl_feed_leave(s->feed, s->index);
    if (s->state && !s->failed && s->o->detector->counts)
        s->o->detector->counts(s->state, count, s);
    s->peak = atomic_load(&s->detecting.peak);
    if (s->state)
        s->o->detector->destroy(s->state);
    free(s->own);
}

void gl_shard_free(struct gl_shard *s)
{
    free(s->seen);
    free(s->raced);
    free(s->told);
    free(s->met);
    free(s->races);
    free(s->counts);
}
