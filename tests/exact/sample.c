/* SPDX-License-Identifier: Apache-2.0
 *
 * Which memory is checked with the option `sample`, found out by races: in each of LINES lines of memory several kinds of accesses race for
 * certain, and others are ordered by a mutex.  A line in which the first kind was announced is one that is checked; then every other kind must
 * be announced in just the same lines, accesses that reach from one line into the next are announced where they touch one that is checked,
 * and nothing else is.  Prints how many lines are checked and a sum that says which, then what was wrong.
 */
#include "tests/programs/invisible.h"

#include "include/goldilocks/race.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LINES = 20000, LINE = 256 };
enum {
    WORD_AT = 16,
    BYTE_AT = 35,
    ATOMIC_AT = 64,
    RANGE_AT = 96,
    RANGE = 32,
    ORDERED_AT = 160,
    ACROSS_AT = 252,
    ACROSS = 8
};

static char memory[LINES + 1][LINE] __attribute__((aligned(LINE)));
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

enum kind { WORD, BYTE, ATOMIC, CELLS, ACROSS_LINES, KINDS };
static const char *const kind_name[KINDS] = {"word", "byte", "atomic", "range", "across lines"};
static unsigned char marked[KINDS][LINES + 1];
static long elsewhere;

/* The runtime calls it in the thread that is about to make the access; the threads take turns.  An access across two lines is told by its
 * first byte, or, where it was made by a function for ranges, by that of its half which races. */
static void on_race(const struct goldilocks_race *race, void *ctx __attribute__((unused)))
{
    long offset = (const char *)race->addr - &memory[0][0], line = offset / LINE, at = offset % LINE;
    enum kind kind = offset < 0 || line > LINES                   ? KINDS
                     : at == WORD_AT                              ? WORD
                     : at == BYTE_AT                              ? BYTE
                     : at == ATOMIC_AT                            ? ATOMIC
                     : at >= RANGE_AT && at < RANGE_AT + RANGE    ? CELLS
                     : at >= ACROSS_AT                            ? ACROSS_LINES
                     : line > 0 && at < ACROSS_AT + ACROSS - LINE ? ACROSS_LINES
                                                                  : KINDS;
    line -= kind == ACROSS_LINES && at < ACROSS_AT;
    if (kind == KINDS)
        __atomic_fetch_add(&elsewhere, 1, __ATOMIC_RELAXED);
    else
        __atomic_store_n(&marked[kind][line], 1, __ATOMIC_RELAXED);
}

struct wide {
    uint64_t v;
} __attribute__((packed, may_alias));

static NOINLINE void touch(int atomic_too)
{
    for (int i = 0; i < LINES; i++) {
        *(volatile int *)&memory[i][WORD_AT] = i;
        *(volatile char *)&memory[i][BYTE_AT] = 1;
        if (atomic_too)
            __atomic_store_n((int *)&memory[i][ATOMIC_AT], i, __ATOMIC_RELAXED);
        else
            *(volatile int *)&memory[i][ATOMIC_AT] = i;
        memset(&memory[i][RANGE_AT], UNKNOWN(i), UNKNOWN((size_t)RANGE));
        ((struct wide *)&memory[i][ACROSS_AT])->v = (uint64_t)UNKNOWN(i);
    }
}

static NOINLINE void touch_ordered(void)
{
    pthread_mutex_lock(&m);
    for (int i = 0; i < LINES; i++)
        *(volatile int *)&memory[i][ORDERED_AT] = i;
    pthread_mutex_unlock(&m);
}

THREAD(first)
{
    touch_ordered();
    touch(1);
    turn_pass();
    return NULL;
}

THREAD(second)
{
    turn_wait(1);
    touch_ordered();
    touch(0);
    return NULL;
}

int main(void)
{
    if (!goldilocks_set_race_handler) {
        fputs("sample: not linked with the Goldilocks runtime; build it with `goldilocks cc`\n", stderr);
        return 2;
    }
    goldilocks_set_race_handler(on_race, NULL);
    RUN(first, second);

    const unsigned char *checked = marked[WORD];
    long count = 0;
    uint64_t sum = 0;
    for (int i = 0; i < LINES; i++) {
        count += checked[i];
        sum = (sum ^ checked[i]) * 1099511628211u;
    }
    printf("%ld of %d lines are checked, sum %016llx\n", count, LINES, (unsigned long long)sum);
    for (int kind = BYTE; kind < KINDS; kind++) {
        long wrong = 0;
        for (int i = 0; i < LINES; i++) {
            if (kind == ACROSS_LINES && i == LINES - 1)
                break; /* nothing says whether the line after it is checked */
            wrong += marked[kind][i] != (checked[i] || (kind == ACROSS_LINES && checked[i + 1]));
        }
        if (wrong)
            printf("wrong in %ld lines: %s\n", wrong, kind_name[kind]);
    }
    if (elsewhere)
        printf("%ld races elsewhere\n", elsewhere);
    return 0;
}
