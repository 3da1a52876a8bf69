/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts races that certainly happen. For each of several shapes there are LOCATIONS places that two unordered accesses
 * touch, one of them a write, and as many places beside them where every access is ordered by a mutex. The race
 * handler marks the address of each race; at the end of a shape the program prints how many of the places were marked,
 * and how many races were announced anywhere else. Exact is `N of N, 0 elsewhere`.
 *
 * How a place becomes racy: the mutex is released before the first access and taken before the second, so it orders
 * what was done under it and nothing that the first thread does after its release. The order in time comes from the
 * invisible turns of tests/programs/invisible.h.
 *
 * In the last two shapes there is no such order: both threads walk over the places at the same time and meet at
 * each of them, so that, with two processors, the two accesses to a place often fall together. Whichever comes second finds the race.
 */
#include "tests/programs/invisible.h"

#include "include/goldilocks/race.h"
#include <stdio.h>

enum { LOCATIONS = 100000, READERS = 6, BYTES = 4 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

/* Both halves of one 8-byte word: one races, the other one does not. */
struct place {
    int races;
    int ordered;
};
static struct place places[LOCATIONS];
static char words[LOCATIONS][BYTES]; /* of word i byte i % BYTES races */

/* The shape that is running; written by the handler and by main, with atomics because the handler is a part of the
 * program under test as well. */
static unsigned char marked[LOCATIONS];
static long elsewhere;
static int in_words;

/* Which place a racing address belongs to; -1 if none. */
static long place_of(const char *addr, unsigned size) {
    if (__atomic_load_n(&in_words, __ATOMIC_RELAXED)) {
        long offset = addr - &words[0][0];
        long i = offset / BYTES;
        return size == 1 && offset >= 0 && i < LOCATIONS && offset % BYTES == i % BYTES ? i : -1;
    }
    long offset = addr - (const char *)places;
    long i = offset / (long)sizeof *places;
    return size == sizeof(int) && offset >= 0 && i < LOCATIONS && offset % (long)sizeof *places == 0 ? i : -1;
}

static void on_race(const struct goldilocks_race *race, void *ctx __attribute__((unused))) {
    long i = place_of(race->addr, race->size);
    if (i < 0 || __atomic_exchange_n(&marked[i], 1, __ATOMIC_RELAXED))
        __atomic_fetch_add(&elsewhere, 1, __ATOMIC_RELAXED); /* announced twice is as wrong as elsewhere */
}

static NOINLINE void write_racy(void) {
    for (int i = 0; i < LOCATIONS; i++)
        places[i].races = UNKNOWN(i);
}

static NOINLINE void read_racy(void) {
    for (int i = 0; i < LOCATIONS; i++)
        USE(places[i].races);
}

static NOINLINE void write_ordered(void) {
    for (int i = 0; i < LOCATIONS; i++)
        places[i].ordered = UNKNOWN(i);
}

static void begin(void (*under_lock)(void), void (*after_release)(void)) {
    pthread_mutex_lock(&m);
    under_lock();
    pthread_mutex_unlock(&m);
    after_release();
    turn_pass();
}

static void end(unsigned turn, void (*racy_access)(void)) {
    turn_wait(turn);
    pthread_mutex_lock(&m);
    write_ordered();
    racy_access();
    pthread_mutex_unlock(&m);
}

static unsigned turn_base; /* turns of the shapes before; changes only while no other thread runs */

THREAD(write_first) {
    begin(write_ordered, write_racy);
    return NULL;
}

THREAD(read_first) {
    begin(write_ordered, read_racy);
    return NULL;
}

THREAD(write_second) {
    end(turn_base + 1, write_racy);
    return NULL;
}

THREAD(read_second) {
    end(turn_base + 1, read_racy);
    return NULL;
}

THREAD(ordered_reader) {
    turn_wait(turn_base + 1);
    pthread_mutex_lock(&m);
    read_racy();
    pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(write_last) {
    end(turn_base + 1 + READERS, write_racy);
    return NULL;
}

/* Thread b writes byte b of every word: where that byte is the racy one after its release, elsewhere under the mutex. */
static void *byte_writer(void *arg) {
    int b = *(int *)arg;
    turn_wait(turn_base + (unsigned)b);
    pthread_mutex_lock(&m);
    for (int i = 0; i < LOCATIONS; i++)
        if (i % BYTES != b)
            words[i][b] = 1;
    pthread_mutex_unlock(&m);
    for (int i = b; i < LOCATIONS; i += BYTES)
        words[i][b] = 2;
    turn_pass();
    return NULL;
}

/* Touches two bytes of every word: the racy one and an ordered one. */
THREAD(byte_last) {
    turn_wait(turn_base + BYTES);
    pthread_mutex_lock(&m);
    for (int i = 0; i < LOCATIONS; i++) {
        words[i][i % BYTES] = 3;
        words[i][(i + 1) % BYTES] = 3;
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

static long reached[2]; /* how far the two threads are; touched by the assembly of invisible.h only */

/* Waits for the other thread to come to place i, on the processor, so that both go on from there at once; but not for long: it
 * may not be running. */
HIDDEN void meet(int me, long i) {
    hidden_put(&reached[me], i);
    for (int tries = 1; hidden_get(&reached[!me]) < i && tries < 10000; tries++)
        if (tries % 1000 == 0)
            hidden_yield(); /* it may want this processor */
}

static NOINLINE void under_lock_then_together(int me, int read) {
    pthread_mutex_lock(&m);
    write_ordered();
    pthread_mutex_unlock(&m);
    for (int i = 0; i < LOCATIONS; i++) {
        meet(me, i + 1);
        if (read)
            USE(places[i].races);
        else
            places[i].races = UNKNOWN(i);
    }
    turn_pass();
    turn_wait(turn_base + 2);
    hidden_put(&reached[me], 0);
}

THREAD(write_together) {
    under_lock_then_together(0, 0);
    return NULL;
}

THREAD(write_together_too) {
    under_lock_then_together(1, 0);
    return NULL;
}

THREAD(read_together) {
    under_lock_then_together(1, 1);
    return NULL;
}

static void print_result(const char *shape) {
    long n = 0;
    for (int i = 0; i < LOCATIONS; i++)
        n += __atomic_exchange_n(&marked[i], 0, __ATOMIC_RELAXED);
    printf("%s: %ld of %d locations, %ld elsewhere\n", shape, n, LOCATIONS,
           __atomic_exchange_n(&elsewhere, 0, __ATOMIC_RELAXED));
}

int main(void) {
    static int number[BYTES] = {0, 1, 2, 3};
    pthread_t t[BYTES];

    if (!goldilocks_set_race_handler) {
        fputs("exact: not linked with the Goldilocks runtime; build it with `goldilocks cc`\n", stderr);
        return 2;
    }
    goldilocks_set_race_handler(on_race, NULL);

    RUN(write_first, write_second);
    print_result("write/write");
    turn_base += 1;

    RUN(read_first, write_second);
    print_result("read/write");
    turn_base += 1;

    RUN(write_first, read_second);
    print_result("write/read");
    turn_base += 1;

    RUN(read_first, ordered_reader, ordered_reader, ordered_reader, ordered_reader, ordered_reader, ordered_reader,
        write_last);
    print_result("reader among readers/write");
    turn_base += 1 + READERS;

    RUN(write_together, write_together_too);
    print_result("write/write together");
    turn_base += 2;

    RUN(write_together, read_together);
    print_result("read/write together");
    turn_base += 2;

    __atomic_store_n(&in_words, 1, __ATOMIC_RELAXED);
    for (int b = 0; b < BYTES; b++)
        MUST(pthread_create(&t[b], NULL, byte_writer, &number[b]) == 0);
    RUN(byte_last);
    for (int b = 0; b < BYTES; b++)
        pthread_join(t[b], NULL);
    print_result("byte among bytes");
    return 0;
}
