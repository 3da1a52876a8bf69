/* SPDX-License-Identifier: Apache-2.0
 *
 * The depot, see depot.h.
 *
 * A unit of a line, once it is not 0, never changes; a pair is complete before its bucket names it, a line before a call or
 * another line does.  Places and calls are put at the first unused unit of a path's lines, by compare-and-swap, by who has looked at
 * all units before it: none is there twice.  Lines that are full stay so, and all look below them.
 */
#include "native/depot.h"

#include "core/atomic.h"
#include "native/runtime.h"
#include "platform/platform.h"

#define UNITS 8u /* of a line: one line of the cache */
#define HEAD                                                                                                 \
    2u /* of them; of a path: its word (PATH, or MORE for its further lines), then a link to its parent and its next line */
#define LINES_MOST 4u /* of a path, one after the other; below the last one there is a tree */
#define FOUR       4u /* lines below a line of the tree */
#define PAIR       2u /* units of a pair: its word, then a link to its parent and the next pair in its bucket */
#define TAKE       16u /* lines that a thread takes at once */

#define CHUNK   (1u << 15) /* units: 256 KiB */
#define STEP    (1u << 16) /* bytes, of lines that are taken one after the other: so many get their memory at once */
#define CHUNKS  (RT_DEPOT_NUMBERS / CHUNK)
#define BUCKETS (1u << 18)

/* Of a call's word: the number of the line it leads to, divided by UNITS; above, the lowest bits of the pc. */
#define CALL_BITS 27
#define CALL_LINE ((1ull << CALL_BITS) - 1)

_Static_assert(RT_DEPOT_NUMBERS / UNITS == 1u << CALL_BITS, "a call can name every line");

static struct {
    _Atomic uint32_t lines; /* taken */
    _Atomic(_Atomic uint64_t *) chunk[CHUNKS];
    _Atomic uint32_t bucket[BUCKETS];
} depot;

static inline _Atomic uint64_t *unit_at(uint32_t number)
{
    return gl_load_acquire(&depot.chunk[number / CHUNK]) + number % CHUNK; /* pairs with chunk_make() */
}

/* The second unit of a line or a pair. */
static inline uint64_t link_of(uint32_t parent, uint32_t next) { return (uint64_t)next << 32 | parent; }
static inline uint32_t parent_in(uint64_t link) { return (uint32_t)link; }
static inline uint32_t next_in(uint64_t link) { return (uint32_t)(link >> 32); }

static uint32_t hash(uint32_t parent, uint64_t word)
{
    uint64_t h = (word ^ (uint64_t)parent << 17 ^ (uint64_t)parent << 41) * 0x9E3779B97F4A7C15ull;
    return (uint32_t)(h >> 40);
}

/* ---- room ---- */

/* The chunk of a number; NULL: no memory. */
static _Atomic uint64_t *chunk_make(uint32_t number)
{
    _Atomic(_Atomic uint64_t *) *place = &depot.chunk[number / CHUNK];
    _Atomic uint64_t *chunk = gl_load_acquire(place);
    if (chunk)
        return chunk;
    _Atomic uint64_t *fresh = gl_os_map(CHUNK * sizeof *fresh);
    if (!fresh)
        return NULL;
    if (gl_cas_acq_rel(place, &chunk, fresh)) /* release: pairs with unit_at() */
        return fresh;
    gl_os_unmap(fresh, CHUNK * sizeof *fresh);
    return chunk;
}

/* The first of TAKE lines, all zero; 0: no memory. */
static uint32_t lines_take(void)
{
    uint32_t first = gl_add_relaxed(&depot.lines, TAKE); /* relaxed: only uniqueness matters */
    if (first >= RT_DEPOT_NUMBERS / UNITS - TAKE) {
        gl_store_relaxed(&depot.lines, RT_DEPOT_NUMBERS / UNITS - TAKE); /* never wraps */
        rt_count(RT_COUNT_site_no_memory);
        return 0;
    }
    if (!chunk_make(first * UNITS)) {
        rt_count(RT_COUNT_site_no_memory);
        return 0;
    }
    size_t bytes = (size_t)first * UNITS * sizeof(uint64_t);
    if (first && bytes % STEP == 0) /* a page fault for each page costs several times what clearing it does; few paths need none of it */
        gl_os_populate((uintptr_t)unit_at(first * UNITS), STEP);
    return first; /* a chunk is a multiple of what is taken at once */
}

