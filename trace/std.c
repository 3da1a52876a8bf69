/* SPDX-License-Identifier: Apache-2.0
 *
 * RAPID's STD text with our extension: T0|acq(L34)|120.  docs/trace-text.md is the syntax.
 *
 * Two ways to read a line.  The careful one (std_line) knows the whole syntax and all errors.  The easy one (std_easy)
 * takes only lines of at most 64 characters whose words are all known already, finds their punctuation with
 * a few vector instructions, and never decides anything: what it cannot take at once is the careful one's.
 */
#include "trace/lines.h"

enum {
    EASY_ROOM = 72, /* bytes that the easy way may read */
};

/* ---- the careful way ---- */

/* Where a comment begins: # at the start of the line or behind a blank. */
static const char *comment_of(const char *from, const char *to)
{
    for (const char *at = from; (at = memchr(at, '#', (size_t)(to - at))); at++)
        if (at == from || gl_is_blank(at[-1]))
            return at;
    return to;
}

/* A thread or an operand; locations may have brackets. */
static bool no_brackets(struct gl_lines *l, struct gl_slice s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.at[i] == '(' || s.at[i] == ')')
            return gl_lines_fail(l, "", (struct gl_slice){s.at + i, 1},
                                 " cannot be part of a name; write %28 for (, %29 for )");
    return true;
}

static bool lacks_order(struct gl_slice word)
{
    return gl_slice_is(word, "ld") || gl_slice_is(word, "st") || gl_slice_is(word, "rmw") ||
           gl_slice_is(word, "fence");
}

static bool std_line(struct gl_lines *l)
{
    const char *to = comment_of(l->line, l->line_end);
    struct gl_slice all = gl_trim(l->line, to);
    if (all.n == 0)
        return true;
    const char *bar = memchr(all.at, '|', all.n);
    if (!bar)
        return gl_lines_fail(l, "", all, " is no event; write thread|operation(operand)|location");
    struct gl_slice thread = gl_trim(all.at, bar), place = {to, 0};
    if (thread.n == 0)
        return gl_lines_fail_at(l, bar, "no thread before '|'");

    /* The operation ends at its bracket, or else at the next bar. */
    const char *bar2 = memchr(bar + 1, '|', (size_t)(to - (bar + 1)));
    const char *word_end = bar2 ? bar2 : to;
    const char *open = memchr(bar + 1, '(', (size_t)(word_end - (bar + 1)));
    struct gl_slice word = gl_trim(bar + 1, open ? open : word_end), operand = {word_end, 0};
    const char *after = word_end;
    if (open) {
        const char *close = memchr(open, ')', (size_t)(word_end - open));
        if (!close)
            return gl_lines_fail_at(l, open, "this bracket is not closed");
        operand = gl_trim(open + 1, close);
        after = close + 1;
    }
    struct gl_slice rest = gl_trim(after, word_end);
    if (rest.n > 0)
        return gl_lines_fail(l, "", rest, " after the operand; a location comes behind '|'");
    if (bar2) {
        place = gl_trim(bar2 + 1, to);
        const char *bar3 = memchr(place.at, '|', place.n);
        if (bar3)
            return gl_lines_fail_at(l, bar3, "a third '|'; write %7C for one in a location");
    }
    if (!gl_lines_printable(l, thread) || !gl_lines_printable(l, operand) || !gl_lines_printable(l, place) || !no_brackets(l, thread) ||
        !no_brackets(l, operand))
        return false;
    const struct gl_verb *verb = gl_verb_find(l, word);
    if (!verb)
        return gl_lines_fail(l, "unknown operation ", word,
                             lacks_order(word) ? "; write it with a memory order, as in ld.acq or fence.sc"
                                               : "");
    return gl_lines_event(l, thread, verb, operand, place);
}

/* ---- the easy way ---- */

/* Names that are no letter and number have to be searched for, which may move what gl_token_place() points to. */
enum search { AT_HAND, SEARCH };

