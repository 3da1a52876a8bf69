/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the bridge share.  Private to java/bridge.c and java/thread.c.
 */
#ifndef GL_JAVA_BRIDGE_STATE_H
#define GL_JAVA_BRIDGE_STATE_H

#include "java/bridge.h"

struct gl_jbridge {
    struct gl_core *core;
    struct gl_sides *sides;
    struct gl_lists *lists;
    jclass r;             /* goldilocks.rt.R, a global reference */
    jmethodID declare;    /* R.declare */
    jmethodID nat_of;     /* R.natOf */
    uint32_t collections; /* garbage collections so far; waited on */
    uint32_t stopped;     /* waited on */
    struct gl_jthread shared; /* of no thread; never written */
    _Atomic uint64_t count[GL_JCOUNT_END];
};
extern struct gl_jbridge gl_jbridge;

static inline void gl_jcount(enum gl_jcounter c, int64_t by)
{
    gl_add_relaxed(&gl_jbridge.count[c], (uint64_t)by); /* relaxed: a statistic */
}

/* A record for a thread that `parent` is about to start (NULL: nobody, it is ordered after nothing).  NULL: no memory. */
struct gl_jthread *gl_jthread_new(struct gl_jthread *parent, const char *name);
/* The thread and its T are gone. */
void gl_jthread_free(struct gl_jthread *t);
void gl_jthread_rename(uint32_t uid, const char *name);
/* t has found `child` ended; nothing when it has not. */
void gl_jthread_join(struct gl_jthread *t, const struct gl_jthread *child);

#endif
