// SPDX-License-Identifier: Apache-2.0
//
// The hottest things that a watched program does, each between two breakpoints, for count.c to count what they cost.
// Each case runs ROUNDS times; the last round is what it costs when it is done again and again.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum {
    ROUNDS = 200,
    BYTES = 1024
}; // so few that libc sets them without `rep`, each step of which would count

#define MARK        __asm__ volatile("int3" ::: "memory") // count.c takes the signal
#define KEEP(value) __asm__ volatile("" : : "r"(value))

static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER, both = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static sem_t turn, back;
#define PAGES __attribute__((aligned(4096))) // no other data beside them
static PAGES int own[1024];                  // touched by the main thread only
static PAGES int handed[1024];               // written by both threads, under `both`
static PAGES int looked_at[1024];            // read by both threads
static PAGES int at_once[1024];              // read by both threads, which nothing orders
static long at_once_read;                    // by the other; touched by assembly only
static PAGES char text[4 * BYTES];           // as `own`
static PAGES _Atomic int published;
static PAGES _Atomic long told, counted; // the first by the other thread; the second never with release
static int *volatile at = own; // so that nothing is known when it is compiled

__attribute__((noinline)) static void called(int *p) { *p = 1; }

static void read_again(void)
{
    int *p = at, v = p[0];
    KEEP(v);
    MARK;
    v = p[0];
    MARK;
    KEEP(v);
}

static void write_again(void)
{
    int *p = at;
    p[0] = 1;
    MARK;
    p[0] = 2;
    MARK;
}

// The segment itself has begun: that is in the cost of locking.
static void new_segment(void)
{
    pthread_mutex_lock(&mine);
    pthread_mutex_unlock(&mine);
    at[1023] = 1;
}

static void first_access(void)
{
    int *p = at;
    pthread_mutex_lock(&mine);
    pthread_mutex_unlock(&mine);
    MARK;
    p[64] = 1;
    MARK;
}

static void read_first(void)
{
    int *p = at;
    new_segment();
    MARK;
    int v = p[64];
    MARK;
    KEEP(v);
}

static void write_first(void)
{
    int *p = at;
    new_segment();
    MARK;
    p[65] = 2;
    MARK;
}

static void write_first_8(void)
{
    long *p = (long *)at;
    new_segment();
    MARK;
    p[40] = 2;
    MARK;
}

static void read_shared(void)
{
    int *p = looked_at;
    KEEP(p);
    new_segment();
    MARK;
    int v = p[7];
    MARK;
    KEEP(v);
}

static void read_shared_again(void)
{
    int *p = at_once, v = p[500]; // of a page that is this thread's by now
    KEEP(v);
    MARK;
    v = p[500];
    MARK;
    KEEP(v);
}

static void write_handed(void)
{
    sem_post(&turn); // the other one writes it, under the same lock
    sem_wait(&back);
    int *p = handed;
    KEEP(p);
    pthread_mutex_lock(&both);
    MARK;
    p[9] = 1;
    MARK;
    pthread_mutex_unlock(&both);
}

static void lock_and_unlock(void)
{
    pthread_mutex_t *m = &mine;
    KEEP(m);
    MARK;
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
    MARK;
}

static void section_again(void)
{
    pthread_mutex_t *m = &mine;
    KEEP(m);
    MARK;
    pthread_mutex_lock(m);
    own[70] = 1;
    pthread_mutex_unlock(m);
    MARK;
}

static void read_lock_and_unlock(void)
{
    pthread_rwlock_t *l = &readers;
    KEEP(l);
    MARK;
    pthread_rwlock_rdlock(l);
    pthread_rwlock_unlock(l);
    MARK;
}

static void write_under_two(void)
{
    int *p = at;
    pthread_mutex_lock(&both);
    at[1023] = 1; // the segment has begun
    pthread_mutex_lock(&mine);
    MARK;
    p[66] = 2;
    MARK;
    pthread_mutex_unlock(&mine);
    pthread_mutex_unlock(&both);
}

static void call_and_return(void)
{
    int *p = at;
    p[100] = 1;
    MARK;
    called(&p[100]);
    MARK;
}

static void range_first(void)
{
    char *p = text;
    KEEP(p);
    new_segment();
    MARK;
    memset(p, 1, BYTES);
    MARK;
}

static void range_again(void)
{
    char *p = text;
    KEEP(p);
    memset(p, 1, BYTES);
    MARK;
    memset(p, 1, BYTES);
    MARK;
}

static void byte_first(void)
{
    new_segment();
    char *p = text;
    KEEP(p);
    KEEP(p[4]); // the word before, and the byte before: as a loop over text comes along
    KEEP(p[5]);
    KEEP(p[6]);
    KEEP(p[7]);
    KEEP(p[8]);
    MARK;
    char c = p[9];
    MARK;
    KEEP(c);
}

static void byte_of_word(void)
{
    new_segment();
    KEEP(own[8]);
    new_segment();
    const char *p = (const char *)&own[8];
    KEEP(p);
    KEEP(own[9]);
    MARK;
    char c = p[1];
    MARK;
    KEEP(c);
}

static void byte_shared(void)
{
    new_segment();
    const char *p = (const char *)looked_at;
    KEEP(p);
    KEEP(p[4]);
    KEEP(p[5]);
    KEEP(p[6]);
    KEEP(p[7]);
    KEEP(p[8]);
    MARK;
    char c = p[9];
    MARK;
    KEEP(c);
}

