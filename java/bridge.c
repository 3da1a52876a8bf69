/* SPDX-License-Identifier: Apache-2.0
 *
 * The natives of goldilocks.rt.R.  Addresses of our records travel through Java as longs.
 *
 * Each native is a few dozen instructions of the core's, called with words by value; those that may wait (for a replay of the
 * log) do so as native code, which delays no safepoint.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/cell_inl.h"
#include "core/sweep.h"
#include "java/bridge_state.h"
#include "java/join.h"
#include "java/serial.h"
#include "platform/platform.h"

struct gl_jbridge gl_jbridge;

/* What Access.java, Sync.java and T.java have in numbers. */
_Static_assert(GL_HALF_SHIFT == 5 && GL_CELL_SIDE == 0xFFFFFFFFu && GL_CELL_LOCKED == 0xFFFFFFFE00000000ull, "Access.java");
_Static_assert(GL_GROUP_FIRST == (1u << 27) - (1u << 22) - 4, "Access.GROUP_FIRST");
_Static_assert(GL_BEFORE == 256 && sizeof(((struct gl_thread *)0)->before[0]) == 4, "Access.BEFORE_MASK");
_Static_assert(GL_HALF_ATOMIC == 16 && GL_ACCESS_ATOMIC == 2, "Access.java");
_Static_assert(GL_ACCESS_READ == 0 && GL_ACCESS_WRITE == 1 && GL_JTHREAD_RACED == 1, "Access.READ, WRITE; R.RACED");
_Static_assert(offsetof(struct gl_jthread, key) == 0 && offsetof(struct gl_jthread, flags) == 4 &&
                   offsetof(struct gl_jthread, sites_out) == 8 && offsetof(struct gl_jthread, slot1) == 16 &&
                   offsetof(struct gl_jthread, foreign) == 24 && offsetof(struct gl_jthread, next) == 28 &&
                   offsetof(struct gl_jthread, before) == 32 && offsetof(struct gl_jthread, again) == 40 &&
                   offsetof(struct gl_jthread, again_key) == 48,
               "T.java, Access.java, Sync.java");
_Static_assert(offsetof(struct gl_jsync, mutex.sync.own) == 4 && offsetof(struct gl_jsync, mutex.sync.version) == 16,
               "Sync.java");

#define ME(nat) ((struct gl_jthread *)(uintptr_t)(nat))
#define SYNC(nat) ((struct gl_jsync *)(uintptr_t)(nat))
#define NATIVE(type) static type JNICALL

/* ---- cells ---- */

NATIVE(jint) place_now(JNIEnv *env, jclass r, jint site)
{
    (void)env, (void)r;
    return (jint)gl_jplace((uint32_t)site);
}

NATIVE(jlong) cell_access(JNIEnv *env, jclass r, jlong nat, jlong word, jlong sites, jint mask, jint kind, jint site)
{
    (void)env, (void)r;
    GL_JINSIDE;
    struct gl_jthread *t = ME(nat);
    _Atomic uint64_t w = (uint64_t)word, s = (uint64_t)sites;
    struct gl_cell cell = {.word = &w, .sites = &s};
    t->flags &= ~(uint32_t)GL_JTHREAD_RACED;
    t->sites_out = (uint64_t)sites;
    if (!gl_jthread_core(t))
        return word; /* after the thread's end */
    uint32_t key = t->key, mine = key | (uint32_t)mask;
    if (kind == GL_ACCESS_READ && (uint64_t)word >> 32 == GL_CELL_SIDE && t->key &&
        gl_access_reread(t->core, cell, (uint64_t)word, mine, (uint32_t)site))
        return (jlong)gl_load_relaxed(&w); /* relaxed: a copy of our own; its record may be another, when its reads were spread */
    int raced = gl_access(t->core, cell, (uint32_t)mask, (unsigned)kind, (uint32_t)site, &t->race);
    if (raced > 0) {
        gl_jsweep_raced((uint64_t)word);
        t->race.object = 0;
        t->race.bytes = (uint64_t)raced;
        t->race.then.site = gl_jjoin_place(t->race.then.site, (uint32_t)raced);
        t->flags |= GL_JTHREAD_RACED;
    } else if (raced < 0) {
        gl_jcount(GL_JCOUNT_LOST, 1);
    }
    if (t->key != key) { /* a segment has begun, perhaps in another batch */
        const struct gl_batch *batch = gl_batch_of(t->core->segments, t->core->segment);
        t->foreign = ~gl_half(batch->last, GL_HALF_ATOMIC, 0xF);
    }
    t->sites_out = gl_load_relaxed(&s); /* relaxed: copies of our own */
    return (jlong)gl_load_relaxed(&w);
}