/* One line, all zero; 0: no memory. */
static uint32_t line_take(struct rt_depot_hand *hand)
{
    if (!hand->lines) {
        hand->line = lines_take();
        if (!hand->line)
            return 0;
        hand->lines = TAKE;
    }
    hand->lines--;
    return hand->line++ * UNITS;
}

_Static_assert(CHUNK % (TAKE * UNITS) == 0, "what is taken at once lies in one chunk");

static uint32_t pair_take(struct rt_depot_hand *hand)
{
    if (!hand->pairs) {
        hand->pair = line_take(hand);
        if (!hand->pair)
            return 0;
        hand->pairs = UNITS / PAIR;
    }
    uint32_t number = hand->pair;
    hand->pair += PAIR;
    hand->pairs--;
    return number;
}

/* A line with its head; not published. */
static uint32_t line_new(struct rt_depot_hand *hand, uint64_t word, uint32_t parent)
{
    uint32_t number = line_take(hand);
    if (number) {
        gl_store_relaxed(unit_at(number),
                         word); /* relaxed, twice: published by a slot, a bucket or another line's link */
        gl_store_relaxed(unit_at(number + 1), link_of(parent, 0));
    }
    return number;
}

/* Four lines with their heads, one after the other; not published.  0: no memory. */
static uint32_t four_new(struct rt_depot_hand *hand, uint32_t parent)
{
    if (!hand->fours) {
        hand->four = lines_take();
        if (!hand->four)
            return 0;
        hand->fours = TAKE / FOUR;
    }
    uint32_t first = hand->four * UNITS;
    hand->four += FOUR;
    hand->fours--;
    for (uint32_t i = 0; i < FOUR; i++) {
        gl_store_relaxed(unit_at(first + i * UNITS), rt_depot_word(RT_DEPOT_MORE, 0)); /* relaxed, twice: as line_new() */
        gl_store_relaxed(unit_at(first + i * UNITS + 1), link_of(parent, 0));
    }
    return first;
}

bool rt_depot_init(void)
{
    _Atomic uint64_t *root = chunk_make(0);
    if (!root)
        return false;
    gl_store_relaxed(root, rt_depot_word(RT_DEPOT_PATH, 0)); /* relaxed: there is one thread */
    gl_store_relaxed(&depot.lines, TAKE);
    return true;
}

/* ---- look-up ---- */

/* What is looked for.  For a call the word lacks the line. */
struct wanted {
    uint64_t word;
    uintptr_t pc; /* of a call */
    bool call;
};

static inline uint32_t line_of_call(uint64_t word) { return (uint32_t)(word & CALL_LINE) * UNITS; }

/* Is it that?  A call's pc is whole in the line it leads to. */
static inline bool is_wanted(uint64_t word, const struct wanted *w)
{
    if (!w->call)
        return word == w->word;
    return ((word ^ w->word) & ~CALL_LINE) == 0 &&
           gl_load_relaxed(unit_at(line_of_call(word))) ==
               rt_depot_word(RT_DEPOT_PATH, w->pc); /* relaxed: see line_new() */
}

/* The word to put where it was not found: of a call, with a line made for it (once for each search).  0: no memory. */
static inline uint64_t word_for(struct rt_depot_hand *hand, uint32_t path, const struct wanted *w,
                                uint64_t *made)
{
    if (!w->call)
        return w->word;
    if (!*made) {
        uint32_t line = line_new(hand, rt_depot_word(RT_DEPOT_PATH, w->pc), path);
        *made = line ? w->word | line / UNITS : 0;
    }
    return *made;
}

/* Where it was found or put, and what stands there.  number 0: no memory. */
struct found {
    uint32_t number;
    uint64_t word;
};

