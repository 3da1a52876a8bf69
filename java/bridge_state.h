/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the bridge share.  Private to java/bridge.c, java/bridge_fields.c and java/thread.c.
 */
#ifndef GL_JAVA_BRIDGE_STATE_H
#define GL_JAVA_BRIDGE_STATE_H

#include "core/cell_inl.h"
#include "java/bridge.h"
#include "java/gate.h"

struct gl_jbridge {
    struct gl_core *core;
    struct gl_sides *sides;
    struct gl_lists *lists;
    jclass r;             /* goldilocks.rt.R, a global reference */
    jmethodID declare;    /* R.declare */
    jmethodID nat_of;     /* R.natOf */
    uint32_t collections; /* garbage collections so far; waited on */
    uint32_t stopped;     /* waited on */
    uint32_t telling;     /* threads that tell a race, whose ids must stay; changed inside of the gate */
    uint32_t sweeps;      /* of ids, so far; changed while the gate is closed */
    uint32_t sweep_due;
    struct gl_jthread shared; /* of no thread; never written */
    _Atomic uint64_t count[GL_JCOUNT_END];
};
extern struct gl_jbridge gl_jbridge;

static inline void gl_jcount(enum gl_jcounter c, int64_t by)
{
    gl_add_relaxed(&gl_jbridge.count[c], (uint64_t)by); /* relaxed: a statistic */
}

/* The core's thread, NULL after its end.  A segment that Java has begun has begun for the core as well: to be called before anything that
 * may end a segment or look at the current one. */
static inline struct gl_thread *gl_jthread_core(struct gl_jthread *t)
{
    if (!t->core)
        return NULL;
    t->next = t->again_key = 0;
    t->again = 0;
    if (t->key && !t->core->segment && !gl_segment_went_on(t->core, t->key))
        (void)gl_segment_begin(t->core); /* its id was at hand, see gl_jthread_next() */
    return t->core;
}

/* Lets Java begin the next segment, where gl_segment_begin() would take an id of the present batch, or go on with the last one: after
 * anything that ended one. */
static inline void gl_jthread_next(struct gl_jthread *t)
{
    const struct gl_thread *c = t->core;
    if (!c || c->segment)
        return;
    if (c->batch_left && gl_segment_epoch(gl_batch_of(c->segments, c->batch), c->batch) == c->epoch)
        t->next = gl_half(c->batch, 0, 0);
    t->again = c->again;
    t->again_key = gl_segment_resumable(c);
}

/* A cell whose word this was has raced: the access may be taken back, and the word with it.  Its ids stay until two sweeps have come after that.
 * Inside of the gate. */
void gl_jsweep_raced(uint64_t word);

/* A record for a thread that `parent` is about to start (NULL: nobody, it is ordered after nothing).  NULL: no memory. */
struct gl_jthread *gl_jthread_new(struct gl_jthread *parent, const char *name);
/* The thread and its T are gone. */
void gl_jthread_free(struct gl_jthread *t);
uint32_t gl_jthread_last_uid(void); /* the last number given */
void gl_jthread_rename(uint32_t uid, const char *name);
/* t has found `child` ended; nothing when it has not. */
void gl_jthread_join(struct gl_jthread *t, const struct gl_jthread *child);

/* Natives, in gl_jbridge_natives: bridge_fields.c. */
jobject JNICALL gl_jbridge_field_resolve(JNIEnv *env, jclass r, jobject o, jint site);
jobject JNICALL gl_jbridge_field_reflected(JNIEnv *env, jclass r, jclass declaring, jobject field, jint site, jboolean write, jintArray out);
jintArray JNICALL gl_jbridge_clone_sites(JNIEnv *env, jclass r, jobject o, jint site, jboolean super);
jint JNICALL gl_jbridge_class_number(JNIEnv *env, jclass r, jclass c);
jboolean JNICALL gl_jbridge_class_finalizes(JNIEnv *env, jclass r, jclass c);
jboolean JNICALL gl_jbridge_has_initializer(JNIEnv *env, jclass r, jclass c);
jboolean JNICALL gl_jbridge_is_native(JNIEnv *env, jclass r, jclass c, jstring name, jstring desc);
jint JNICALL gl_jbridge_class_super(JNIEnv *env, jclass r, jint number);

#endif