NATIVE(jlong) cell_told(JNIEnv *env, jclass r, jlong nat, jlong word, jint mask, jint kind, jint place, jint site, jobject o, jint index)
{
    (void)r;
    struct gl_jthread *t = ME(nat);
    struct gl_jserial_access a = {.mask = (uint32_t)mask,
                                  .kind = (uint32_t)kind,
                                  .site = (uint32_t)site,
                                  .place = (uint32_t)place,
                                  .object = o,
                                  .index = index};
    t->flags &= ~(uint32_t)GL_JTHREAD_RACED;
    return t->core ? (jlong)gl_jserial_access(env, t, (uint64_t)word, &a) : word; /* NULL: after the thread's end */
}

NATIVE(jint) places_join(JNIEnv *env, jclass r, jint old, jint fresh, jint fresh_bytes)
{
    (void)env, (void)r;
    return (jint)gl_jjoin(NULL, (uint32_t)old, 0, (uint32_t)fresh, (uint32_t)fresh_bytes);
}

NATIVE(jint) group_member(JNIEnv *env, jclass r, jlong nat, jint group)
{
    (void)env, (void)r;
    GL_JINSIDE;
    uint32_t key = ME(nat)->key;
    return key ? (jint)gl_group_member(gl_jbridge.lists, (uint32_t)group, key) : 0;
}

NATIVE(jboolean) cell_beside(JNIEnv *env, jclass r, jlong nat, jlong word, jint mask, jint kind)
{
    (void)env, (void)r;
    GL_JINSIDE;
    struct gl_jthread *t = ME(nat);
    _Atomic uint64_t w = (uint64_t)word; /* the caller looks at the real one again */
    return t->key && gl_side_hit(gl_jbridge.sides, &w, (uint64_t)word, t->key, (uint32_t)mask, kind & GL_ACCESS_WRITE);
}

_Static_assert(GL_SIDE_CHUNK == 1u << 14 && GL_SIDE_UNIT == 64 && sizeof(struct gl_entry) == 8 &&
                   offsetof(struct gl_entry, half) == 0 && offsetof(struct gl_side, entry) == 16 &&
                   offsetof(struct gl_side, counts) == 4 && offsetof(struct gl_side, changes) == 14 &&
                   sizeof(((struct gl_side *)0)->changes) == 2,
               "Access.beside()");

NATIVE(jlong) sides_at(JNIEnv *env, jclass r)
{
    (void)env, (void)r;
    return (jlong)(uintptr_t)gl_jbridge.sides->chunk;
}

/* Of the elements that share a cell with element `index`, the first that has raced. */
static jint racing_element(JNIEnv *env, jobject array, jint index, uint64_t bytes)
{
    jclass c = (*env)->GetObjectClass(env, array);
    unsigned width = gl_jelement_bytes(env, c), first = bytes ? (unsigned)__builtin_ctzll(bytes) : 0;
    (*env)->DeleteLocalRef(env, c);
    if (width >= 4 || !bytes)
        return index;
    return (index & ~(jint)(4 / width - 1)) + (jint)(first / width);
}

NATIVE(jobject) race_tell(JNIEnv *env, jclass r, jlong nat, jobject o, jint site, jint index)
{
    (void)r;
    struct gl_jthread *t = ME(nat);
    struct gl_jfinding f = {.race = &t->race, .site = (uint32_t)site, .object = o, .index = index};
    if (o && index >= 0)
        f.index = racing_element(env, o, index, t->race.bytes);
    gl_jgate_in();
    __atomic_fetch_add(&gl_jbridge.telling, 1, __ATOMIC_SEQ_CST);
    gl_jgate_out();
    jthrowable x = gl_jfound(env, t, &f);
    __atomic_fetch_sub(&gl_jbridge.telling, 1, __ATOMIC_SEQ_CST);
    t->flags &= ~(uint32_t)GL_JTHREAD_RACED;
    return x;
}

