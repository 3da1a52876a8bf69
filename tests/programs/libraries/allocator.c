// SPDX-License-Identifier: Apache-2.0
// An allocator as others are: under the names of malloc and its kin, and under the C library's own, __libc_malloc and so on. It hands out
// and takes back blocks under a lock that nobody sees, and clears them with memset.
#include <errno.h>
#include <stddef.h>
#include <string.h>

enum { BLOCK = 4096, BLOCKS = 4096 };
static _Alignas(BLOCK) char blocks[BLOCKS][BLOCK];
static size_t used;
static void *freed;
static int taken;

static void lock(void)
{
    while (__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE)) {}
}

static void unlock(void) { __atomic_store_n(&taken, 0, __ATOMIC_RELEASE); }

static void *take(size_t n)
{
    void *p = NULL;
    lock();
    if (n <= BLOCK && freed) {
        p = freed;
        freed = *(void **)p;
    } else if (used + (n + BLOCK - 1) / BLOCK <= BLOCKS) {
        p = blocks[used];
        used += (n + BLOCK - 1) / BLOCK;
    } else {
        errno = ENOMEM;
    }
    unlock();
    return p;
}

static void give(void *p)
{
    if (!p)
        return;
    lock();
    *(void **)p = freed;
    freed = p;
    unlock();
}

static void *zeros(size_t count, size_t n)
{
    void *p = take(count * n);
    return p ? memset(p, 0, count * n) : NULL;
}

static void *resize(void *p, size_t n)
{
    void *q = take(n);
    if (q && p) {
        memcpy(q, p, n < BLOCK ? n : BLOCK);
        give(p);
    }
    return q;
}

static void *aligned(size_t align, size_t n)
{
    (void)align; /* every block is */
    return take(n);
}

#define BOTH(ret, name, params, body)   \
    ret name params;                    \
    ret __libc_##name params;           \
    ret name params { body; }           \
    ret __libc_##name params { body; }

BOTH(void *, malloc, (size_t n), return take(n))
BOTH(void *, calloc, (size_t count, size_t n), return zeros(count, n))
BOTH(void *, realloc, (void *p, size_t n), return resize(p, n))
BOTH(void *, memalign, (size_t align, size_t n), return aligned(align, n))
BOTH(void *, valloc, (size_t n), return take(n))
BOTH(void *, pvalloc, (size_t n), return take(n))
BOTH(void, free, (void *p), give(p))
size_t malloc_usable_size(void *p);
size_t malloc_usable_size(void *p)
{
    (void)p;
    return BLOCK;
}
