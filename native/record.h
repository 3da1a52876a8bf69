/* SPDX-License-Identifier: Apache-2.0
 *
 * The recorder: what the runtime sees is also written to a file (option record), as a trace that `goldilocks analyze`
 * reads.  docs/record.md says what the order of its events means.
 *
 * Threads put records into rings of their own; the writer (record_write.c: a thread, or whoever ends the process)
 * merges them into one sequence, gives names, packs, and writes.
 *
 * Every record has a key: synchronization takes the next number of one counter, in the critical section in which the
 * core's record is appended; accesses take the counter's present value and come before the number that they saw.
 *
 * All functions are for a thread inside the runtime, and do nothing unless rt.recording.
 */
#ifndef GL_NATIVE_RECORD_H
#define GL_NATIVE_RECORD_H

#include "native/state.h"

/* One event on its way.  Accesses lie within one page. */
struct rt_event {
    uint64_t key;    /* 2 * number + 1 of a synchronization, 2 * counter of an access */
    uint64_t object; /* address; of FORK and JOIN a tid */
    uint64_t extra;  /* bytes of data; of other objects: serial, and above it the tid + 1 in whose name it is, or 0 */
    uint32_t site;   /* depot node; 0: not known */
    uint8_t op, order;
    uint16_t spare;
};

#define RT_RING 4096u /* records: 128 KiB a thread */

struct rt_ring {
    struct rt_ring *next;         /* guarded by the list's lock */
    uint32_t tid;
    _Atomic bool over;            /* its thread has ended */
    _Alignas(64) _Atomic uint32_t head; /* next to write; the thread's */
    _Atomic uint32_t inside;      /* odd while the thread makes a record */
    _Alignas(64) _Atomic uint32_t tail; /* next to read; the writer's */
    uint32_t space;               /* futex: counts advances of tail */
    _Atomic bool waiting;         /* for space */
    _Alignas(64) struct rt_event event[RT_RING];
};

/* What a synchronization object must know to be recorded as one that is possible.  Guarded by the object's lock. */
struct rt_recorded {
    uint32_t serial;  /* of this object in this recording; 0: not mentioned yet */
    uint32_t session; /* a fork begins another recording */
    uint32_t holder;  /* tid + 1 of who holds it exclusively, in the recording; 0: nobody */
    uint32_t depth;
};

/* ---- producers (record.c) ---- */

void rt_record_attach(struct rt_thread *t, bool forked); /* its first event; gives it a ring */
void rt_record_end(struct rt_thread *t);
void rt_record_fork(struct rt_thread *t, struct rt_thread *child);
void rt_record_create_failed(void);
void rt_record_join(struct rt_thread *t, struct rt_thread *child);

/* Before the access is checked. */
void rt_record_access(struct rt_thread *t, uintptr_t a, unsigned size, bool write, uint32_t site);
void rt_record_range(struct rt_thread *t, uintptr_t a, size_t n, unsigned kind, uint32_t site);
/* Fresh memory. */
void rt_record_alloc(struct rt_thread *t, uintptr_t a, size_t n, uintptr_t pc);

/* One step with the operation, under the object's lock. */
void rt_record_atomic(struct rt_thread *t, enum gl_op op, enum gl_order order, uintptr_t a, unsigned size, uintptr_t pc);
void rt_record_fence(struct rt_thread *t, enum gl_order order, uintptr_t pc);
/* The memory of an atomic object is free or fresh: no later load is ordered after its stores. */
void rt_record_atomic_gone(struct rt_thread *t, uintptr_t a, bool fresh);

/* An event on an object that is known by address; `as`: tid + 1 in whose name, 0: its own. */
void rt_record_object(struct rt_thread *t, enum gl_op op, struct rt_recorded *r, uintptr_t addr, uint32_t as,
                      uintptr_t pc);

/* ---- constructs (record_sync.c); under the object's lock ---- */

void rt_record_acquired(struct rt_thread *t, struct rt_recorded *r, uintptr_t addr, uint32_t depth, uintptr_t pc);
void rt_record_releasing(struct rt_thread *t, struct rt_recorded *r, uintptr_t addr, uintptr_t pc);
/* Gives it up at whatever depth. */
void rt_record_given_up(struct rt_thread *t, struct rt_recorded *r, uintptr_t addr, uintptr_t pc);
void rt_record_rwlock_acquired(struct rt_thread *t, struct rt_recorded *r, uintptr_t addr, bool write, uintptr_t pc);
/* reads: the thread holds it for reading. */
void rt_record_rwlock_releasing(struct rt_thread *t, struct rt_recorded *r, uintptr_t addr, bool reads, uintptr_t pc);
/* A plain edge, POST or WAIT. */
void rt_record_edge(struct rt_thread *t, enum gl_op op, struct rt_recorded *r, enum rt_kind kind, uintptr_t addr,
                    uintptr_t pc);
/* sync.c: `t` has ended, or is alone in a new recording: its locks are recorded as given up, or as taken. */
void rt_record_locks(struct rt_thread *t, bool taken);

/* ---- the writer (record_write.c) ---- */

/* At start, after the options: opens the file, or ends the program with a sentence. */
void rt_record_init(void);
/* The threads of libc work: the writer's own may begin. */
bool rt_record_has_thread(void); /* one that writes runs beside the program's */
void rt_record_start(void);
/* Writes what is left and closes the file.  True: the recording is whole. */
bool rt_record_finish(void);
/* Around fork(): nothing is half written then; the child begins a recording of its own. */
void rt_record_fork_before(void);
void rt_record_fork_parent(void);
void rt_record_fork_child(void);
/* Around exec: the file is complete, and goes on when exec failed. */
void rt_record_exec_before(void);
void rt_record_exec_failed(void);
/* A ring is half full or full. */
void rt_record_wake(void);
void rt_record_ring_add(struct rt_ring *ring);
/* Waits until there is room in the ring. */
void rt_record_wait(struct rt_ring *ring);

extern struct rt_record_state {
    _Atomic uint64_t counter; /* the next number */
    _Atomic uint32_t serials;
    _Atomic uint32_t live;    /* threads that are there or will be */
    _Atomic bool closed;      /* no record is made any more */
    uint32_t session;
} rt_recorder;

/* intercept_thread.c: a thread that the program does not see, with all signals blocked.  False: there is none. */
bool rt_real_thread(void *(*run)(void *));
/* Can executions be recorded here?  Not of a Go program (go/outside.c). */
bool rt_can_record(void);

#endif
