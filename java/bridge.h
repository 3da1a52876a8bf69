/* SPDX-License-Identifier: Apache-2.0
 *
 * Between the Java classes of java/runtime/ and the core: what a Java thread is to the core, the natives of
 * goldilocks.rt.R, and what the agent has to call and to answer.
 *
 * The Java classes hold every shadow word; a native gets words by value and gives words back.  Nothing here keeps a Java
 * object alive, and nothing here takes a lock while it calls Java.
 *
 * The agent's part, in this order
 *     define the classes of java/runtime/README.md, in the order given there; RegisterNatives(R, gl_jbridge_natives, ...) and
 *     RegisterNatives(Sweep, gl_jsweep_natives, ...);
 *     gl_jbridge_start();
 *     from then on, on ThreadEnd and VirtualThreadEnd: gl_jthread_end(gl_jthread_of(env, thread));
 *     on GarbageCollectionFinish: gl_jbridge_collected();
 *     when threads may be started (VMInit): a daemon thread that runs R.reap(), which returns at gl_jbridge_stop();
 *     on VMDeath: gl_jbridge_stop().
 */
#ifndef GL_JAVA_BRIDGE_H
#define GL_JAVA_BRIDGE_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/construct.h"

enum {
    GL_JTHREAD_RACED = 1,  /* the last access raced: gl_jthread.race */
    GL_JTHREAD_ENDED = 2,  /* gl_jthread.end can be joined */
};

/* A Java thread, platform or virtual, as the core knows it.  The object T of the thread holds its address; it is freed when
 * T has died.  Belongs to whoever runs the Java thread now, but for `flags` (ENDED) and `end`. */
struct gl_jthread {
    uint32_t key;       /* offset 0, read by Java: the current segment's half without bytes; 0: none.  Java begins a segment by storing `next` */
    uint32_t flags;     /* offset 4, read by Java: GL_JTHREAD_... */
    uint64_t sites_out; /* offset 8, read by Java: the sites that go with the word R.access() returned */
    uint32_t slot1;     /* offset 16, read by Java: gl_thread.own, which gl_sync.own is compared with; 0: no core thread */
    uint32_t uid;       /* offset 20, read by Java: the thread's number, in gl_race_access.thread; from 1 */
    uint32_t foreign;   /* offset 24, read by Java: bits in which halves of the thread's current batch of segments do not differ */
    uint32_t next;      /* offset 28, taken by Java: the key of the segment that begins with the next access; 0: ask the core */
    const uint32_t *before; /* offset 32, read by Java: gl_thread.before; NULL after the thread's end */
    uint64_t again;         /* offset 40, read by Java: gl_thread.again, if the core has been told nothing since; else 0 */
    uint32_t again_key;     /* offset 48, taken by Java: the key of the segment that goes on when the monitor with that version is entered; 0: none does */
    struct gl_thread *core; /* NULL: it has ended, or there was no memory for it: then checking has stopped */
    struct gl_sync end;     /* complete when ENDED is set */
    struct gl_race race;    /* of the last access that raced */
    bool waits;             /* told of its wait on a monitor (serial.h) */
    uint32_t passed;        /* gl_jbridge.sweeps when the thread was last known to be outside of an access */
    uint32_t hidden;        /* the real key, when accesses are told one by one (serial.h): then `key` is always 0 */
};

/* What the core keeps of a synchronization object: a monitor uses all, anything else .sync only. */
struct gl_jsync {
    struct gl_mutex mutex; /* first: .sync at offset 0; Java reads own (4) and version (16) */
    /* In the events that are told one by one; guarded by the lock in serial.c. */
    uint32_t number;        /* 0: not mentioned yet */
    uint32_t holder, depth; /* of a monitor: uid of who has it, unless depth is 0 */
};

/* ---- what the agent calls ---- */

/* The natives of goldilocks.rt.R, for RegisterNatives. */
extern const JNINativeMethod gl_jbridge_natives[];
extern const jint gl_jbridge_native_count;

/* Makes the core and looks up what the natives need.  `r`: the class goldilocks.rt.R; T and Thread are found through
 * it.  Once per VM, before any other thread is in R.  False: no memory, or a class is not as it should be; the Java
 * exception, if any, is left pending. */
bool gl_jbridge_start(JNIEnv *env, jclass r);
/* Checking is over; R.reap() returns.  Nothing is freed: threads may still be in natives. */
void gl_jbridge_stop(void);
/* The natives of goldilocks.rt.Sweep; java/sweep.c. */
extern const JNINativeMethod gl_jsweep_natives[];
extern const jint gl_jsweep_native_count;
/* A sweep of ids is due after so many, 0: as pays.  After gl_jbridge_start(), before threads run. */
void gl_jbridge_sweep_every(uint64_t ids);

/* NULL before gl_jbridge_start(). */
struct gl_core *gl_jbridge_core(void);

