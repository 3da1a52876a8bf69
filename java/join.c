/* SPDX-License-Identifier: Apache-2.0
 *
 * Joined places, see join.h: a set that only grows.  Looking up takes no lock.
 */
#include "java/join.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/atomic.h"

#define JOINED 0x40000000u /* in a place: the rest is a number here.  Sites are below, and kept stacks have the bit above it */
#define KEPT 0x80000000u
#define CHUNK 4096u
#define CHUNKS 256u
#define BUCKETS (1u << 14)

struct join {
    uint32_t old, fresh, bytes; /* constant once the number is in a bucket */
    uint32_t next;              /* number of the next in its bucket; 0: none */
};

static struct {
    pthread_mutex_t lock;               /* guards `used`, and who may write the rest */
    uint32_t used;
    _Atomic uint32_t bucket[BUCKETS];   /* the first number */
    _Atomic(struct join *) chunk[CHUNKS];
} joins = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct join *join_at(uint32_t number)
{
    return gl_load_acquire(&joins.chunk[number / CHUNK]) + number % CHUNK; /* pairs with make_locked() */
}

static uint32_t find(uint32_t first, const struct join *want)
{
    for (uint32_t number = first; number; number = join_at(number)->next) {
        const struct join *j = join_at(number);
        if (j->old == want->old && j->fresh == want->fresh && j->bytes == want->bytes)
            return number;
    }
    return 0;
}

static uint32_t make_locked(_Atomic uint32_t *bucket, const struct join *want)
{
    uint32_t first = gl_load_relaxed(bucket), number = find(first, want); /* relaxed: only the lock's holder writes it */
    if (number)
        return number;
    number = joins.used + 1;
    if (number >= CHUNK * CHUNKS)
        return 0;
    _Atomic(struct join *) *place = &joins.chunk[number / CHUNK];
    if (!gl_load_relaxed(place)) { /* relaxed: as above */
        struct join *fresh = calloc(CHUNK, sizeof *fresh);
        if (!fresh)
            return 0;
        gl_store_release(place, fresh); /* pairs with join_at() */
    }
    *join_at(number) = (struct join){want->old, want->fresh, want->bytes, first};
    joins.used = number;
    gl_store_release(bucket, number); /* pairs with gl_jjoin() */
    return number;
}

uint32_t gl_jjoin(void *ctx, uint32_t old, uint32_t old_bytes, uint32_t fresh, uint32_t fresh_bytes)
{
    (void)ctx, (void)old_bytes;
    struct join want = {.old = old, .fresh = fresh, .bytes = fresh_bytes};
    uint32_t hash = ((old * 0x9E3779B1u ^ fresh) * 0x85EBCA6Bu + fresh_bytes) * 0xC2B2AE35u;
    _Atomic uint32_t *bucket = &joins.bucket[(hash ^ hash >> 15) % BUCKETS];
    uint32_t number = find(gl_load_acquire(bucket), &want); /* pairs with make_locked() */
    if (!number) {
        pthread_mutex_lock(&joins.lock);
        number = make_locked(bucket, &want);
        pthread_mutex_unlock(&joins.lock);
    }
    return number ? JOINED | number : 0;
}

uint32_t gl_jjoin_place(uint32_t place, uint32_t bytes)
{
    uint32_t lowest = bytes & -bytes;
    while ((place & (KEPT | JOINED)) == JOINED) {
        const struct join *j = join_at(place & ~JOINED);
        place = j->bytes & lowest ? j->fresh : j->old;
    }
    return place;
}
