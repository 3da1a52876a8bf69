/* SPDX-License-Identifier: Apache-2.0
 *
 * Side records: cells that one word cannot hold.  A record is guarded by its cell's lock.
 *
 * Records are runs of 64-byte units inside 1 MiB chunks, in sizes 1, 2, 4 ... GL_SIDE_MAX units, found by the
 * number of their first unit; freed ones are kept per size.
 */
#ifndef GL_CORE_SIDE_H
#define GL_CORE_SIDE_H

#include "core/cell.h"

#define GL_SIDE_UNIT 64u
#define GL_SIDE_CHUNK (1u << 14)   /* units per chunk: 1 MiB */
#define GL_SIDE_CHUNKS (1u << 14)  /* 16 GiB at most */
#define GL_SIDE_CLASSES 14u        /* 64 B ... 512 KiB: 65,534 entries */

struct gl_side {
    uint32_t self : 28; /* number of its first unit */
    uint32_t cls : 4;   /* its size: GL_SIDE_UNIT << cls bytes */
    union {
        struct {
            uint16_t n_writes; /* entries [0, n_writes) are writes; plain ones have disjoint bytes */
            uint16_t n_reads;  /* entries [n_writes, n_writes + n_reads) */
        };
        uint32_t counts; /* both, for readers without the lock */
    };
    _Atomic uint32_t spread; /* number of the spread record that has the reads (spread.h); 0: they are here */
    uint16_t rereads : 15;   /* how often its reads were replaced by later ones */
    uint16_t full : 1;       /* it cannot grow, and was thinned out in vain */
    uint16_t changes;        /* counts on whenever accesses are put in order; for readers without the lock */
    struct gl_entry entry[];
};

static inline void gl_side_set_counts(struct gl_side *r, uint32_t writes, uint32_t reads)
{
    __atomic_store_n(&r->counts, reads << 16 | writes, __ATOMIC_RELAXED); /* ordered by the cell's unlock */
}

/* From here on, until the cell is unlocked, a read may stand where a write stood.  The caller has the cell's lock, or the record is
 * no cell's yet.  release: pairs with gl_side_hit(), which sees this when it sees what changes. */
static inline void gl_side_changes(struct gl_side *r)
{
    __atomic_store_n(&r->changes, (uint16_t)(r->changes + 1), __ATOMIC_RELAXED);
    atomic_thread_fence(memory_order_release);
}

struct gl_sides {
    const struct gl_env *env;
    struct gl_lock lock;  /* guards the rest, but for reading `chunk` */
    uint32_t next;        /* first unit never used; 0 is never handed out */
    uint32_t free[GL_SIDE_CLASSES]; /* first freed record per size (its entry[0].half links on) */
    uint64_t live, most;  /* records */
    _Atomic(char *) chunk[GL_SIDE_CHUNKS];
};

void gl_sides_init(struct gl_sides *s, const struct gl_env *env);
void gl_sides_fini(struct gl_sides *s);

static inline uint32_t gl_side_capacity(unsigned cls) { return ((GL_SIDE_UNIT << cls) - 16) / 8; }

/* A record with room for n entries (contents undefined); NULL: no memory. */
struct gl_side *gl_side_alloc(struct gl_sides *s, uint32_t n);
void gl_side_free(struct gl_sides *s, struct gl_side *r);
/* Several of the smallest size at once; returns how many there were. */
uint32_t gl_side_alloc_many(struct gl_sides *s, struct gl_side **out, uint32_t n);
void gl_side_free_many(struct gl_sides *s, struct gl_side **r, uint32_t n);

/* The record that a cell's word names; the caller holds that cell's lock. */
static inline struct gl_side *gl_side_at(struct gl_sides *s, uint32_t index)
{
    /* acquire: pairs with take_units() */
    return (struct gl_side *)(gl_load_acquire(&s->chunk[index / GL_SIDE_CHUNK]) +
                              (size_t)(index % GL_SIDE_CHUNK) * GL_SIDE_UNIT);
}

#endif