/* The number of p[0..length), if it is a name that was met before. */
static inline uint32_t known(struct gl_lines *l, enum search search, enum gl_name_kind kind, const char *p, unsigned length)
{
    uint32_t answer = GL_TOKEN_UNKNOWN;
    if (length - 1 < 8)
        answer = gl_token_known(&l->tokens, kind, gl_load8(p), length);
    if (search == SEARCH && __builtin_expect(answer == GL_TOKEN_UNKNOWN && length > 0, 0))
        answer = gl_token_found(&l->tokens, kind, p, length);
    return answer;
}

/* The number of the thread p[0..length), mostly that of the line before. */
static inline uint32_t easy_thread(struct gl_lines *l, enum search search, const char *p, unsigned length)
{
    if (length - 1 >= 8)
        return known(l, search, GL_NAME_THREAD, p, length);
    uint64_t text = gl_load8(p) << (64 - 8 * length); /* no character is 0: another length is another text */
    if (text == l->last_thread)
        return l->last_thread_number;
    uint32_t number = known(l, search, GL_NAME_THREAD, p, length);
    if (number != GL_TOKEN_UNKNOWN) {
        l->last_thread = text;
        l->last_thread_number = number;
    }
    return number;
}

static inline const struct gl_verb *easy_verb(const struct gl_lines *l, const char *p, unsigned length)
{
    if (length == 1) { /* r and w: looked up, since either is as likely */
        const struct gl_verb *v = l->letter[*p & 1];
        return v->key == (unsigned char)*p ? v : NULL;
    }
    if (length - 1 >= 8)
        return NULL;
    uint64_t key = gl_load8(p) << (64 - 8 * length) >> (64 - 8 * length);
    for (unsigned i = 0;; i++) {
        const struct gl_verb *v = gl_verb_slot(l, key, i);
        if (v->key == key && !*v->rest)
            return v;
        if (!v->key)
            return NULL;
    }
}

static inline unsigned bit(uint64_t mask) { return (unsigned)__builtin_ctzll(mask); }

/* One easy line at p, EASY_ROOM bytes of which can be read: fills *e and returns where the next line begins.  NULL: it is not easy.
 * *wanted: where the number of its variable will be, on which nothing else depends (easy_finish()); NULL: e->object is there. */
static inline __attribute__((always_inline)) const char *easy_line(struct gl_lines *l, const char *p, enum search search, struct gl_event *e,
                                    const uint32_t **wanted)
{
    const unsigned char *u = (const unsigned char *)p;
    /* The first five special characters; when the line is short, the next line gives some of them. */
    uint64_t m0 = gl_specials(u), m1 = m0 & (m0 - 1), m2 = m1 & (m1 - 1), m3 = m2 & (m2 - 1),
             m4 = m3 & (m3 - 1);
    if (!m4) {
        m0 |= (uint64_t)gl_specials(u + 32) << 32;
        m1 = m0 & (m0 - 1), m2 = m1 & (m1 - 1), m3 = m2 & (m2 - 1), m4 = m3 & (m3 - 1);
        if (!m4)
            return NULL;
    }
    unsigned bar = bit(m0), open = bit(m1), close = bit(m2), bar2 = bit(m3), stop = bit(m4);
    if (p[bar] != '|' || p[open] != '(' || p[close] != ')' || bar2 != close + 1 || p[0] == '#')
        return NULL;
    e->site = 0;
    if (p[bar2] == '|' && !l->reader.no_locations) {
        e->site = known(l, search, GL_NAME_LOCATION, p + bar2 + 1, stop - bar2 - 1);
        if (e->site == GL_TOKEN_UNKNOWN)
            return NULL;
    } else if (p[bar2] != '|') {
        stop = bar2;
    }
    stop += p[stop] == '\r';
    if (p[stop] != '\n')
        return NULL;
    const struct gl_verb *v = easy_verb(l, p + bar + 1, open - bar - 1);
    if (!v || v->kind == GL_NAME_KINDS ||
        (v->kind == GL_NAME_ATOMIC && (!l->atomics_with_data || l->atomics_without)))
        return NULL;
    bool data = v->kind == GL_NAME_DATA || v->kind == GL_NAME_ATOMIC;
    const char *operand = p + open + 1;
    unsigned length = close - open - 1;
    uint32_t answer = 0;
    *wanted = data && length - 1 < 8 ? gl_token_place(&l->tokens, GL_NAME_DATA, gl_load8(operand), length) : NULL;
    if (search == SEARCH || !*wanted) {
        *wanted = NULL;
        answer = known(l, search, data ? GL_NAME_DATA : v->kind, operand, length);
    }
    e->thread = easy_thread(l, search, p, bar);
    if (e->thread == GL_TOKEN_UNKNOWN || answer == GL_TOKEN_UNKNOWN)
        return NULL;
    e->op = v->op;
    e->order = v->order;
    e->object = data ? (uint64_t)answer * 4 : answer;
    e->size = data ? 4 : 0;
    e->n_reads = e->n_writes = 0;
    e->reads = e->writes = NULL;
    return p + stop + 1;
}