/* The record of a Java thread; NULL: it was never seen (or does not exist any more). */
struct gl_jthread *gl_jthread_of(JNIEnv *env, jobject thread);
/* The last act of a thread; NULL and a second call do nothing.  By the thread itself, or when it runs no more. */
void gl_jthread_end(struct gl_jthread *t);
/* The name a thread was last known by, "" for most virtual threads, cut at room and NUL-terminated; also for threads that are
 * gone.  Any thread. */
void gl_jthread_name(uint32_t uid, char *out, size_t room);
/* The uid of the thread that started it; 0: it was not started under our eyes. */
uint32_t gl_jthread_parent(uint32_t uid);
/* gl_held.cookie of a monitor is the identity hash of its object. */

/* A garbage collection has ended: weak tables are swept soon.  Async-safe: may be called in JVMTI's event. */
void gl_jbridge_collected(void);

/* Beside gl_core_counts(). */
enum gl_jcounter {
    GL_JCOUNT_LOST,    /* accesses that could not be recorded for want of memory: a race may have been missed */
    GL_JCOUNT_THREADS, /* threads seen */
    GL_JCOUNT_RECORDS, /* of threads that are alive, or whose objects have not been found dead */
    GL_JCOUNT_SYNCS,   /* synchronization objects, the same */
    GL_JCOUNT_END
};
uint64_t gl_jbridge_count(enum gl_jcounter c);

/* ---- what the agent answers ---- */

/* A race, found right before the access `now`.  Valid during the call only. */
struct gl_jfinding {
    const struct gl_race *race; /* .now.site, .then.site: sites as they are in the byte code; threads: uids */
    uint32_t site;              /* of the access to come */
    jobject object;             /* whose field or element it is; NULL: a static field */
    jint index;                 /* of the element; -1: a field */
};

/* What a cell remembers of an access that the calling thread makes now at `site`, not 0: a number for the whole stack.  Asked when
 * R.stacks is set. */
uint32_t gl_jplace(uint32_t site);

/* Tells a race.  The calling Java thread is at the access: its stack is that of the access (with frames of goldilocks.rt on
 * top).  Returns what Java must throw in place of the access (a local reference, goldilocks.DataRaceException), or NULL.  No lock
 * is held; it may call Java (the thread's hooks are off meanwhile).  R.exception(...) makes the exception. */
jthrowable gl_jfound(JNIEnv *env, struct gl_jthread *t, const struct gl_jfinding *f);

enum { GL_JFIELD_PLAIN = 0, GL_JFIELD_VOLATILE = 1, GL_JFIELD_FINAL = 2, GL_JFIELD_UNCHECKED = 3 };

/* The field that a site means. */
struct gl_jfield {
    int kind;             /* GL_JFIELD_... */
    bool is_static;
    jfieldID id;          /* VOLATILE, or asked for by reflection; else it may be NULL */
    jclass declaring;     /* local reference; may be NULL when UNCHECKED */
    const char *name, *desc; /* of the field, modified UTF-8 */
    const char *word, *sites; /* PLAIN, not static: names of its shadow fields in `declaring` */
    int32_t class_id;     /* whose initialization a first use sinks on (static fields); -1: none */
};

/* Finds the field of a site (walks from the site's class, as the VM resolves it).  `o`: the object accessed, NULL for a static
 * field.  False, or an exception (it is cleared): the field is taken for UNCHECKED, for good. */
bool gl_jresolve(JNIEnv *env, jobject o, uint32_t site, struct gl_jfield *out);

/* The same for a java.lang.reflect.Field of the class `declaring`, whose method is called at `site`.  Returns the number of a site
 * that stands for the access; 0: none. */
uint32_t gl_jresolve_reflected(JNIEnv *env, jclass declaring, jobject field, uint32_t site, bool write, struct gl_jfield *out);

/* A call of clone() on o at `site`: sites for the fields that Object's method will copy, plain ones of checked classes.  0: it is another
 * method that will run, or there is none of them.  super: the call was super.clone(). */
uint32_t gl_jclone_sites(JNIEnv *env, jobject o, uint32_t site, bool super, uint32_t *out, uint32_t room);

/* Bytes of an element of arrays of this class: 1, 2, or 4 for all that have 4 or more. */
unsigned gl_jelement_bytes(JNIEnv *env, jclass array);

/* The number of a class that is instrumented, as R.clinitDone() gets it, and of its superclass; 0: none. */
int32_t gl_jclass_number(JNIEnv *env, jclass c);
/* Is its static initializer ours alone? */
bool gl_jclass_lacks_initializer(JNIEnv *env, jclass c);
/* Has its file a native method of this name and descriptor (NULL: any), that is not native any more? */
bool gl_jclass_wraps_native(JNIEnv *env, jclass c, const char *name, const char *desc);
int32_t gl_jclass_super(int32_t number);

#endif
