/* SPDX-License-Identifier: Apache-2.0
 *
 * Random scripts and the truth about them.  Compiled without instrumentation, so that nothing here is seen.
 *
 * The truth, for each byte: the last plain and atomic read and write of each thread, with that thread's clock; an access races if
 * another thread's conflicting one is later than what the accessing thread knows of it (a vector clock per thread and lock).
 * A byte that has raced is left out: what is promised is the first race of each.
 */
#include "tests/exact/random.h"

#include "include/goldilocks/race.h"
#include <stdio.h>
#include <string.h>

enum { LARGE = 48 << 20 }; /* the runtime has ways of its own from 256 KiB on, and from 32 MiB on */
enum { KINDS = 4 }; /* bit 0: write; bit 1: atomic */

struct step script[STEPS];
size_t script_block, script_mapping, script_before;
bool script_freed;
unsigned long steps_done, races_true;

static struct {
    bool races; /* a byte that had not raced does */
    bool may;   /* one that had does, or may */
} truth[STEPS];
static volatile bool told;

/* ---- random numbers: splitmix64 ---- */

static unsigned long state;

static unsigned below(unsigned n)
{
    unsigned long z = state += 0x9E3779B97F4A7C15ul;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ul;
    z = (z ^ z >> 27) * 0x94D049BB133111EBul;
    return (unsigned)((z ^ z >> 31) >> 32) % n;
}

/* ---- the truth ---- */

static unsigned clock_of[THREADS][THREADS], lock_clock[LOCKS][THREADS];
static unsigned last[AREA][THREADS][KINDS];
static bool raced[AREA];

static void merge(unsigned *into, const unsigned *from)
{
    for (unsigned u = 0; u < THREADS; u++)
        if (into[u] < from[u])
            into[u] = from[u];
}

static bool byte_races(unsigned t, unsigned at, unsigned kind)
{
    for (unsigned u = 0; u < THREADS; u++)
        for (unsigned k = 0; u != t && k < KINDS; k++)
            if (((kind | k) & 1) && !(kind & k & 2) && last[at][u][k] > clock_of[t][u])
                return true;
    return false;
}

static void forget(unsigned at, unsigned size)
{
    memset(last[at], 0, size * sizeof last[0]);
    memset(raced + at, 0, size * sizeof raced[0]);
}

static void judge(unsigned i)
{
    const struct step *s = &script[i];
    unsigned t = s->thread, kind = (s->op == WRITE || s->op == STORE || s->op == WRITE_RANGE || s->op == FREE) |
                                   (s->op == LOAD || s->op == STORE) << 1;
    truth[i].races = truth[i].may = false;
    if (s->op == LOCK) {
        merge(clock_of[t], lock_clock[s->lock]);
    } else if (s->op == UNLOCK) {
        merge(lock_clock[s->lock], clock_of[t]);
        clock_of[t][t]++;
    } else if (s->op == ALLOCATE) { /* another block, which nobody has used */
        forget(0, AREA);
    } else if (s->op >= EMPTY) {
        if (s->op != EMPTY)
            forget(s->at, s->size);
    } else {
        for (unsigned at = s->at; at < (unsigned)s->at + s->size; at++) {
            truth[i].may |= raced[at];
            if (!raced[at] && byte_races(t, at, kind)) {
                raced[at] = truth[i].races = true;
                races_true++;
            }
            last[at][t][kind] = clock_of[t][t];
        }
    }
}

/* ---- scripts ---- */

static void choose_access(struct step *s, unsigned hot, unsigned own)
{
    static const unsigned char sizes[] = {1, 1, 2, 4, 4, 8, 8, 16};
    unsigned page = below(100) < own ? s->thread * 4096u : below(4) * 4096u;
    unsigned what = below(100);
    s->at = (unsigned short)(page + below(2) * (2048 - 128) + below(hot)); /* also over the end of 1024 bytes, whose owner is one */
    s->op = below(100) < 60 ? READ : WRITE;
    if (what < 12) {
        s->op = s->op == READ ? READ_RANGE : WRITE_RANGE;
        s->size = (unsigned short)(1 + below(below(4) ? 40 : 400));
    } else if (what < 17) {
        s->op = s->op == READ ? LOAD : STORE;
        s->size = 4;
        s->at &= ~3u;
    } else {
        s->size = sizes[below(sizeof sizes)];
        if (s->size == 16 || below(100) < 60)
            s->at = (unsigned short)(s->at & ~(s->size - 1u));
        if (s->at % s->size && below(8) == 0)
            s->at = (unsigned short)(page + 4096 - 1 -
                                     below(7)); /* over the end of a page, or of the area: below */
    }
    if (s->at + s->size > AREA)
        s->at = (unsigned short)(AREA - s->size);
}

