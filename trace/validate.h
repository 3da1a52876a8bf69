/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a trace a possible execution?  The blocking rules of real synchronization objects, one event after the other.
 *
 *     mutex      one holder, who alone releases it, and may nest
 *     wait       a condition wait gives a mutex up that the thread holds, and returns when it is free; in between
 *                the thread does nothing
 *     rwlock     many readers or one writer; a thread's read holds may nest, but it never holds both ways
 *     barrier    a thread enters and leaves each barrier in turn
 *     thread     is forked at most once, before all it does; does nothing after its end, or after somebody joined it;
 *                is known when it is joined
 *     access     sizes as in core/event.h, orders as in C11
 *
 * Not faults, because a trace does not say enough: a semaphore's wait without a post (its initial value is not known), a
 * free without an alloc, a lock still held at the end.
 *
 * An event with a fault leaves the state as it was: a caller who skips it and goes on (lenient mode) gives a
 * detector only events that are possible after one another, which no detector answers with GL_INVALID.
 *
 * Memory: a byte per thread, and an entry per lock held, read hold, wait and barrier entered now.  One caller at a
 * time.
 */
#ifndef GL_TRACE_VALIDATE_H
#define GL_TRACE_VALIDATE_H

#include "trace/names.h"

/* fault, identifier, sentence: %t the thread, %o the object, %h who holds it ("nobody"), %n the operation, %r its
 * memory order, %s its size. */
#define GL_FAULTS(X)                                                                                \
    X(NONE,          "none",          "nothing is wrong")                                           \
    X(NO_MEMORY,     "no-memory",     "no memory to check %n of %t")                                \
    X(THREADS,       "threads",       "more than 16777216 threads")                                 \
    X(SIZE,          "size",          "%n of %s bytes; an access has 1 to 64, an atomic one at most 16") \
    X(ORDER,         "order",         "%n cannot have the memory order %r")                         \
    X(AFTER_END,     "after-end",     "%t does %n after its end, or after it was joined")           \
    X(BEGIN_AGAIN,   "begin-again",   "%t does %n after its end; are these atomic blocks? (docs/trace-text.md)") \
    X(IN_WAIT,       "in-wait",       "%t does %n while it is in a condition wait")                 \
    X(BEGIN,         "begin",         "begin is not the first event of %t; is it an atomic block? (docs/trace-text.md)") \
    X(FORK_SELF,     "fork-self",     "%t forks itself")                                            \
    X(FORK_KNOWN,    "fork-known",    "%t forks %o, which was forked before or has done something") \
    X(JOIN_SELF,     "join-self",     "%t joins itself")                                            \
    X(JOIN_UNKNOWN,  "join-unknown",  "%t joins %o, which was never forked and has done nothing")   \
    X(JOIN_WAITING,  "join-waiting",  "%t joins %o, which is in a condition wait")                  \
    X(MUTEX_TAKEN,   "mutex-taken",   "%t does %n of mutex %o, which %h holds")                     \
    X(MUTEX_NOT_HELD, "mutex-not-held", "%t does %n of mutex %o, which it does not hold (%h does)")   \
    X(WAIT_END,      "wait-end",      "%t ends a condition wait with mutex %o, but is in none with it") \
    X(RWLOCK_TAKEN,  "rwlock-taken",  "%t does %n of rwlock %o, which %h holds for writing")        \
    X(RWLOCK_READ,   "rwlock-read",   "%t does %n of rwlock %o, which is held for reading")         \
    X(RWLOCK_NOT_HELD, "rwlock-not-held", "%t does %n of rwlock %o, which it does not hold so")       \
    X(BARRIER_IN,    "barrier-in",    "%t enters barrier %o again before it left it")               \
    X(BARRIER_OUT,   "barrier-out",   "%t leaves barrier %o without having entered it")

enum gl_fault {
#define X(fault, name, sentence) GL_FAULT_##fault,
    GL_FAULTS(X)
#undef X
    GL_FAULT_COUNT
};

const char *gl_fault_name(enum gl_fault f);

struct gl_validator;

struct gl_validator *gl_validator_create(const struct gl_env *env); /* NULL: no memory */
void gl_validator_destroy(struct gl_validator *v);

/* How many of the n events, from the first on, are possible after all that came before.  When that is fewer than n, *fault
 * says what is wrong with the next one, which has not happened; go on behind it, or stop. */
size_t gl_validate(struct gl_validator *v, const struct gl_event *events, size_t n, enum gl_fault *fault);

/* Why: one sentence with names, of at most size - 1 characters, on the event that gl_validate() has stopped at. */
void gl_validate_sentence(const struct gl_validator *v, const struct gl_names *names, const struct gl_event *e,
                          enum gl_fault f, char *text, size_t size);

/* How many events had this fault. */
uint64_t gl_validator_count(const struct gl_validator *v, enum gl_fault f);

#endif
