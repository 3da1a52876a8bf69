/* SPDX-License-Identifier: Apache-2.0
 *
 * Random executions, held against the truth, access by access: each step races if and only if random_script.c says so.  What
 * is tested is the whole way of an access, with all its short ways: accesses of all sizes, aligned and not, ranges, atomic ones, in pages
 * that one thread owns, that go from thread to thread, and that are shared; in some scripts of a heap block that is freed and allocated again, in
 * some of a large mapping of which pages are unmapped, moved, emptied, and mapped again.
 *
 *     random SCRIPTS [FIRST SEED]
 */
#include "tests/exact/random.h"

#include "tests/programs/invisible.h"
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef short __attribute__((aligned(1), may_alias)) odd2;
typedef int __attribute__((aligned(1), may_alias)) odd4;
typedef long __attribute__((aligned(1), may_alias)) odd8;
typedef short __attribute__((may_alias)) even2;
typedef int __attribute__((may_alias)) even4;
typedef long __attribute__((may_alias)) even8;
typedef __int128 __attribute__((may_alias)) even16;

/* A script has memory that no other has touched, so that pages have owners: for some scripts, or they would be shared for good. */
enum { AREAS = 1024 };
static _Alignas(4096) char areas[AREAS][AREA];
static void *block; /* of the heap, in which the area is; as random_script.c knows it, unseen */
static char *area; /* changes only while no other thread runs */
static pthread_mutex_t lock[LOCKS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static unsigned first_turn, wrong; /* change only while no other thread runs; wrong: by the thread whose turn it is, unseen */
static long failed_step = -1;

/* Each has instructions of its own. */
#define GET(n) __extension__(even ? (void)({ USE(*(even##n *)p); }) : (void)({ USE(*(odd##n *)p); }))
#define PUT(n) __extension__(even ? (void)(*(even##n *)p = 1) : (void)(*(odd##n *)p = 1))
#define ACCESSES(name)                                                                                                 \
    static NOINLINE void name(const struct step *s)                                                                    \
    {                                                                                                                  \
        char *p = area + s->at, private[AREA / 16];                                                                    \
        bool even = s->at % s->size == 0;                                                                              \
        switch (s->op * 32 + s->size) {                                                                                \
        case READ * 32 + 1: USE(*p); break;                                                                            \
        case READ * 32 + 2: GET(2); break;                                                                             \
        case READ * 32 + 4: GET(4); break;                                                                             \
        case READ * 32 + 8: GET(8); break;                                                                             \
        case READ * 32 + 16: USE((long)*(even16 *)p); break;                                                           \
        case WRITE * 32 + 1: *p = 1; break;                                                                            \
        case WRITE * 32 + 2: PUT(2); break;                                                                            \
        case WRITE * 32 + 4: PUT(4); break;                                                                            \
        case WRITE * 32 + 8: PUT(8); break;                                                                            \
        case WRITE * 32 + 16: *(even16 *)p = 1; break;                                                                 \
        case LOAD * 32 + 4: USE(__atomic_load_n((even4 *)p, __ATOMIC_RELAXED)); break;                                 \
        case STORE * 32 + 4: __atomic_store_n((even4 *)p, 1, __ATOMIC_RELAXED); break;                                 \
        default:                                                                                                       \
            if (s->op == READ_RANGE)                                                                                   \
                memcpy(private, p, UNKNOWN((size_t)s->size));                                                          \
            else                                                                                                       \
                memset(p, 1, UNKNOWN((size_t)s->size));                                                                \
            __asm__ volatile("" : : "r"(private) : "memory"); /* it is used */                                         \
        }                                                                                                              \
    }
ACCESSES(place_0)
ACCESSES(place_1)
ACCESSES(place_2)

/* ---- mappings ---- */

/* Far below all others, so that nobody else's memory is put into a hole; behind it there is as much room again, and then a place where such a one may be put away. */
static char *far(void)
{
    static char *place;
    if (!place) {
        char *p = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        MUST(p != MAP_FAILED);
        place = p - (64l << 30);
    }
    return place;
}

static char *away(void) { return far() + (1l << 30); }

static char *map(char *at, size_t n)
{
    char *p = mmap(at, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    MUST(p == at);
    return p;
}

static void do_pages(enum op op, char *p, size_t n)
{
    switch (op) {
    case EMPTY: MUST(madvise(p, n, MADV_DONTNEED) == 0); break;
    case MAP: map(p, n); break;
    case MOVE_IN: MUST(mremap(map(away(), n), n, n, MREMAP_MAYMOVE | MREMAP_FIXED, p) == p); break;
    case MOVE_OUT: /* the system moves only what it keeps as one mapping */
        if (mremap(p, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, away()) == away())
            break; /* fall through */
    case UNMAP: MUST(munmap(p, n) == 0); break;
    case SHRINK: MUST(mremap(p - 4096, 4096 + n, 4096, 0) == p - 4096); break;
    default: MUST(mremap(p - 4096, 4096, 4096 + n, 0) == p - 4096); /* GROW */
    }
}

static void do_step(const struct step *s)
{
    static void (*const places[PLACES])(const struct step *s) = {place_0, place_1, place_2};
    if (s->op == LOCK)
        pthread_mutex_lock(&lock[s->lock]);
    else if (s->op == UNLOCK)
        pthread_mutex_unlock(&lock[s->lock]);
    else if (s->op == FREE)
        free((void *)hidden_get((long *)&block));
    else if (s->op == ALLOCATE)
        MUST(UNKNOWN(malloc(script_block)) == (void *)hidden_get((long *)&block)); /* nobody else allocates or frees meanwhile: thread() */
    else if (s->op >= EMPTY)
        do_pages((enum op)s->op, area + s->at - s->beside[0], s->beside[0] + s->size + s->beside[1]);
    else
        places[s->place](s);
}

static void *thread(void *number)
{
    /* What libc allocates for a thread is there before the first step, and not free before the last: the block stays where it is. */
    free(UNKNOWN(malloc(1)));
    turn_pass();
    turn_wait(first_turn);
    for (unsigned i = 0; i < STEPS; i++) {
        struct step s = script[i];
        if (s.thread != (unsigned)(size_t)number)
            continue;
        turn_wait(first_turn + i);
        step_begin(i);
        do_step(&s);
        if (!step_end(i))
            hidden_put(&failed_step, i);
        turn_pass();
    }
    turn_wait(first_turn + STEPS);
    return NULL;
}

static void *nothing(void *arg) { return arg; }

int main(int argc, char **argv)
{
    long scripts = argc > 1 ? atol(argv[1]) : 0, seed = argc > 2 ? atol(argv[2]) : 1;
    if (scripts < 1 || !listen()) {
        fputs("usage: random SCRIPTS [FIRST SEED]; build it with `goldilocks cc`\n", stderr);
        return 2;
    }
    mallopt(M_ARENA_MAX, 1); /* a block that is freed is there, and the next one of its size */
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    pthread_t first; /* what is allocated and freed once only, when the first thread begins, is behind us */
    MUST(pthread_create(&first, NULL, nothing, NULL) == 0 && pthread_join(first, NULL) == 0);
    for (long n = 0; n < scripts; n++) {
        pthread_t t[THREADS];
        script_make((unsigned long)(seed + n));
        area = areas[n % AREAS];
        if (script_block) { /* what malloc keeps in a free block is in front of the area */
            void *p = malloc(script_block);
            MUST(p);
            hidden_put((long *)&block, (long)p);
            area = (char *)(((unsigned long)p + 64 + 4095) & ~4095ul) + script_before;
        } else if (script_mapping) {
            area = map(far(), script_mapping) + script_before;
        }
        first_turn += THREADS;
        for (size_t k = 0; k < THREADS; k++)
            MUST(pthread_create(&t[k], NULL, thread, (void *)k) == 0);
        for (size_t k = 0; k < THREADS; k++)
            pthread_join(t[k], NULL);
        first_turn += STEPS;
        if (script_block && !script_freed)
            free((void *)hidden_get((long *)&block));
        long step = hidden_get(&failed_step);
        if (step >= 0) {
            script_print((unsigned long)(seed + n), (unsigned)step);
            hidden_put(&failed_step, -1);
            wrong++;
        }
    }
    printf("%lu steps, %lu bytes raced, %u scripts wrong\n", steps_done, races_true(), wrong);
    return wrong ? 1 : 0;
}
