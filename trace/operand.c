/* SPDX-License-Identifier: Apache-2.0
 *
 * From the words of a line to its events, see lines.h; what the words may be is in docs/trace-text.md.
 *
 * The dense space of data is contiguous only within a page (names.h), and a detector takes at most 64 bytes per
 * access: what is larger, or crosses a page, becomes several events of one record.
 */
#include "trace/lines.h"

enum {
    PAGE = 4096,
    PIECE_MAX = 64,       /* bytes in one event, but for ALLOC */
    FREE_MAX = 4096,      /* bytes: so that a short line cannot make much work */
    ATOMIC_MAX = 16,      /* bytes */
    COMMIT_MAX = 1 << 20, /* bytes in one transaction */
    COMMIT_ITEM_MAX = 16, /* and in one of its operands */
    ALLOC_NEW = 2         /* pages of an ALLOC that are mentioned by it; of others it forgets nothing */
};

/* Bytes in memory, or a named variable. */
struct operand {
    bool is_address;
    uint64_t address, size;
};

static bool no_memory(struct gl_lines *l) { return gl_lines_fail_at(l, l->line, GL_TRACE_NO_MEMORY); }

/* ---- words ---- */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* The digits of s as a number; false: there are none, something else, or more than 64 bits. */
static bool number_of(struct gl_slice s, unsigned base, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < s.n; i++) {
        unsigned d = (unsigned)digit_of(s.at[i]);
        if (d >= base || __builtin_mul_overflow(*number, base, number) ||
            __builtin_add_overflow(*number, d, number))
            return false;
    }
    return s.n > 0;
}

/* @HEX or @HEX+SIZE, s.at[0] is '@'. */
static bool address_of(struct gl_lines *l, struct gl_slice s, uint64_t size_max, struct operand *o)
{
    struct gl_slice address = {s.at + 1, s.n - 1};
    const char *plus = memchr(s.at, '+', s.n);
    *o = (struct operand){.is_address = true, .size = 1};
    if (plus) {
        address.n = (size_t)(plus - address.at);
        struct gl_slice size = {plus + 1, s.n - (size_t)(plus + 1 - s.at)};
        if (!number_of(size, 10, &o->size) || o->size == 0 || o->size > size_max) {
            char sentence[80];
            struct gl_text t = gl_text_in(sentence, sizeof sentence);
            gl_text_add(&t, " is no size here; write a number from 1 to ");
            gl_text_number(&t, size_max);
            return gl_lines_fail(l, "", size, sentence);
        }
    }
    if (address.n > 2 && address.at[0] == '0' && (address.at[1] | 0x20) == 'x')
        address = (struct gl_slice){address.at + 2, address.n - 2};
    if (!number_of(address, 16, &o->address))
        return gl_lines_fail(l, "", s, " is no address; write @HEX or @HEX+SIZE, as in @7f001230+4");
    if (o->size - 1 > UINT64_MAX - o->address)
        return gl_lines_fail(l, "", s, " reaches past the end of memory");
    return true;
}

/* The answer of token.h for a name. */
static bool name_of(struct gl_lines *l, enum gl_name_kind kind, struct gl_slice s, uint32_t *answer)
{
    for (size_t i = 0; !l->verbatim && i < s.n; i++)
        if (s.at[i] == ',' || s.at[i] == ';')
            return gl_lines_fail(l, "", (struct gl_slice){s.at + i, 1},
                                 " cannot be part of a name; write %2C for a comma, %3B for a semicolon");
    const char *why;
    *answer = gl_token(&l->tokens, kind, s.at, s.n, &why);
    return *answer != GL_TOKEN_UNKNOWN || gl_lines_fail_at(l, s.at, why);
}

/* ---- events ---- */

static void add(struct gl_lines *l, const struct gl_event *e)
{
    struct gl_trace_batch *b = l->batch;
    b->events[b->count] = *e;
    b->records[b->count++] = l->number;
}