NATIVE(void) side_free(JNIEnv *env, jclass r, jlong word)
{
    (void)env, (void)r;
    GL_JINSIDE;
    _Atomic uint64_t w = (uint64_t)word, s = 0;
    gl_cell_fresh(gl_jbridge.core, (struct gl_cell){.word = &w, .sites = &s}, 0xF);
}

/* ---- threads ---- */

/* A Java string as modified UTF-8, cut at room. */
static void string_copy(JNIEnv *env, jstring text, char *out, size_t room)
{
    out[0] = 0;
    const char *bytes = text ? (*env)->GetStringUTFChars(env, text, NULL) : NULL;
    if (!bytes) {
        (*env)->ExceptionClear(env);
        return;
    }
    size_t n = strlen(bytes);
    n = n < room ? n : room - 1;
    memcpy(out, bytes, n);
    out[n] = 0;
    (*env)->ReleaseStringUTFChars(env, text, bytes);
}

NATIVE(jlong) thread_new(JNIEnv *env, jclass r, jlong parent, jstring name)
{
    (void)r;
    char text[256];
    string_copy(env, name, text, sizeof text);
    return (jlong)(uintptr_t)gl_jthread_new(ME(parent), text);
}

NATIVE(void) thread_free(JNIEnv *env, jclass r, jlong nat)
{
    (void)env, (void)r;
    gl_jthread_free(ME(nat));
}

NATIVE(void) thread_rename(JNIEnv *env, jclass r, jlong nat, jstring name)
{
    (void)r;
    char text[256];
    string_copy(env, name, text, sizeof text);
    gl_jthread_rename(ME(nat)->uid, text);
}

NATIVE(void) thread_join(JNIEnv *env, jclass r, jlong nat, jlong child)
{
    (void)env, (void)r;
    gl_jthread_join(ME(nat), ME(child));
}

NATIVE(void) thread_ended(JNIEnv *env, jclass r, jlong nat)
{
    (void)env, (void)r;
    gl_jthread_end(ME(nat));
}

NATIVE(jlong) table_new(JNIEnv *env, jclass r, jint ints)
{
    (void)env, (void)r;
    return (jlong)(uintptr_t)gl_os_map(4 * (size_t)ints);
}

NATIVE(jlong) thread_shared(JNIEnv *env, jclass r)
{
    (void)env, (void)r;
    return (jlong)(uintptr_t)&gl_jbridge.shared;
}

/* ---- synchronization ---- */

NATIVE(jlong) sync_new(JNIEnv *env, jclass r)
{
    (void)env, (void)r;
    struct gl_jsync *s = gl_arena_alloc(sizeof *s);
    if (s)
        gl_jcount(GL_JCOUNT_SYNCS, 1);
    return (jlong)(uintptr_t)s;
}

NATIVE(void) sync_free(JNIEnv *env, jclass r, jlong sync)
{
    (void)env, (void)r;
    GL_JINSIDE;
    gl_mutex_free(gl_jbridge.core, &SYNC(sync)->mutex);
    gl_arena_free(SYNC(sync), sizeof(struct gl_jsync));
    gl_jcount(GL_JCOUNT_SYNCS, -1);
}

/* What a thread does after its end (the virtual machine's last steps) is ordered by that end already. */

/* The core's thread at a synchronization, which no access has in it.  The caller is inside of the gate. */
static struct gl_thread *passing(struct gl_jthread *t)
{
    if (t->core)
        t->passed = gl_jbridge.sweeps;
    return gl_jthread_core(t);
}

NATIVE(void) sync_source(JNIEnv *env, jclass r, jlong nat, jlong sync)
{
    (void)env, (void)r;
    GL_JINSIDE;
    struct gl_thread *t = passing(ME(nat));
    if (t) {
        gl_jserial_volatile(ME(nat)->uid, GL_OP_VOLWRITE, SYNC(sync));
        gl_source(t, &SYNC(sync)->mutex.sync, false, 0);
    }
    gl_jthread_next(ME(nat));
}

