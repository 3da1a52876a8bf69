// SPDX-License-Identifier: Apache-2.0
// Four threads write one variable in turn, whoever has the token. It is waited for and passed on in every way there is, by chance, while
// others read it and add nothing to it; each way orders. Racy: every seventh time it is passed by a relaxed store, which orders nothing.
// peer-skip: libtsan does not follow fences
#include "tests/programs/invisible.h"
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 500 };
static atomic_long token;
long data;

static unsigned chance(unsigned *seed) {
    *seed = *seed * 1103515245u + 12345;
    return *seed >> 8;
}

static long look(unsigned how, long wanted) {
    long found = wanted;
    switch (how % 4) {
    case 0: return atomic_load_explicit(&token, memory_order_acquire);
    case 1:
        found = atomic_load_explicit(&token, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        return found;
    case 2: return atomic_fetch_add_explicit(&token, 0, memory_order_acquire);
    default:
        atomic_compare_exchange_strong_explicit(&token, &found, wanted, memory_order_acq_rel, memory_order_acquire);
        return found;
    }
}

static void wait_for(long turn, unsigned *seed) {
    unsigned how = chance(seed);
    while (look(how, turn) != turn) {
        if (chance(seed) % 8 == 0)
            atomic_fetch_or_explicit(&token, 0, memory_order_relaxed); // goes on with the release sequence
        if (chance(seed) % 4 == 0)
            how = chance(seed);
        sched_yield();
    }
}

static void pass(long next, unsigned *seed) {
    long now = next - 1;
    if (racy && next % 7 == 0) {
        atomic_store_explicit(&token, next, memory_order_relaxed);
        return;
    }
    switch (chance(seed) % 7) {
    case 0: atomic_store_explicit(&token, next, memory_order_release); break;
    case 1: atomic_store(&token, next); break;
    case 2: atomic_fetch_add_explicit(&token, 1, memory_order_release); break;
    case 3: atomic_exchange_explicit(&token, next, memory_order_acq_rel); break;
    case 4: MUST(atomic_compare_exchange_strong(&token, &now, next)); break;
    case 5:
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&token, next, memory_order_relaxed);
        break;
    default:
        atomic_thread_fence(memory_order_release);
        atomic_fetch_add_explicit(&token, 1, memory_order_relaxed);
    }
}

static void *take_turns(void *number) {
    long first = (long)number;
    unsigned seed = (unsigned)first;
    for (long turn = first; turn < THREADS * ROUNDS; turn += THREADS) {
        wait_for(turn, &seed);
        data = turn; //@race 1 write 8; 2 write 8
        pass(turn + 1, &seed);
    }
    return NULL;
}

int main(void) {
    pthread_t thread[THREADS];
    for (long i = 0; i < THREADS; i++)
        MUST(pthread_create(&thread[i], NULL, take_turns, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
