/* SPDX-License-Identifier: Apache-2.0
 *
 * The detector as a library (libgoldilocks): tell it what the threads of some execution do - a program of
 * your own, an interpreter, a simulator, a recorded trace - and it says for every access whether it races.
 *
 *     static void *map(void *ctx, size_t n) { return mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }
 *     ...
 *     struct goldilocks_env env = {sizeof env, NULL, map, unmap, pause};
 *     goldilocks *g = goldilocks_create(&env);
 *     struct goldilocks_report race;
 *     goldilocks_sync(g, 0, GOLDILOCKS_FORK, 1);                thread 0 starts thread 1
 *     goldilocks_write(g, 0, 0x1000, 4, 10, &race);             == GOLDILOCKS_OK
 *     goldilocks_read(g, 1, 0x1000, 4, 20, &race);              == GOLDILOCKS_RACE, race.then_site == 10
 *     goldilocks_destroy(g);
 *
 * Caveats first
 *   - Events of one thread come in program order.  Calls for different threads may overlap.
 *   - A release is told before it takes effect, an acquire after; events on one synchronization object
 *     are told one at a time, in the order in which they took effect.
 *   - A thread number stands for one thread, ever; thread 0 exists from the start.  Threads and objects are numbers
 *     below 2^28, apart for each kind of object; variables are the bytes of an address space of 2^30 bytes (of
 *     2^28 for atomics with data).
 *   - It never prints, exits, blocks on your threads or calls malloc; memory comes from env.map.
 *
 * C and C++.  Thread-safety as above.
 */
#ifndef GOLDILOCKS_GOLDILOCKS_H
#define GOLDILOCKS_GOLDILOCKS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct goldilocks goldilocks;

struct goldilocks_env {
    size_t size; /* of this struct: lets it grow */
    void *ctx;   /* handed to the functions */
    /* `bytes` of zeroed, page-aligned memory; NULL: none.  From any thread. */
    void *(*map)(void *ctx, size_t bytes);
    /* Exactly what one map() returned. */
    void (*unmap)(void *ctx, void *p, size_t bytes);
    /* The body of a wait loop over a few instructions of another thread; rounds so far. */
    void (*pause)(void *ctx, unsigned rounds);
};

enum goldilocks_status {
    GOLDILOCKS_OK = 0,
    GOLDILOCKS_RACE,    /* the access races; the report is filled */
    GOLDILOCKS_NOMEM,   /* memory ran out: an access was not recorded, or (synchronization) detection is over */
    GOLDILOCKS_INVALID, /* no program can do this here: unlock of a mutex that the thread does not hold ... */
    GOLDILOCKS_LIMIT    /* a number is too large */
};

/* What synchronizes.  "hb": happens before. */
enum goldilocks_sync_op {
    GOLDILOCKS_ACQUIRE,     /* mutex lock (may nest) */
    GOLDILOCKS_RELEASE,     /* mutex unlock; hb later locks */
    GOLDILOCKS_WAIT_BEGIN,  /* condition wait: the mutex is given up, at any depth */
    GOLDILOCKS_WAIT_END,    /* ... and taken again */
    GOLDILOCKS_RDLOCK,      /* reader-writer lock */
    GOLDILOCKS_RDUNLOCK,
    GOLDILOCKS_WRLOCK,
    GOLDILOCKS_WRUNLOCK,
    GOLDILOCKS_VOLREAD,     /* Java volatile read */
    GOLDILOCKS_VOLWRITE,    /* Java volatile write; hb later reads of it */
    GOLDILOCKS_BARRIER_IN,  /* arrives; the first leaver of a generation closes it */
    GOLDILOCKS_BARRIER_OUT,
    GOLDILOCKS_POST,        /* semaphore; hb later waits */
    GOLDILOCKS_SEM_WAIT,
    GOLDILOCKS_FORK,        /* object: the new thread's number */
    GOLDILOCKS_JOIN,        /* object: the ended thread's number */
    GOLDILOCKS_END          /* the thread's last event; object not used */
};

enum goldilocks_order { GOLDILOCKS_RLX, GOLDILOCKS_ACQ, GOLDILOCKS_REL, GOLDILOCKS_AR, GOLDILOCKS_SC };
enum goldilocks_atomic_op { GOLDILOCKS_LOAD, GOLDILOCKS_STORE, GOLDILOCKS_RMW };

struct goldilocks_report {
    uint64_t bytes;       /* bit i: byte i of the access races */
    uint32_t then_thread; /* of the earlier access, for the lowest racing byte */
    uint32_t then_site;
    int then_is_write;
    int then_is_atomic;
};

/* *env is copied.  NULL: no memory, or env->size is less than this library needs. */
goldilocks *goldilocks_create(const struct goldilocks_env *env);
/* Nobody is inside. */
void goldilocks_destroy(goldilocks *g);

/* An access to [addr, addr+size), size 1..64.  `site`: any number, given back when a later access races with this
 * one.  `report` may be NULL.  After a race the access counts as made. */
enum goldilocks_status goldilocks_read(goldilocks *g, uint32_t thread, uint64_t addr, uint32_t size, uint32_t site,
                                       struct goldilocks_report *report);
enum goldilocks_status goldilocks_write(goldilocks *g, uint32_t thread, uint64_t addr, uint32_t size, uint32_t site,
                                        struct goldilocks_report *report);
/* The bytes are newly allocated: earlier accesses are forgotten.  Any size; it costs little where nothing was accessed. */
enum goldilocks_status goldilocks_fresh(goldilocks *g, uint32_t thread, uint64_t addr, uint32_t size);

enum goldilocks_status goldilocks_sync(goldilocks *g, uint32_t thread, enum goldilocks_sync_op op, uint64_t object);
/* A C11 atomic operation.  size 0: `object` is only a number.  Else it is an address, and the operation is
 * also an atomic access to those bytes, which may race with plain ones. */
enum goldilocks_status goldilocks_atomic(goldilocks *g, uint32_t thread, enum goldilocks_atomic_op op, uint64_t object,
                                         uint32_t size, enum goldilocks_order order, uint32_t site,
                                         struct goldilocks_report *report);
enum goldilocks_status goldilocks_fence(goldilocks *g, uint32_t thread, enum goldilocks_order order);

/* A sentence. */
const char *goldilocks_status_message(enum goldilocks_status status);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