NATIVE(void) sync_sink(JNIEnv *env, jclass r, jlong nat, jlong sync)
{
    (void)env, (void)r;
    GL_JINSIDE;
    struct gl_thread *t = passing(ME(nat));
    if (t) {
        gl_sink(t, &SYNC(sync)->mutex.sync);
        gl_jserial_volatile(ME(nat)->uid, GL_OP_VOLREAD, SYNC(sync));
    }
    gl_jthread_next(ME(nat));
}

NATIVE(void) monitor_acquired(JNIEnv *env, jclass r, jlong nat, jlong sync, jint cookie)
{
    (void)env, (void)r;
    GL_JINSIDE;
    struct gl_thread *t = passing(ME(nat));
    if (t) {
        gl_mutex_acquired(t, &SYNC(sync)->mutex, (uint32_t)cookie);
        gl_jserial_monitor(ME(nat), GL_OP_ACQ, SYNC(sync), 0);
    }
    gl_jthread_next(ME(nat));
}

NATIVE(void) monitor_releasing(JNIEnv *env, jclass r, jlong nat, jlong sync)
{
    (void)env, (void)r;
    GL_JINSIDE;
    struct gl_thread *t = passing(ME(nat));
    if (t) {
        gl_jserial_monitor(ME(nat), GL_OP_REL, SYNC(sync), 0);
        (void)gl_mutex_releasing(t, &SYNC(sync)->mutex);
    }
    gl_jthread_next(ME(nat));
}

NATIVE(void) monitor_releasing_alone(JNIEnv *env, jclass r, jlong nat, jlong sync)
{
    (void)env, (void)r;
    GL_JINSIDE;
    struct gl_thread *t = passing(ME(nat));
    if (t)
        gl_mutex_releasing_alone(t, &SYNC(sync)->mutex);
    gl_jthread_next(ME(nat));
}

NATIVE(jint) monitor_wait_begin(JNIEnv *env, jclass r, jlong nat, jlong sync)
{
    (void)env, (void)r;
    GL_JINSIDE;
    struct gl_thread *t = passing(ME(nat));
    uint32_t depth = 0;
    if (t) {
        gl_jserial_monitor(ME(nat), GL_OP_CWAIT_BEGIN, SYNC(sync), 0);
        depth = gl_mutex_wait_begin(t, &SYNC(sync)->mutex);
    }
    gl_jthread_next(ME(nat));
    return (jint)depth;
}

NATIVE(void) monitor_wait_end(JNIEnv *env, jclass r, jlong nat, jlong sync, jint depth, jint cookie)
{
    (void)env, (void)r;
    GL_JINSIDE;
    struct gl_thread *t = passing(ME(nat));
    if (t) {
        gl_mutex_wait_end(t, &SYNC(sync)->mutex, (uint32_t)depth, (uint32_t)cookie);
        gl_jserial_monitor(ME(nat), GL_OP_CWAIT_END, SYNC(sync), (uint32_t)depth);
    }
    gl_jthread_next(ME(nat));
}

/* ---- waiting ---- */

NATIVE(void) give_way(JNIEnv *env, jclass r, jint rounds)
{
    (void)env, (void)r;
    gl_os_pause((unsigned)rounds);
}

NATIVE(jboolean) await_collection(JNIEnv *env, jclass r, jlong nanos)
{
    (void)env, (void)r;
    static uint32_t seen; /* by the one thread that runs R.reap() */
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += nanos / 1000000000 + (until.tv_nsec + nanos % 1000000000) / 1000000000;
    until.tv_nsec = (until.tv_nsec + nanos % 1000000000) % 1000000000;
    uint32_t *stopped = &gl_jbridge.stopped, *now = &gl_jbridge.collections;
    while (!__atomic_load_n(stopped, __ATOMIC_ACQUIRE) && gl_os_futex_wait(stopped, 0, &until, false) == 0)
        continue;
    while (!__atomic_load_n(stopped, __ATOMIC_ACQUIRE) && __atomic_load_n(now, __ATOMIC_ACQUIRE) == seen)
        gl_os_futex_wait(now, seen, NULL, false);
    seen = __atomic_load_n(now, __ATOMIC_ACQUIRE);
    return !__atomic_load_n(stopped, __ATOMIC_ACQUIRE);
}