struct odd {
    char c;
    long v;
} __attribute__((packed));

static void odd_first(void)
{
    new_segment();
    struct odd *p = (struct odd *)(text + 64);
    KEEP(p);
    MARK;
    long v = p->v;
    MARK;
    KEEP(v);
}

static void odd_again(void)
{
    struct odd *p = (struct odd *)(text + 64);
    KEEP(p);
    KEEP(p->v);
    KEEP(p);
    MARK;
    long v = p->v;
    MARK;
    KEEP(v);
}

static void copy_first(void)
{
    new_segment();
    char *p = text + 1024, *q = text + 2048;
    size_t n = 16;
    KEEP(p);
    KEEP(q);
    __asm__ volatile("" : "+r"(n));
    MARK;
    memcpy(p, q, n);
    MARK;
}

static void length_again(void)
{
    char *p = text + 3072;
    KEEP(p);
    memset(p, 'a', 23);
    size_t n = strlen(p);
    KEEP(n);
    KEEP(p);
    MARK;
    n = strlen(p);
    MARK;
    KEEP(n);
}

static void copy_shared_again(void)
{
    const char *q = (const char *)looked_at;
    char *p = text + 1024;
    size_t n = 24;
    KEEP(p);
    KEEP(q);
    __asm__ volatile("" : "+r"(n));
    memcpy(p, q, n);
    MARK;
    memcpy(p, q, n);
    MARK;
}

static void load_acquire(void)
{
    MARK;
    int v = atomic_load_explicit(&published, memory_order_acquire);
    MARK;
    KEEP(v);
}

static void load_told(void)
{
    MARK;
    long v = atomic_load_explicit(&told, memory_order_acquire);
    MARK;
    KEEP(v);
}

static void add_relaxed(void)
{
    MARK;
    atomic_fetch_add_explicit(&counted, 1, memory_order_relaxed);
    MARK;
}

static void store_relaxed(void)
{
    MARK;
    atomic_store_explicit(&counted, 1, memory_order_relaxed);
    MARK;
}

static void store_release(void)
{
    MARK;
    atomic_store_explicit(&published, 1, memory_order_release);
    MARK;
}

static void *other(void *unused)
{
    for (int i = 0; i < 1024; i++)
        KEEP(looked_at[i]);
    atomic_store_explicit(&told, 1, memory_order_release);
    sem_post(&back);
    for (int i = 0; i < 1024; i++)
        KEEP(at_once[i]);
    __asm__ volatile("movq $1, %0" : "=m"(at_once_read) : : "memory");
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&turn);
        pthread_mutex_lock(&both);
        handed[9] = 2;
        pthread_mutex_unlock(&both);
        sem_post(&back);
    }
    return unused;
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"read, again in the segment", read_again},
    {"write, again in the segment", write_again},
    {"write, first of all in a segment", first_access},
    {"read, first in the segment", read_first},
    {"write, first in the segment", write_first},
    {"write of 8 bytes, first in the segment", write_first_8},
    {"read of what all read, first in the segment", read_shared},
    {"read of what all read, again in the segment", read_shared_again},
    {"write of what another wrote under this lock", write_handed},
    {"lock and unlock", lock_and_unlock},
    {"lock, write and unlock, the same again", section_again},
    {"read lock and unlock", read_lock_and_unlock},
    {"write under a second lock, first in the segment", write_under_two},
    {"call and return, with a write again", call_and_return},
    {"memset of 1024 bytes, first in the segment", range_first},
    {"memset of 1024 bytes, again in the segment", range_again},
    {"read of the next byte, first in the segment", byte_first},
    {"read of a byte of a word, first in the segment", byte_of_word},
    {"read of the next byte of what all read, first in the segment", byte_shared},
    {"read of 8 bytes that are not aligned, first in the segment", odd_first},
    {"read of 8 bytes that are not aligned, again in the segment", odd_again},
    {"memcpy of 16 bytes, first in the segment", copy_first},
    {"strlen of a text of 24 bytes, again in the segment", length_again},
    {"memcpy of 24 bytes that all read, again in the segment", copy_shared_again},
    {"atomic load, acquire", load_acquire},
    {"atomic load of what another stored, acquire, again", load_told},
    {"atomic add, relaxed, again", add_relaxed},
    {"atomic store, relaxed, again", store_relaxed},
    {"atomic store, release", store_release},
};

int main(void)
{
    pthread_t thread;
    sem_init(&turn, 0, 0);
    sem_init(&back, 0, 0);
    for (int i = 0; i < 1024; i++)
        own[i] = handed[i] = looked_at[i] = at_once[i] = i;
    pthread_create(&thread, NULL, other, NULL);
    sem_wait(&back);
    for (int i = 0; i < 1024; i++)
        KEEP(looked_at[i]);
    for (long seen = 0; !seen;)
        __asm__ volatile("movq %1, %0" : "=r"(seen) : "m"(at_once_read) : "memory");
    for (int i = 0; i < 10000; i++) {
        atomic_fetch_add_explicit(&counted, 1, memory_order_relaxed); // takes no lock in the end (native/sync.c)
        KEEP(at_once[i % 1024]);
    }
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        for (int i = 0; i < ROUNDS; i++)
            cases[k].run();
        printf("%s\n", cases[k].name); // count.c reads it after the last round's breakpoints
        fflush(stdout);
    }
    pthread_join(thread, NULL);
    return 0;
}
