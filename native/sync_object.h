/* SPDX-License-Identifier: Apache-2.0
 *
 * What a synchronization object holds, for those who keep one (sync.c, barrier.c).
 */
#ifndef GL_NATIVE_SYNC_OBJECT_H
#define GL_NATIVE_SYNC_OBJECT_H

#include "native/record.h"
#include "native/runtime.h"
#include "native/state.h"

/* One generation of a barrier. */
struct rt_generation {
    struct gl_sync sync;
    struct rt_recorded record;
    uint32_t done;   /* futex: 1 when all have arrived */
    uint32_t inside; /* arrived and not yet left */
};

/* Two lines of the cache: what an acquire and a release of a mutex need, and what only an acquire writes, for reports.  No two
 * objects share one. */
struct rt_sync {
    _Alignas(128) struct gl_spin lock;
    uint32_t kind;
    uintptr_t addr;           /* 0: free.  Written under stripe and lock, read under either */
    uintptr_t pc;             /* who holds `lock` got it for this place in the program */
    uint32_t maker;           /* gl_thread.own of who made it, or of a lock: used it first; 0: nobody yet */
    uint32_t number;          /* of a lock: the first of its serials; 0: none yet */
    union {
        struct gl_mutex mutex;
        struct gl_sync sync;
        struct {
            struct rt_generation *open;
            uint32_t count, arrived, inside;
        } barrier;
        struct gl_rwlock rwlock; /* goes on in the second line */
    };
    uintptr_t lock_pc;        /* of a lock: where it was taken last, for rt_stack_after() */
    uint32_t lock_path;
    uint32_t lock_tid;        /* and by whom */
    uint32_t lock_sweeps;     /* and after how many sweeps */
    uint32_t self;            /* its number */
    _Atomic uint32_t next;    /* in the mark's list; guarded by the stripe */
    uint32_t futex;           /* for waiting outside the lock */
    uint32_t create_stack;    /* where it was made, or first used */
    bool met : 1;             /* a lock that another thread has used, too: rt_object_used() was called for that */
    bool read : 1;            /* or has only read: the same, for each thread that has (rt_thread.read) */
    bool own : 1;             /* rt_lock_state() says of which */
    bool broken : 1;          /* a mistake with it was reported */
    bool lent : 1;            /* an annotation gave up a lock of the library's in its holder's name: rt_lock_lend() */
    bool told : 1;            /* an atomic, of which an annotation has told: rt_told_release() */
    bool robust : 1;          /* a mutex that passes to the next locker when its holder ends */
};
_Static_assert(sizeof(struct rt_sync) == 128, "two lines");
_Static_assert(offsetof(struct rt_sync, mutex) + sizeof(struct gl_mutex) <= 64, "a mutex is in the first");

/* Objects lie in chunks, and what recordings know of them behind: memory that is used by recordings only. */
#define RT_SYNC_CHUNK 1024u
struct rt_sync_chunk {
    struct rt_sync object[RT_SYNC_CHUNK];
    struct rt_recorded record[RT_SYNC_CHUNK];
};
static inline struct rt_recorded *rt_sync_record(struct rt_sync *s)
{
    uint32_t i = s->self % RT_SYNC_CHUNK;
    return &((struct rt_sync_chunk *)(s - i))->record[i];
}

/* The object, locked; NULL: there is none.  rt_sync_unlock() follows. */
struct rt_sync *rt_object_find(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc);

/* Gives a lock its serial, under which a struct rt_lock_info is kept (lock_info.c), and returns the one by which it is told, for locksets.  The object is
 * locked; `serial` is in it. */
uint32_t rt_lock_number_new(struct rt_sync *s, uint32_t *serial);
static inline uint32_t rt_lock_number(struct rt_sync *s, uint32_t *serial)
{
    return RT_LIKELY(*serial) ? s->number : rt_lock_number_new(s, serial);
}
/* Those that rt_lock_named() was told of: a part of rt_locks_use(). */
void rt_locks_use_named(struct rt_used *chunks);

/* The last use of a lock whose end is not ordered after it (last_use.c). */
struct rt_last_use {
    uintptr_t addr, pc;
    uint32_t tid, path;
};
/* The object is locked.  False: the use is ordered before t, or that is not known. */
bool rt_last_use(struct rt_thread *t, const struct rt_sync *s, struct rt_last_use *out);
/* Told as a race of an access of n bytes at a, which ends the lock.  No object is locked. */
void rt_last_use_tell(struct rt_thread *t, const struct rt_last_use *use, uintptr_t a, size_t n, unsigned width, uintptr_t pc);

/* Gives back an object that is in no mark's list any more; unlocked, and nobody's but the caller's. */
void rt_object_free(struct rt_sync *s);

#endif