/* Numbers of variables are in an array that no near cache holds: some lines are taken apart while they are fetched. */
enum { LAG = 8, SEARCHES = 64 };

/* A line whose event waits for the number of its variable. */
struct waiting {
    const char *line;
    const uint32_t *wanted;
};

/* False: the name has no number yet, so that the line is not easy. */
static inline bool easy_finish(const struct waiting *w, struct gl_event *e)
{
    if (!w->wanted)
        return true;
    e->object = (uint64_t)(*w->wanted - 1) * 4;
    return *w->wanted != 0;
}

/* The easy lines from p on, up to one that needs a search.  Returns where it stopped. */
static const char *easy_run(struct gl_lines *l, const char *p)
{
    struct gl_trace_batch *b = l->batch;
    struct waiting waiting[LAG];
    size_t begun = b->count, done = b->count; /* events; those in between wait */
    bool fine = true;
    while (fine && begun < b->capacity && l->end - p >= EASY_ROOM) {
        struct waiting *w = &waiting[begun % LAG];
        if (begun - done == LAG) {
            fine = easy_finish(w, &b->events[done]);
            if (!fine)
                break;
            done++;
        }
        w->line = p;
        const char *next = easy_line(l, p, AT_HAND, &b->events[begun], &w->wanted);
        if (!next)
            break;
        if (w->wanted)
            __builtin_prefetch(w->wanted);
        p = next;
        begun++;
    }
    while (done < begun && easy_finish(&waiting[done % LAG], &b->events[done]))
        done++;
    if (done < begun)
        p = waiting[done % LAG].line;
    for (; b->count < done; b->count++)
        b->records[b->count] = ++l->number;
    return p;
}

static void std_easy(struct gl_lines *l)
{
    struct gl_trace_batch *b = l->batch;
    const char *p = l->next;
    const uint32_t *none;
    for (unsigned searches = SEARCHES; b->count < b->capacity && l->end - p >= EASY_ROOM;) {
        if (searches == SEARCHES) { /* else the last lines were of the other sort */
            p = easy_run(l, p);
            searches = 0;
            continue;
        }
        const char *next = easy_line(l, p, SEARCH, &b->events[b->count], &none);
        if (!next)
            break;
        b->records[b->count++] = ++l->number;
        p = next;
        searches++;
    }
    l->next = p;
}

/* ---- the format ---- */

/* thread|... ; nothing but comments is an execution without events. */
static bool std_detect(const unsigned char *bytes, size_t size, bool whole)
{
    (void)whole;
    struct gl_slice line = gl_first_line(bytes, size);
    if (line.n == 0)
        return size == 0 || (line.at == (const char *)bytes + size && !memchr(bytes, 0, size));
    const char *bar = memchr(line.at, '|', line.n);
    return bar && bar > line.at && !memchr(line.at, 0, (size_t)(bar - line.at));
}

static bool std_open(struct gl_trace_reader *r, struct gl_trace_error *error)
{
    (void)error;
    gl_lines_open((struct gl_lines *)r, false);
    return true;
}

static int std_read(struct gl_trace_reader *r, struct gl_trace_batch *batch, struct gl_trace_error *error)
{
    return gl_lines_read((struct gl_lines *)r, batch, error, std_line, std_easy);
}

const struct gl_trace_kind gl_trace_std = {
    .format = GL_TRACE_STD,
    .size = sizeof(struct gl_lines),
    .detect = std_detect,
    .open = std_open,
    .read = std_read,
    .close = gl_lines_close,
};
