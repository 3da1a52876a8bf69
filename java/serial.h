/* SPDX-License-Identifier: Apache-2.0
 *
 * The serial way: every event of the run is told, one after the other and under one lock, to a detector of peers/, to a
 * recording, or to both (options detector and record).  It is for comparison and for looking again, not for speed: there is no
 * filter, so that every access is told.
 *
 * A Java cell's word is here the number of its variable (shifted, so that no filter takes it for a segment: gl_jserial_access()).
 * Numbers are given at the first access and never again; what is kept of a variable is kept until the run ends.  Order and
 * threads go to the core all the same: it is what the Java side asks whether a sink has anything to take in.
 *
 * An event's thread is a uid, a mutex's or a volatile's object the number of its gl_jsync, data lies at 4 * variable.
 *
 * Why the order told is one that the run could have had: a source is told before and a sink after it took effect, under the lock of its
 * object (S.lock, or the monitor itself); an access right before it is made, after all that the thread told before.  So each thread's
 * events are in its order, and every edge of the run leads forward.
 */
#ifndef GL_JAVA_SERIAL_H
#define GL_JAVA_SERIAL_H

#include <jni.h>

#include "core/detector.h"
#include "java/bridge.h"

/* Whom to tell.  All functions but name() are called under the lock. */
struct gl_jserial_to {
    const struct gl_detector *detector;
    struct gl_state *state;
    bool judges; /* the races are its; else the core's, and it is told only */
    /* For a recording; all NULL: there is none. */
    void (*name)(JNIEnv *env, uint32_t site, jobject object, jint index, char *out, size_t room); /* of a variable */
    void (*variable)(struct gl_state *state, uint64_t address, const char *name); /* a new one, of 4 bytes */
    void (*site)(struct gl_state *state, uint32_t site); /* an event with it follows */
    void (*told)(struct gl_state *state); /* an event was told */
};

/* From now on, until the end.  Before gl_jbridge_start(), once. */
void gl_jserial_begin(const struct gl_jserial_to *to);
/* Nothing is told any more, and nobody tells.  The detector's state is the caller's again. */
void gl_jserial_end(void);
bool gl_jserial_is_on(void);
/* Why checking has stopped before the end, a sentence; NULL: it has not. */
const char *gl_jserial_complaint(void);

struct gl_jserial_access {
    uint32_t mask, kind; /* as gl_access() */
    uint32_t site, place;
    jobject object; /* whose field or element it is; of a static field, the class that declares it */
    jint index;     /* of the element; -1: a field; -2: a static field */
};

/* One access, under the cell's lock; the cell's next word.  A race is in t->race, t->flags. */
uint64_t gl_jserial_access(JNIEnv *env, struct gl_jthread *t, uint64_t word, const struct gl_jserial_access *a);

/* Threads: FORK, JOIN of another, END. */
void gl_jserial_thread(uint32_t uid, enum gl_op op, uint32_t other);
/* VOLREAD, VOLWRITE; under the lock of s. */
void gl_jserial_volatile(uint32_t uid, enum gl_op op, struct gl_jsync *s);
/* ACQ, REL, CWAIT_BEGIN, CWAIT_END (with the depth that the wait began at); by t, which has the monitor. */
void gl_jserial_monitor(struct gl_jthread *t, enum gl_op op, struct gl_jsync *s, uint32_t depth);

#endif
