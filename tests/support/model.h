/* SPDX-License-Identifier: Apache-2.0
 *
 * Which executions can happen: the blocking rules of real synchronization objects, as one step function.
 * The generator proposes events to it and the shrinker repairs executions with it.
 *
 *     mutex      one owner, who alone unlocks, and may nest; a thread in a condition wait does nothing
 *                but return from it, which needs the mutex free
 *     rwlock     many readers or one writer
 *     barrier    a thread that is in does nothing but come out.  So it is never twice in one generation
 *     semaphore  its value is never below zero; it starts with MODEL_POSTS(object)
 *     thread     forked once, at most, before its first event; silent after its end and after a join
 *     access     sizes as in core/event.h
 */
#ifndef GL_TESTS_SUPPORT_MODEL_H
#define GL_TESTS_SUPPORT_MODEL_H

#include "core/event.h"

#define MODEL_THREADS 192 /* thread numbers are below */
#define MODEL_OBJECTS 48  /* of classes mutex, rwlock, barrier and semaphore together */

#define MODEL_POSTS(object) ((int)((object) % 3))

struct model_object {
    enum gl_class class;
    uint64_t object;
    int owner;                 /* mutex, rwlock (the writer): thread, or -1 */
    int count;                 /* mutex: depth; rwlock: read holds of all; semaphore: value */
    uint8_t of[MODEL_THREADS]; /* rwlock: read holds; mutex: depth before the wait */
};

struct model_thread {
    bool known; /* forked or seen */
    bool begun; /* seen */
    bool ended;
    bool in_wait, in_barrier;
    uint64_t blocked_on;
    uint32_t holds; /* mutexes (not counting depth) and rwlocks */
};

struct model {
    struct model_thread thread[MODEL_THREADS];
    struct model_object object[MODEL_OBJECTS];
    uint32_t objects;
};

void model_reset(struct model *m);

/* The event happens if it can, and the result says whether it did. */
bool model_step(struct model *m, const struct gl_event *e);

/* Can the thread do something other than come out of where it waits? */
bool model_runs(const struct model *m, uint32_t thread);

#endif
