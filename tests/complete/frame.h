/* SPDX-License-Identifier: Apache-2.0
 *
 * What all programs of tests/complete/run share.  One thread calls `functions`, which access `memory`; another one touches its bytes, before or
 * after, and says which of them race.  `scratch` is the first thread's own.
 */
#include "goldilocks/race.h"
#include "tests/programs/invisible.h"
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef int16_t i16;
typedef int32_t i32;
typedef double f64;
typedef long double ld;
typedef double v4d __attribute__((vector_size(32)));
typedef double v8d __attribute__((vector_size(64)));
typedef double v16d __attribute__((vector_size(128)));
typedef float v16f __attribute__((vector_size(64)));
typedef char v32c __attribute__((vector_size(32)));
typedef long double ld_loose __attribute__((aligned(1)));
typedef v4d v4d_loose __attribute__((aligned(1)));
typedef v8d v8d_loose __attribute__((aligned(1)));
typedef v16d v16d_loose __attribute__((aligned(1)));
typedef v16f v16f_loose __attribute__((aligned(1)));
typedef v32c v32c_loose __attribute__((aligned(1)));

#ifndef __clang__ /* which knows no other order */
struct __attribute__((scalar_storage_order("big-endian"))) reversed {
    u8 tag;
    i16 half;
    i32 word;
    unsigned a : 5, b : 11, c : 16;
    int64_t wide;
    float real;
    i16 row[6];
};
#endif

u8 memory[BYTES] __attribute__((aligned(4096)));
u8 scratch[1024] __attribute__((aligned(4096)));
extern void (*const functions[])(void);

static const char *what;
static long only;
static char raced[BYTES];

static void on_race(const struct goldilocks_race *race, void *ctx) {
    (void)ctx;
    raced[(const u8 *)race->addr - memory] = 1;
}

static void touch(volatile u8 *p, int write) {
    if (write)
        *p = 1;
    else
        (void)*p;
}

/* Takes any structure by value. */
__attribute__((no_sanitize("thread"))) static void takes_any(void) {
}
void (*volatile takes)(void) = takes_any;

THREAD(first) {
    if (*what == 'p')
        turn_wait(1);
    for (int i = 0; functions[i]; i++)
        functions[i]();
    if (*what != 'p')
        turn_pass();
    return NULL;
}

THREAD(second) {
    if (*what == 'p') {
        touch(memory + only, 1);
        turn_pass();
        return NULL;
    }
    turn_wait(1);
    goldilocks_set_race_handler(on_race, NULL);
    for (long i = 0; i < BYTES; i++)
        touch(memory + i, *what == 'w');
    return NULL;
}

int main(int argc, char **argv) {
    MUST(argc > 1);
    what = argv[1];
    only = argc > 2 ? atol(argv[2]) : 0;
    RUN(first, second);
    if (*what != 'p') {
        for (int i = 0; i < BYTES; i++)
            putchar(raced[i] ? 'x' : '.');
        putchar('\n');
    }
    return 0;
}