static void choose_memory(void)
{
    static const size_t blocks[] = {2 * AREA, 20 * AREA, LARGE};
    unsigned where = below(9);
    script_block = where < sizeof blocks / sizeof *blocks ? blocks[where] : 0;
    script_mapping = where == 3 || where == 4 ? LARGE : 0;
    script_before = 0;
    if (script_block || script_mapping) {
        unsigned pages = (unsigned)((script_block + script_mapping - AREA) / 4096) - 1; /* one for malloc */
        script_before = 4096 * (size_t)(below(2) ? below(pages) : below(2) ? 0 : pages - 1);
    }
}

/* Returns what must be done with the pages in the next step; EMPTY: nothing. */
static enum op choose_pages(struct step *s)
{
    unsigned first = below(4), n = 1 + below(4 - first);
    size_t most[2] = {first ? 0 : script_before, first + n < 4 ? 0 : script_mapping - AREA - script_before};
    s->at = (unsigned short)(first * 4096);
    s->size = (unsigned short)(n * 4096);
    for (unsigned side = 0; side < 2; side++)
        s->beside[side] = below(3) ? most[side] : 4096 * (size_t)below((unsigned)(most[side] / 4096) + 1);
    s->op = (unsigned char)(EMPTY + below(SHRINK - EMPTY + 1));
    if (s->op == SHRINK && (s->beside[0] == script_before || s->beside[1] != most[1] || first + n < 4))
        s->op = UNMAP; /* something must stay before, and nothing behind */
    return s->op == SHRINK ? GROW : s->op > MOVE_IN ? MAP : EMPTY;
}

void script_make(unsigned long seed)
{
    int holder[LOCKS];
    state = seed;
    memset(clock_of, 0, sizeof clock_of);
    memset(lock_clock, 0, sizeof lock_clock);
    forget(0, AREA);
    memset(holder, -1, sizeof holder);
    for (unsigned t = 0; t < THREADS; t++)
        clock_of[t][t] = 1;
    unsigned threads = 2 + below(THREADS - 1), sync = 5 + below(60), own = below(3) * 40,
             hot = 8u << below(6);
    unsigned stay = below(90), t = 0;
    choose_memory();
    script_freed = false;
    enum op next = EMPTY;
    for (unsigned i = 0; i < STEPS; i++) {
        struct step *s = &script[i];
        memset(s, 0, sizeof *s);
        if (below(100) >= stay)
            t = below(threads);
        s->thread = (unsigned char)t;
        s->place = (unsigned char)below(PLACES);
        unsigned lock = below(LOCKS), left = STEPS - 1 - i;
        if (next != EMPTY) { /* what the step before made room for */
            s->op = (unsigned char)next;
            s->at = s[-1].at;
            s->size = s[-1].size;
            memcpy(s->beside, s[-1].beside, sizeof s->beside);
            next = EMPTY;
        } else if (left < LOCKS && holder[left] >= 0) { /* nothing stays locked */
            s->op = UNLOCK;
            s->lock = (unsigned char)left;
            s->thread = (unsigned char)holder[left];
            holder[left] = -1;
        } else if (left >= LOCKS && below(100) < sync && (holder[lock] < 0 || holder[lock] == (int)t)) {
            s->op = holder[lock] < 0 ? LOCK : UNLOCK;
            s->lock = (unsigned char)lock;
            holder[lock] = holder[lock] < 0 ? (int)t : -1;
        } else if (script_block && below(100) < (script_freed ? 10 : 2)) {
            s->op = script_freed ? ALLOCATE : FREE;
            s->size = AREA;
            script_freed = !script_freed;
        } else if (script_mapping && left > LOCKS && below(100) < 3) {
            next = choose_pages(s);
        } else {
            choose_access(s, hot, own);
        }
        judge(i);
    }
}

/* ---- what happens ---- */

static void on_race(const struct goldilocks_race *race, void *ctx)
{
    (void)race;
    (void)ctx;
    told = true;
}

bool listen(void)
{
    if (!goldilocks_set_race_handler)
        return false;
    goldilocks_set_race_handler(on_race, NULL);
    return true;
}

void step_begin(unsigned i)
{
    (void)i;
    told = false;
}

bool step_end(unsigned i)
{
    steps_done++;
    if (told == truth[i].races || (told && truth[i].may))
        return true;
    printf("step %u: %s\n", i, told ? "a race that is none" : "a race that was not found");
    return false;
}

void script_print(unsigned long seed, unsigned i)
{
    static const char *const names[] = {"read",       "write",       "load", "store",
                                        "read range", "write range", "lock", "unlock", "free", "malloc",
                                        "empty", "map", "move in", "unmap", "move out", "shrink", "grow"};
    const struct step *of = &script[i];
    printf("seed %lu, what led to step %u:\n", seed, i);
    for (unsigned k = 0; k <= i; k++) {
        const struct step *s = &script[k];
        if (s->op == LOCK || s->op == UNLOCK)
            printf("%4u  thread %u  %s %u\n", k, s->thread, names[s->op], s->lock);
        else if (s->at < of->at + of->size && of->at < s->at + s->size)
            printf("%4u  thread %u  %s of %u bytes at %u, place %u\n", k, s->thread, names[s->op], s->size,
                   s->at, s->place);
    }
}