static inline struct rt_depot_known *known_at(const struct rt_depot_hand *hand, uint32_t parent,
                                              uint64_t word)
{
    return &hand->known[hash(parent, word) & hand->mask];
}
static inline bool is_known(const struct rt_depot_known *k, uint32_t parent, uint64_t word)
{
    return k->word == word && k->parent == parent; /* a word is never 0 */
}

/* What is known takes the place of what else was known there.  Of what few had nothing is kept when they become many. */
static void know(struct rt_depot_hand *hand, struct rt_depot_known *k, struct rt_depot_known now)
{
    if (k->word && hand->known == hand->few && ++hand->replaced > RT_DEPOT_FEW) {
        hand->replaced = 0; /* if there is no memory, it is tried again after as many */
        struct rt_depot_known *many = gl_os_map(RT_DEPOT_MANY * sizeof *many);
        if (many) {
            hand->known = many;
            hand->mask = RT_DEPOT_MANY - 1;
            k = known_at(hand, now.parent, now.word);
        }
    }
    *k = now;
}

void rt_depot_hand_end(struct rt_depot_hand *hand)
{
    if (hand->known != hand->few)
        gl_os_unmap(hand->known, RT_DEPOT_MANY * sizeof *hand->known);
}

static uint32_t bucket_find(uint32_t from, uint32_t until, uint32_t parent, uint64_t word)
{
    for (uint32_t n = from; n != until;) {
        uint64_t link = gl_load_relaxed(unit_at(n + 1)); /* relaxed, twice: published by the bucket */
        if (parent_in(link) == parent && gl_load_relaxed(unit_at(n)) == word)
            return n;
        n = next_in(link);
    }
    return 0;
}

static uint32_t table_find(struct rt_depot_hand *hand, uint32_t parent, uint64_t word)
{
    _Atomic uint32_t *bucket = &depot.bucket[hash(parent, word) % BUCKETS];
    uint32_t first = gl_load_acquire(bucket); /* pairs with the publication below */
    uint32_t number = bucket_find(first, 0, parent, word);
    if (number)
        return number;
    number = pair_take(hand);
    if (!number)
        return 0;
    gl_store_relaxed(unit_at(number), word); /* relaxed: published by the bucket */
    for (;;) {
        gl_store_relaxed(unit_at(number + 1), link_of(parent, first));
        uint32_t was = first;
        if (gl_cas_acq_rel(bucket, &first, number)) /* release: publishes the pair */
            return number;
        uint32_t other = bucket_find(first, was, parent, word);
        if (other)
            return other; /* ours is never seen: one pair lost */
    }
}

/* In one line, whose units before `n` have been looked at: there, or put there; number 0: neither.  *full: put nowhere, since all are used. */
static inline struct found line_find(struct rt_depot_hand *hand, uint32_t path, uint32_t line, uint32_t n,
                                     const struct wanted *w, uint64_t *made, bool *full)
{
    for (_Atomic uint64_t *unit = unit_at(line); n < UNITS; n++) {
        uint64_t word = gl_load_acquire(&unit[n]); /* pairs with the publication below */
        if (!word) {
            uint64_t mine = word_for(hand, path, w, made);
            if (!mine)
                return (struct found){0, 0};
            if (gl_cas_acq_rel(&unit[n], &word, mine)) /* release: publishes the line of a call */
                return (struct found){line + n, mine};
        }
        if (is_wanted(word, w))
            return (struct found){line + n, word};
    }
    *full = true;
    return (struct found){0, 0};
}

/* On a path: in its lines, or in the tree below them. */
static struct found path_find(struct rt_depot_hand *hand, uint32_t path, const struct wanted *w)
{
    uint64_t made = 0;
    uint32_t line = path, way = hash(path, w->word);
    for (unsigned lines = 1;; lines++) {
        bool full = false;
        struct found f = line_find(hand, path, line, HEAD, w, &made, &full);
        if (!full)
            return f;
        _Atomic uint64_t *link = unit_at(line + 1);
        uint64_t was = gl_load_acquire(link); /* pairs with the publication below */
        if (!next_in(was)) {
            uint32_t more = lines < LINES_MOST ? line_new(hand, rt_depot_word(RT_DEPOT_MORE, 0), path) : four_new(hand, path);
            if (!more)
                return f;
            if (gl_cas_acq_rel(link, &was, link_of(parent_in(was), more))) /* release: publishes what is below */
                was = link_of(0, more);
        }
        line = next_in(was);
        if (lines >= LINES_MOST) {
            line += way % FOUR * UNITS;
            way /= FOUR; /* 0 in the end: one below the other */
        }
    }
}