/* Inside the core: Sweep.ids() is to run, by who runs R.reap(). */
static void env_sweep_due(void *ctx)
{
    (void)ctx;
    if (!__atomic_exchange_n(&gl_jbridge.sweep_due, 1, __ATOMIC_SEQ_CST))
        gl_jbridge_collected(); /* as after a garbage collection, which does no harm */
}

void gl_jbridge_sweep_every(uint64_t ids) { gl_core_sweep_every(gl_jbridge.core, ids, 0); }

void gl_jbridge_collected(void)
{
    __atomic_fetch_add(&gl_jbridge.collections, 1, __ATOMIC_RELEASE); /* pairs with await_collection() */
    gl_os_futex_wake(&gl_jbridge.collections, 1);
}

NATIVE(jint) collections_now(JNIEnv *env, jclass r)
{
    (void)env, (void)r;
    return (jint)__atomic_load_n(&gl_jbridge.collections, __ATOMIC_RELAXED); /* relaxed: only whether there was one */
}

NATIVE(void) core_stop(JNIEnv *env, jclass r)
{
    (void)env, (void)r;
    GL_JINSIDE;
    gl_core_stop(gl_jbridge.core);
}

/* Not by reflection, whose start takes milliseconds. */
NATIVE(jlong) unsafe_number(JNIEnv *env, jclass r, jstring constant)
{
    (void)r;
    jlong number = 0;
    jclass c = (*env)->FindClass(env, "jdk/internal/misc/Unsafe");
    const char *name = c ? (*env)->GetStringUTFChars(env, constant, NULL) : NULL;
    if (!name)
        return 0; /* with the exception */
    jfieldID field = (*env)->GetStaticFieldID(env, c, name, "I");
    if (field) {
        number = (*env)->GetStaticIntField(env, c, field);
    } else {
        (*env)->ExceptionClear(env);
        field = (*env)->GetStaticFieldID(env, c, name, "J");
        number = field ? (*env)->GetStaticLongField(env, c, field) : 0;
    }
    (*env)->ReleaseStringUTFChars(env, constant, name);
    return number;
}

/* ---- start and stop ---- */

const JNINativeMethod gl_jbridge_natives[] = {
    {"place", "(I)I", (void *)place_now},
    {"access", "(JJJIII)J", (void *)cell_access},
    {"told", "(JJIIIILjava/lang/Object;I)J", (void *)cell_told},
    {"join", "(III)I", (void *)places_join},
    {"member", "(JI)I", (void *)group_member},
    {"beside", "(JJII)Z", (void *)cell_beside},
    {"sides", "()J", (void *)sides_at},
    {"raced", "(JLjava/lang/Object;II)Ljava/lang/Throwable;", (void *)race_tell},
    {"freeSide", "(J)V", (void *)side_free},
    {"resolve", "(Ljava/lang/Object;I)Lgoldilocks/rt/F;", (void *)gl_jbridge_field_resolve},
    {"reflected", "(Ljava/lang/Class;Ljava/lang/reflect/Field;IZ[I)Lgoldilocks/rt/F;",
     (void *)gl_jbridge_field_reflected},
    {"cloneSites", "(Ljava/lang/Object;IZ)[I", (void *)gl_jbridge_clone_sites},
    {"classNumber", "(Ljava/lang/Class;)I", (void *)gl_jbridge_class_number},
    {"isNative", "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;)Z", (void *)gl_jbridge_is_native},
    {"hasInitializer", "(Ljava/lang/Class;)Z", (void *)gl_jbridge_has_initializer},
    {"finalizes", "(Ljava/lang/Class;)Z", (void *)gl_jbridge_class_finalizes},
    {"superclass", "(I)I", (void *)gl_jbridge_class_super},
    {"newThread", "(JLjava/lang/String;)J", (void *)thread_new},
    {"freeThread", "(J)V", (void *)thread_free},
    {"rename", "(JLjava/lang/String;)V", (void *)thread_rename},
    {"join", "(JJ)V", (void *)thread_join},
    {"table", "(I)J", (void *)table_new},
    {"shared", "()J", (void *)thread_shared},
    {"newSync", "()J", (void *)sync_new},
    {"freeSync", "(J)V", (void *)sync_free},
    {"source", "(JJ)V", (void *)sync_source},
    {"sink", "(JJ)V", (void *)sync_sink},
    {"acquired", "(JJI)V", (void *)monitor_acquired},
    {"releasing", "(JJ)V", (void *)monitor_releasing},
    {"releasingAlone", "(JJ)V", (void *)monitor_releasing_alone},
    {"waitBegin", "(JJ)I", (void *)monitor_wait_begin},
    {"waitEnd", "(JJII)V", (void *)monitor_wait_end},
    {"giveWay", "(I)V", (void *)give_way},
    {"awaitCollection", "(J)Z", (void *)await_collection},
    {"collections", "()I", (void *)collections_now},
    {"ended", "(J)V", (void *)thread_ended},
    {"stopCore", "()V", (void *)core_stop},
    {"unsafeNumber", "(Ljava/lang/String;)J", (void *)unsafe_number},
};
const jint gl_jbridge_native_count = sizeof gl_jbridge_natives / sizeof gl_jbridge_natives[0];

