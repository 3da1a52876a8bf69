// SPDX-License-Identifier: Apache-2.0
// A word that only relaxed operations touched, thousands of times, is given a release for the first time, while another thread goes on with its
// relaxed ones. Who acquires the word comes after the release if he reads what it stored, or what read-modify-writes made of that; not if a relaxed
// store came last. Which it was, the value tells, and each variable must race if and only if it says so. The last relaxed operation is long under
// way, since its page is not there. Twin: the relaxed ones are over before.
// peer-skip: counts by a handler of our own
// report: on 1 pair of stacks$
#include "tests/programs/invisible.h"
#include <stdatomic.h>
#include <sys/mman.h>

#include "goldilocks/race.h"

enum { ROUNDS = 600, BEFORE = 5000, STORED = 1, ADDED = 2, SWAPPED = 4, RELEASED = 1000 };
struct word {
    _Alignas(4096) atomic_long value;
};
static struct word *words; // shared memory, which stays what it is when its pages are taken away
static struct {
    _Alignas(8) int n;
} data[ROUNDS];
static long step[2], raced, must;

// Both threads have come here as often. They go on at the same moment, as nearly as can be.
static void meet(int who) {
    long mine = hidden_get(&step[who]) + 1;
    hidden_put(&step[who], mine);
    for (int spins = 1; hidden_get(&step[!who]) < mine; spins++)
        if (spins % 1024)
            hidden_pause();
        else
            hidden_yield();
}

// Some microseconds, others in each round.
static void idle(int round) {
    unsigned n = (unsigned)round * 2654435761u >> 21;
    while (n--)
        hidden_pause();
}

// Mostly a store, in some rounds a read-modify-write.
static void relaxed(int round, int n) {
    atomic_long *word = &words[round].value;
    for (int i = 0; i < n; i++)
        switch (round % 4) {
        default: atomic_store_explicit(word, STORED, memory_order_relaxed); break;
        case 1: atomic_fetch_add_explicit(word, ADDED, memory_order_relaxed); break;
        case 2: {
            long was = 0;
            if (!atomic_compare_exchange_strong_explicit(word, &was, SWAPPED, memory_order_relaxed, memory_order_relaxed))
                atomic_compare_exchange_strong_explicit(word, &was, was + SWAPPED, memory_order_relaxed, memory_order_relaxed);
        }
        }
}

static void on_race(const struct goldilocks_race *race, void *ctx) {
    (void)race, (void)ctx;
    raced++;
}

THREAD(first) {
    for (int i = 0; i < ROUNDS; i++) {
        relaxed(i, BEFORE);
        meet(0);
        if (i % 8 == 0) // behind the release for certain
            meet(0);
        if (racy) {
            MUST(hidden_syscall(SYS_madvise, (long)&words[i], sizeof words[i], MADV_DONTNEED, 0) == 0);
            relaxed(i, 1);
        }
        if (i % 8)
            meet(0);
        meet(0);
        must += atomic_load_explicit(&words[i].value, memory_order_acquire) == STORED;
        USE(data[i].n); //@race 2 read 4
        MUST(raced == must);
    }
    return NULL;
}

THREAD(second) {
    for (int i = 0; i < ROUNDS; i++) {
        meet(1);
        if (racy)
            idle(i);
        data[i].n = i; //@race 1 write 4
        atomic_store_explicit(&words[i].value, RELEASED, memory_order_release);
        meet(1);
        meet(1);
    }
    return NULL;
}

int main(void) {
    words = mmap(NULL, ROUNDS * sizeof *words, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    MUST(words != MAP_FAILED);
    if (goldilocks_set_race_handler)
        goldilocks_set_race_handler(on_race, NULL);
    RUN(first, second);
    MUST(racy ? must >= ROUNDS / 8 : must == 0);
    return 0;
}
