/* SPDX-License-Identifier: Apache-2.0
 *
 * The constructs that programs use, mapped to sources and sinks (the table in docs/algorithm.md,
 * one name per row).  For every function: calls on one object exclude one another.
 */
#ifndef GL_CORE_CONSTRUCT_H
#define GL_CORE_CONSTRUCT_H

#include "core/core.h"

/* Mutex, spin lock, monitor.  Zero-initialised = new. */
struct gl_mutex {
    struct gl_sync sync;
    uint32_t serial; /* 0: not yet locked */
    bool handed;     /* a thread that does not hold it may give it up, or has: it excludes nobody for sure, so no segment goes on under it */
};

/* After the real lock.  Reentrant: inner acquires only count. */
void gl_mutex_acquired(struct gl_thread *t, struct gl_mutex *m, uint32_t cookie);
/* Before the real unlock.  False: t was not known to hold it (the release counts all the same). */
bool gl_mutex_releasing(struct gl_thread *t, struct gl_mutex *m);
/* The same for the outermost release of a mutex that t took without telling, because gl_sink() would have had nothing to do: all that is in m is
 * t's own (gl_sync.own), or nothing is.  That t held it is then known of the segment that ends here, but not while it was open: slower, not
 * wrong. */
void gl_mutex_releasing_alone(struct gl_thread *t, struct gl_mutex *m);
/* A condition wait: gives the mutex up at any depth (returned; 0: not held), and takes it back. */
uint32_t gl_mutex_wait_begin(struct gl_thread *t, struct gl_mutex *m);
void gl_mutex_wait_end(struct gl_thread *t, struct gl_mutex *m, uint32_t depth, uint32_t cookie);
void gl_mutex_free(struct gl_core *core, struct gl_mutex *m);

/* Reader-writer lock: two objects, so that readers do not order one another. */
struct gl_rwlock {
    struct gl_sync written; /* assigned by each write unlock */
    struct gl_sync read;    /* merged by each read unlock */
    uint32_t serial;
};

void gl_rwlock_read_acquired(struct gl_thread *t, struct gl_rwlock *l, uint32_t cookie);
void gl_rwlock_read_releasing(struct gl_thread *t, struct gl_rwlock *l);
void gl_rwlock_write_acquired(struct gl_thread *t, struct gl_rwlock *l, uint32_t cookie);
void gl_rwlock_write_releasing(struct gl_thread *t, struct gl_rwlock *l);
void gl_rwlock_free(struct gl_core *core, struct gl_rwlock *l);

/* C11 atomics: the parts of an operation, to be called in this order around the access check.
 * load: acquire part.  store: release part.  rmw: acquire part, then release part. */
void gl_atomic_acquire_part(struct gl_thread *t, struct gl_sync *a, enum gl_order order);
void gl_atomic_store_part(struct gl_thread *t, struct gl_sync *a, enum gl_order order);
void gl_atomic_rmw_part(struct gl_thread *t, struct gl_sync *a, enum gl_order order);
void gl_fence(struct gl_thread *t, enum gl_order order);

#endif