static void *env_map(void *ctx, size_t bytes)
{
    (void)ctx;
    return gl_os_map(bytes);
}
static void env_soon(void *ctx, void *p, size_t bytes)
{
    (void)ctx;
    gl_os_populate((uintptr_t)p, bytes);
}
static void env_unmap(void *ctx, void *p, size_t bytes)
{
    (void)ctx;
    gl_os_unmap(p, bytes);
}
static void env_pause(void *ctx, unsigned rounds)
{
    (void)ctx;
    gl_os_pause(rounds);
}

bool gl_jbridge_start(JNIEnv *env, jclass r)
{
    static struct gl_env memory = {.map = env_map, .soon = env_soon, .unmap = env_unmap, .pause = env_pause};
    struct gl_jbridge *b = &gl_jbridge;
    if (!gl_jserial_is_on() && gl_jgate_begin())
        memory.sweep_due = env_sweep_due;
    b->core = gl_core_create(&memory);
    if (!b->core)
        return false;
    b->sides = gl_core_sides(b->core);
    b->lists = gl_core_lists(b->core);
    b->r = (*env)->NewGlobalRef(env, r);
    if (!b->r)
        return false;
    b->declare = (*env)->GetStaticMethodID(env, r, "declare",
                                           "(Ljava/lang/Class;Ljava/lang/reflect/Field;Ljava/lang/String;Ljava/lang/String;"
                                           "Ljava/lang/String;IZI)Lgoldilocks/rt/F;");
    if (!b->declare)
        return false;
    b->nat_of = (*env)->GetStaticMethodID(env, r, "natOf", "(Ljava/lang/Thread;)J");
    jmethodID start = b->nat_of ? (*env)->GetStaticMethodID(env, r, "start", "()V") : NULL;
    if (!start)
        return false;
    (*env)->CallStaticVoidMethod(env, r, start);
    return !(*env)->ExceptionCheck(env);
}

void gl_jbridge_stop(void)
{
    __atomic_store_n(&gl_jbridge.stopped, 1, __ATOMIC_RELEASE); /* pairs with await_collection() */
    gl_os_futex_wake(&gl_jbridge.stopped, 1);
    gl_jbridge_collected(); /* so that whoever waits for one looks again */
}

struct gl_core *gl_jbridge_core(void) { return gl_jbridge.core; }

uint64_t gl_jbridge_count(enum gl_jcounter c) { return gl_load_relaxed(&gl_jbridge.count[c]); /* relaxed: a statistic */ }

struct gl_jthread *gl_jthread_of(JNIEnv *env, jobject thread)
{
    if (!gl_jbridge.nat_of)
        return NULL;
    jlong nat = (*env)->CallStaticLongMethod(env, gl_jbridge.r, gl_jbridge.nat_of, thread);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        return NULL;
    }
    return ME(nat);
}