static inline uint32_t number_of(struct found f, bool call) { return call && f.number ? line_of_call(f.word) : f.number; }

/* The same, from the second line on also in what the thread knows; the number is that of the path a call leads to. */
static inline GL_HOT uint32_t find(struct rt_depot_hand *hand, uint32_t path, const struct wanted w)
{
    const _Atomic uint64_t *unit = unit_at(path);
    uint64_t word; /* compared one by one: a loop takes twice as many instructions */
#define AT(n) ((word = gl_load_acquire(&unit[n])), is_wanted(word, &w)) /* pairs with line_find() */
    uint32_t n = AT(2) ? 2 : AT(3) ? 3 : AT(4) ? 4 : AT(5) ? 5 : AT(6) ? 6 : AT(7) ? 7 : 0;
#undef AT
    _Static_assert(HEAD == 2 && UNITS == 8, "all units are looked at");
    if (n)
        return w.call ? line_of_call(word) : path + n;
    if (!word) { /* the line is not full: there is nothing beyond it, nor known of it */
        struct wanted here = w;
        return number_of(path_find(hand, path, &here), w.call);
    }
    struct rt_depot_known *k = known_at(hand, path, w.word);
    if (is_known(k, path, w.word) &&
        (!w.call || gl_load_relaxed(unit_at(k->number)) == rt_depot_word(RT_DEPOT_PATH, w.pc)))
        return k->number; /* relaxed: see line_new() */
    struct wanted slow = w; /* of which an address is taken: the other stays in registers */
    uint32_t number = number_of(path_find(hand, path, &slow), w.call);
    if (number)
        know(hand, k, (struct rt_depot_known){.word = w.word, .parent = path, .number = number});
    return number;
}

uint32_t rt_depot_call(struct rt_depot_hand *hand, uint32_t path, uintptr_t pc)
{
    struct wanted w = {
        .word = rt_depot_word(RT_DEPOT_CALL, (uint64_t)pc << CALL_BITS & ~0ull >> (64 - RT_DEPOT_TAG)),
        .pc = pc,
        .call = true};
    return find(hand, path, w);
}

uint32_t rt_depot_place(struct rt_depot_hand *hand, uint32_t path, uint64_t word)
{
    return find(hand, path, (struct wanted){.word = word});
}

uint32_t rt_depot_pair(struct rt_depot_hand *hand, uint32_t parent, uint64_t word)
{
    struct rt_depot_known *k = known_at(hand, parent, word);
    if (is_known(k, parent, word))
        return k->number;
    uint32_t number = table_find(hand, parent, word);
    if (number)
        know(hand, k, (struct rt_depot_known){.word = word, .parent = parent, .number = number});
    return number;
}

/* ---- what a number stands for ---- */

uint64_t rt_depot_word_of(uint32_t number)
{
    return gl_load_acquire(unit_at(number)); /* pairs with path_find() */
}

uint32_t rt_depot_parent_of(uint32_t number)
{
    uint32_t line = number & ~(UNITS - 1);
    enum rt_depot_tag tag = rt_depot_tag(rt_depot_word_of(line));
    if (tag != RT_DEPOT_PATH &&
        tag != RT_DEPOT_MORE) /* a line of pairs, the first of which is there before the others */
        return parent_in(
            gl_load_relaxed(unit_at(number + 1))); /* relaxed: whoever has the number sees the pair */
    if (number != line && tag == RT_DEPOT_PATH)
        return line;
    return parent_in(gl_load_relaxed(unit_at(line + 1))); /* relaxed: the parent never changes */
}

bool rt_depot_exists(uint32_t number)
{
    return number < RT_DEPOT_NUMBERS &&
           gl_load_acquire(&depot.chunk[number / CHUNK]); /* pairs with chunk_make() */
}