/* The place of the piece's first byte; UINT64_MAX - 1: nothing to tell there; UINT64_MAX: no memory. */
static uint64_t piece_place(struct gl_lines *l, bool first)
{
    const struct gl_pieces *p = &l->pieces;
    struct gl_names *names = l->reader.names;
    if (p->event.op != GL_OP_ALLOC || first || p->left <= (uint64_t)(ALLOC_NEW - 1) * PAGE)
        return gl_data_of_address(names, p->address);
    uint64_t place = gl_data_find_address(names, p->address);
    return place == UINT64_MAX ? UINT64_MAX - 1 : place;
}

static bool pieces(struct gl_lines *l, bool first)
{
    struct gl_pieces *p = &l->pieces;
    for (; p->left > 0 && l->batch->count < l->batch->capacity; first = false) {
        uint64_t size = PAGE - p->address % PAGE;
        if (size > p->left)
            size = p->left;
        if (size > PIECE_MAX && p->event.op != GL_OP_ALLOC)
            size = PIECE_MAX;
        uint64_t place = piece_place(l, first);
        if (place == UINT64_MAX)
            return no_memory(l);
        if (place != UINT64_MAX - 1) {
            p->event.object = place;
            p->event.size = (uint32_t)size;
            add(l, &p->event);
        }
        p->address += size;
        p->left -= size;
    }
    return true;
}

bool gl_lines_pieces(struct gl_lines *l) { return pieces(l, false); }

static bool add_data(struct gl_lines *l, struct gl_event *e, struct gl_slice s)
{
    uint64_t max = e->op == GL_OP_ALLOC ? UINT32_MAX : e->op == GL_OP_FREE ? FREE_MAX : PIECE_MAX;
    if (l->verbatim || s.at[0] != '@') {
        uint32_t quarter;
        if (!name_of(l, GL_NAME_DATA, s, &quarter))
            return false;
        e->object = (uint64_t)quarter * 4;
        e->size = 4;
        add(l, e);
        return true;
    }
    struct operand o;
    if (!address_of(l, s, max, &o))
        return false;
    l->pieces = (struct gl_pieces){.event = *e, .address = o.address, .left = o.size};
    return pieces(l, true);
}

/* NAME,0: an atomic object that is no data.  Its number is not a place, and a detector cannot tell them apart. */
static bool add_atomic(struct gl_lines *l, struct gl_event *e, struct gl_slice s)
{
    bool no_data = s.n > 2 && s.at[s.n - 2] == ',' && s.at[s.n - 1] == '0';
    *(no_data ? &l->atomics_without : &l->atomics_with_data) = true;
    if (l->atomics_without && l->atomics_with_data)
        return gl_lines_fail(l, "", s, ": atomics with and without data (NAME,0) cannot be in one trace");
    uint32_t answer;
    struct operand o;
    if (no_data) {
        if (!name_of(l, GL_NAME_ATOMIC, gl_trim(s.at, s.at + s.n - 2), &answer))
            return false;
        e->object = answer;
    } else if (s.at[0] != '@') {
        if (!name_of(l, GL_NAME_DATA, s, &answer))
            return false;
        e->object = (uint64_t)answer * 4;
        e->size = 4;
    } else {
        if (!address_of(l, s, ATOMIC_MAX, &o))
            return false;
        if (o.address % PAGE + o.size > PAGE)
            return gl_lines_fail(l, "", s, " crosses a page of 4096 bytes, which no atomic access does");
        e->object = gl_data_of_address(l->reader.names, o.address);
        if (e->object == UINT64_MAX)
            return no_memory(l);
        e->size = (uint32_t)o.size;
    }
    add(l, e);
    return true;
}

/* ---- commit ---- */

