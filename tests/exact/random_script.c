/* SPDX-License-Identifier: Apache-2.0
 *
 * Random scripts and the truth about them.  Compiled without instrumentation, so that nothing here is seen.
 *
 * The truth is truth.h's, and a clock for each lock.
 */
#include "tests/exact/random.h"

#define TRUTH_THREADS THREADS
#define TRUTH_BYTES AREA
#include "tests/exact/truth.h"

enum { LARGE = 48 << 20 }; /* the runtime has ways of its own from 256 KiB on, and from 32 MiB on */

struct step script[STEPS];
size_t script_block, script_mapping, script_before;
bool script_freed;
unsigned long steps_done;

static struct verdict truth[STEPS];
static struct clock lock_clock[LOCKS];

/* ---- the truth ---- */

static void judge(unsigned i)
{
    const struct step *s = &script[i];
    unsigned t = s->thread, kind = (s->op == WRITE || s->op == STORE || s->op == WRITE_RANGE || s->op == FREE ? TRUTH_WRITE : 0) |
                                   (s->op == LOAD || s->op == STORE ? TRUTH_ATOMIC : 0);
    truth[i] = (struct verdict){false, false};
    if (s->op == LOCK) {
        clock_merge(&truth_clock[t], &lock_clock[s->lock]);
    } else if (s->op == UNLOCK) {
        clock_merge(&lock_clock[s->lock], &truth_clock[t]);
        clock_step(t);
    } else if (s->op == ALLOCATE) { /* another block, which nobody has used */
        truth_forget(0, AREA);
    } else if (s->op >= EMPTY) {
        if (s->op != EMPTY)
            truth_forget(s->at, s->size);
    } else {
        truth_access(&truth[i], t, s->at, s->size, kind);
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
    truth_random = seed;
    truth_begin();
    memset(lock_clock, 0, sizeof lock_clock);
    memset(holder, -1, sizeof holder);
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

bool listen(void) { return truth_listen(); }
unsigned long races_true(void) { return truth_races; }

void step_begin(unsigned i)
{
    (void)i;
    truth_told = false;
}

bool step_end(unsigned i)
{
    steps_done++;
    return truth_holds(i, &truth[i]);
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