static bool pool_reserve(struct gl_lines *l, size_t more)
{
    if (l->pool_capacity - l->pool_n >= more)
        return true;
    size_t capacity = l->pool_capacity ? l->pool_capacity : 512;
    while (capacity - l->pool_n < more)
        capacity *= 2;
    struct gl_env *env = &l->reader.env;
    uint64_t *pool = env->map(env->ctx, capacity * sizeof *pool);
    if (!pool)
        return false;
    if (l->pool) {
        memcpy(pool, l->pool, l->pool_n * sizeof *pool);
        env->unmap(env->ctx, l->pool, l->pool_capacity * sizeof *pool);
    }
    l->pool = pool;
    l->pool_capacity = capacity;
    return true;
}

/* One operand of a commit: the bytes of an address, the first byte of a name. */
static bool commit_item(struct gl_lines *l, struct gl_slice s, uint32_t *count)
{
    struct operand o = {.size = 1};
    uint32_t quarter = 0;
    if (s.n == 0)
        return gl_lines_fail_at(l, s.at, "an empty name in the list of a commit");
    if (s.at[0] == '@' ? !address_of(l, s, COMMIT_ITEM_MAX, &o) : !name_of(l, GL_NAME_DATA, s, &quarter))
        return false;
    if (*count > COMMIT_MAX - o.size)
        return gl_lines_fail(l, "", s, ": a commit of more than 1048576 bytes");
    if (!pool_reserve(l, o.size))
        return no_memory(l);
    for (uint64_t i = 0; i < o.size; i++) {
        uint64_t place =
            o.is_address ? gl_data_of_address(l->reader.names, o.address + i) : (uint64_t)quarter * 4;
        if (place == UINT64_MAX)
            return no_memory(l);
        l->pool[l->pool_n++] = place;
    }
    *count += (uint32_t)o.size;
    return true;
}

/* A,B,C up to `to`; nothing is an empty list. */
static bool commit_list(struct gl_lines *l, const char *from, const char *to, uint32_t *count)
{
    if (gl_trim(from, to).n == 0)
        return true;
    for (;;) {
        const char *comma = memchr(from, ',', (size_t)(to - from));
        if (!commit_item(l, gl_trim(from, comma ? comma : to), count))
            return false;
        if (!comma)
            return true;
        from = comma + 1;
    }
}

static bool add_commit(struct gl_lines *l, struct gl_event *e, struct gl_slice s)
{
    const char *to = s.at + s.n, *semicolon = memchr(s.at, ';', s.n);
    e->object = l->pool_n; /* an index, see commits_finish() */
    if (!commit_list(l, s.at, semicolon ? semicolon : to, &e->n_reads) ||
        (semicolon && !commit_list(l, semicolon + 1, to, &e->n_writes)))
        return false;
    add(l, e);
    return true;
}

/* ---- any ---- */

bool gl_lines_event(struct gl_lines *l, struct gl_slice thread, const struct gl_verb *verb,
                    struct gl_slice operand, struct gl_slice place)
{
    struct gl_event e = {.op = verb->op, .order = verb->order};
    const char *why;
    uint32_t answer;
    if (!name_of(l, GL_NAME_THREAD, thread, &e.thread))
        return false;
    if (place.n > 0 && !l->reader.no_locations) {
        e.site = gl_token(&l->tokens, GL_NAME_LOCATION, place.at, place.n, &why);
        if (e.site == GL_TOKEN_UNKNOWN)
            return gl_lines_fail_at(l, place.at, why);
    }
    if (operand.n == 0 && verb->kind != GL_NAME_KINDS)
        return gl_lines_fail_at(l, operand.at, "an operand is missing: what the operation works on");
    switch (verb->kind) {
    case GL_NAME_KINDS:
        if (verb->op == GL_OP_COMMIT)
            return add_commit(l, &e, operand);
        if (verb->op == GL_OP_FENCE && operand.n > 0)
            return gl_lines_fail(l, "", operand, ": a fence has no operand");
        break; /* of begin and end: some tools repeat the thread */
    case GL_NAME_DATA:
        return add_data(l, &e, operand);
    case GL_NAME_ATOMIC:
        return add_atomic(l, &e, operand);
    default:
        if (!name_of(l, verb->kind, operand, &answer))
            return false;
        e.object = answer;
    }
    add(l, &e);
    return true;
}
