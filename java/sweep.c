/* SPDX-License-Identifier: Apache-2.0
 *
 * The natives of goldilocks.rt.Sweep: the fields of all objects are looked at by the JVM's walk through its heap.
 *
 * The walk tells fields by number: first come those of all interfaces, then of each class from Object down, in the order of the class file
 * (JVM TI, jvmtiHeapReferenceInfoField).  For each class whose objects have shadow fields that is found out once and kept as the class's tag, in a
 * tool environment of our own; objects of classes without a tag are passed over.
 */
#include <jvmti.h>
#include <string.h>

#include "core/sweep.h"
#include "java/bridge_state.h"
#include "java/serial.h"
#include "platform/platform.h"

#define WORD_OFF (0xFFFFFFFDull << 32) /* Access.OFF */
#define NATIVE(type) static type JNICALL

/* Of a class: which of its objects' fields are words of cells. */
struct shape {
    uint32_t fields;
    uint64_t words[]; /* a bit for each */
};

static struct {
    jvmtiEnv *ti;
    struct gl_sweep_bits *suspects; /* as gl_sweep_begin_slowly() has it */
    struct gl_spin lock;            /* guards the next one, but while the gate is closed */
    struct gl_sweep *raced;         /* ids of words that may be put back, as a sweep that never ends */
    bool lost;                      /* there was no memory for one: no id is freed any more */
} sweep;

void gl_jsweep_raced(uint64_t word)
{
    if (word >> 32 == GL_CELL_SIDE)
        return; /* never put back */
    gl_spin_lock(&sweep.lock);
    if (!sweep.raced && (sweep.raced = gl_os_map(sizeof *sweep.raced)))
        sweep.raced->core = gl_jbridge.core;
    if (sweep.raced)
        gl_sweep_word(sweep.raced, word);
    sweep.lost |= !sweep.raced;
    gl_spin_unlock(&sweep.lock);
}

/* With the gate closed. */
static void keep_raced(struct gl_sweep *s)
{
    s->failed |= sweep.lost;
    for (size_t i = 0; sweep.raced && i < sizeof s->used.word / sizeof *s->used.word; i++)
        s->used.word[i] |= sweep.raced->used.word[i];
    if (sweep.raced && !s->failed) {
        memset(&sweep.raced->used, 0, sizeof sweep.raced->used);
        sweep.raced->last = 0;
    }
}

static bool ready(JNIEnv *env)
{
    JavaVM *vm;
    if (!sweep.suspects)
        sweep.suspects = gl_os_map(sizeof *sweep.suspects);
    if (!sweep.suspects || sweep.ti)
        return sweep.suspects && sweep.ti;
    jvmtiEnv *ti;
    jvmtiCapabilities c = {.can_tag_objects = 1};
    if ((*env)->GetJavaVM(env, &vm) != 0 || (*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
        return false;
    if ((*ti)->AddCapabilities(ti, &c) != JVMTI_ERROR_NONE) {
        (*ti)->DisposeEnvironment(ti);
        return false;
    }
    sweep.ti = ti;
    return true;
}

static void give_back(void *p)
{
    if (p)
        (void)(*sweep.ti)->Deallocate(sweep.ti, p);
}

/* ---- fields by number ---- */

#define CHAIN 256 /* classes above one another, and interfaces of a class, that are followed */

/* A class with all above it; interfaces of all of these, each once. */
struct family {
    jclass chain[CHAIN], interface[CHAIN];
    uint32_t n_chain, n_interfaces;
};

static bool add_interfaces(JNIEnv *env, struct family *f, jclass of)
{
    jint n = 0;
    jclass *list = NULL;
    bool fine = (*sweep.ti)->GetImplementedInterfaces(sweep.ti, of, &n, &list) == JVMTI_ERROR_NONE;
    for (jint i = 0; fine && i < n; i++) {
        bool is_new = true;
        for (uint32_t k = 0; k < f->n_interfaces && is_new; k++)
            is_new = !(*env)->IsSameObject(env, f->interface[k], list[i]);
        if (!is_new) {
            (*env)->DeleteLocalRef(env, list[i]);
            continue;
        }
        fine = f->n_interfaces < CHAIN;
        if (fine)
            f->interface[f->n_interfaces++] = list[i];
    }
    give_back(list);
    return fine;
}

static bool family_of(JNIEnv *env, jclass c, struct family *f)
{
    f->n_chain = f->n_interfaces = 0;
    for (; c; c = (*env)->GetSuperclass(env, c)) {
        if (f->n_chain == CHAIN || !add_interfaces(env, f, c))
            return false;
        f->chain[f->n_chain++] = c;
    }
    for (uint32_t i = 0; i < f->n_interfaces; i++) /* it grows meanwhile */
        if (!add_interfaces(env, f, f->interface[i]))
            return false;
    return true;
}

static bool begins(jclass c, jfieldID field, const char *prefix, bool *begins)
{
    char *name = NULL, *type = NULL;
    if ((*sweep.ti)->GetFieldName(sweep.ti, c, field, &name, &type, NULL) != JVMTI_ERROR_NONE)
        return false;
    *begins = strncmp(name, prefix, strlen(prefix)) == 0 && strcmp(type, "J") == 0;
    give_back(name);
    give_back(type);
    return true;
}

/* Calls `word` for each word of the fields that a class itself declares, with their number, which goes on from *number; false: it went wrong. */
typedef bool word_fn(void *ctx, jclass declaring, jfieldID field, uint32_t number);
static bool words_of(jclass c, uint32_t *number, word_fn *word, void *ctx)
{
    jint n = 0;
    jfieldID *field = NULL;
    if ((*sweep.ti)->GetClassFields(sweep.ti, c, &n, &field) != JVMTI_ERROR_NONE)
        return false;
    bool fine = true;
    for (jint i = 0; fine && word && i < n; i++) {
        bool is_word = false, is_sites = false; /* they lie beside one another (rewrite_members.c) */
        fine = begins(c, field[i], "$w$", &is_word) && (!is_word || i + 1 == n || begins(c, field[i + 1], "$s$", &is_sites));
        if (fine && is_word && is_sites)
            fine = word(ctx, c, field[i], *number + (uint32_t)i);
    }
    *number += (uint32_t)n;
    give_back(field);
    return fine;
}

static bool words_of_all(JNIEnv *env, jclass c, uint32_t *fields, word_fn *word, void *ctx)
{
    struct family f;
    *fields = 0;
    bool fine = family_of(env, c, &f);
    for (uint32_t i = 0; fine && i < f.n_interfaces; i++)
        fine = words_of(f.interface[i], fields, NULL, NULL);
    while (fine && f.n_chain-- > 0)
        fine = words_of(f.chain[f.n_chain], fields, word, ctx);
    return fine;
}

/* ---- classes ---- */

static bool note_number(void *last, jclass declaring, jfieldID field, uint32_t number)
{
    (void)declaring, (void)field;
    *(uint32_t *)last = number + 1;
    return true;
}

static bool note_word(void *shape, jclass declaring, jfieldID field, uint32_t number)
{
    (void)declaring, (void)field;
    ((struct shape *)shape)->words[number / 64] |= 1ull << number % 64;
    return true;
}

static bool tag(JNIEnv *env, jclass c)
{
    jlong old = 0;
    jint status = 0;
    uint32_t fields, words = 0;
    if ((*sweep.ti)->GetTag(sweep.ti, c, &old) != JVMTI_ERROR_NONE || old ||
        (*sweep.ti)->GetClassStatus(sweep.ti, c, &status) != JVMTI_ERROR_NONE || !(status & JVMTI_CLASS_STATUS_PREPARED) ||
        (status & (JVMTI_CLASS_STATUS_ARRAY | JVMTI_CLASS_STATUS_PRIMITIVE)))
        return true; /* a class that is not prepared has no objects */
    if (!words_of_all(env, c, &fields, note_number, &words))
        return false;
    if (!words)
        return true;
    struct shape *s = gl_arena_alloc(sizeof *s + (words / 64 + 1) * sizeof *s->words);
    if (!s)
        return false;
    s->fields = words;
    return words_of_all(env, c, &fields, note_word, s) && (*sweep.ti)->SetTag(sweep.ti, c, (jlong)(uintptr_t)s) == JVMTI_ERROR_NONE;
}

/* Objects of classes that are loaded from now on have segments of now only. */
static bool tag_classes(JNIEnv *env)
{
    jint n = 0;
    jclass *list = NULL;
    if ((*sweep.ti)->GetLoadedClasses(sweep.ti, &n, &list) != JVMTI_ERROR_NONE)
        return false;
    bool fine = true;
    for (jint i = 0; i < n; i++) {
        jobject loader = NULL;
        bool room = fine && (*env)->PushLocalFrame(env, 3 * CHAIN) == 0;
        if (room && (*sweep.ti)->GetClassLoader(sweep.ti, list[i], &loader) == JVMTI_ERROR_NONE && loader) /* the boot loader's have no shadows */
            fine = tag(env, list[i]);
        if (room)
            (*env)->PopLocalFrame(env, NULL);
        fine = fine && room;
        (*env)->DeleteLocalRef(env, list[i]);
    }
    give_back(list);
    (*env)->ExceptionClear(env);
    return fine;
}

/* ---- the walk ---- */

#define LOCKED_MOST 4096u

/* Cells that were locked: their objects get a tag, their number here and one, and are looked at one by one. */
struct walk {
    struct gl_sweep *sweep;
    uint64_t cells;
    uint32_t n, tags, field[LOCKED_MOST];
    jlong tag[LOCKED_MOST];
};

static jint JNICALL on_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag, jlong *tag, jvalue value,
                             jvmtiPrimitiveType type, void *walk)
{
    struct walk *w = walk;
    const struct shape *s = (const struct shape *)(uintptr_t)class_tag;
    uint32_t i = (uint32_t)info->field.index;
    if (kind != JVMTI_HEAP_REFERENCE_FIELD || type != JVMTI_PRIMITIVE_TYPE_LONG || i >= s->fields || !(s->words[i / 64] >> i % 64 & 1))
        return JVMTI_VISIT_OBJECTS;
    w->cells++;
    uint64_t word = (uint64_t)value.j;
    if (word == GL_CELL_LOCKED) {
        if (w->n < LOCKED_MOST) {
            if (!*tag)
                *tag = (jlong)++w->tags;
            w->tag[w->n] = *tag;
            w->field[w->n] = i;
        }
        w->n++;
    } else if (word != WORD_OFF) {
        gl_sweep_word(w->sweep, word); /* nobody is between two instructions: a record of a cell that is not locked does not change now */
    }
    return JVMTI_VISIT_OBJECTS;
}

struct wanted {
    uint32_t number;
    jclass declaring;
    jfieldID field;
};

static bool is_wanted(void *wanted, jclass declaring, jfieldID field, uint32_t number)
{
    struct wanted *w = wanted;
    if (number == w->number)
        *w = (struct wanted){number, declaring, field};
    return true;
}

/* Object, class and name of the i-th, into `out`. */
static bool put_locked(JNIEnv *env, const struct walk *w, uint32_t i, jobject o, jobjectArray out)
{
    uint32_t fields;
    struct wanted field = {w->field[i], NULL, NULL};
    char *name = NULL;
    jclass c = (*env)->GetObjectClass(env, o);
    if (!words_of_all(env, c, &fields, is_wanted, &field) || !field.declaring ||
        (*sweep.ti)->GetFieldName(sweep.ti, field.declaring, field.field, &name, NULL, NULL) != JVMTI_ERROR_NONE)
        return false;
    jstring text = (*env)->NewStringUTF(env, name);
    give_back(name);
    if (!text)
        return false;
    (*env)->SetObjectArrayElement(env, out, 3 * (jsize)i, o);
    (*env)->SetObjectArrayElement(env, out, 3 * (jsize)i + 1, field.declaring);
    (*env)->SetObjectArrayElement(env, out, 3 * (jsize)i + 2, text);
    return true;
}

static jobjectArray locked(JNIEnv *env, const struct walk *w)
{
    jclass object = (*env)->FindClass(env, "java/lang/Object");
    jobjectArray out = object ? (*env)->NewObjectArray(env, 3 * (jsize)w->n, object, NULL) : NULL;
    bool fine = out != NULL;
    for (jlong tag = 1; tag <= (jlong)w->tags; tag++) {
        jint n = 0;
        jobject *o = NULL;
        bool room = (*env)->PushLocalFrame(env, 4 * CHAIN) == 0;
        fine = fine && room && (*sweep.ti)->GetObjectsWithTags(sweep.ti, 1, &tag, &n, &o, NULL) == JVMTI_ERROR_NONE && n <= 1;
        for (uint32_t i = 0; fine && n == 1 && i < w->n; i++) /* n == 0: it has died */
            fine = w->tag[i] != tag || put_locked(env, w, i, o[0], out);
        if (n == 1)
            (void)(*sweep.ti)->SetTag(sweep.ti, o[0], 0);
        give_back(o);
        if (room)
            (*env)->PopLocalFrame(env, NULL);
    }
    (*env)->ExceptionClear(env);
    return fine ? out : NULL;
}

NATIVE(jobjectArray) sweep_fields(JNIEnv *env, jclass c, jlong nat)
{
    (void)c;
    struct walk *w = gl_os_map(sizeof *w);
    jobjectArray out = NULL;
    jvmtiHeapCallbacks on = {.primitive_field_callback = on_field};
    if (w && tag_classes(env)) {
        w->sweep = (struct gl_sweep *)(uintptr_t)nat;
        /* JDK 16 and later put objects that compiled code keeps in registers into the heap first, for this call. */
        if ((*sweep.ti)->IterateThroughHeap(sweep.ti, JVMTI_HEAP_FILTER_CLASS_UNTAGGED, NULL, &on, w) == JVMTI_ERROR_NONE && w->n <= LOCKED_MOST)
            out = locked(env, w);
    }
    if (w)
        gl_os_unmap(w, sizeof *w);
    return out;
}

/* ---- the rest ---- */

NATIVE(jboolean) sweep_due(JNIEnv *env, jclass c)
{
    (void)env, (void)c;
    return __atomic_exchange_n(&gl_jbridge.sweep_due, 0, __ATOMIC_SEQ_CST) != 0;
}

NATIVE(void) sweep_put_off(JNIEnv *env, jclass c)
{
    (void)env, (void)c;
    gl_core_sweep_put_off(gl_jbridge.core);
}

NATIVE(jlong) sweep_begin(JNIEnv *env, jclass c)
{
    (void)c;
    if (!ready(env) || !gl_jgate_close())
        return 0;
    struct gl_sweep *s = gl_sweep_begin_slowly(gl_jbridge.core, sweep.suspects);
    gl_jgate_open();
    return (jlong)(uintptr_t)s;
}

NATIVE(jboolean) sweep_standing(JNIEnv *env, jclass c, jlong nat)
{
    (void)env, (void)c;
    const struct gl_jthread *t = (const struct gl_jthread *)(uintptr_t)nat;
    return __atomic_load_n(&t->passed, __ATOMIC_RELAXED) != gl_jbridge.sweeps; /* relaxed: what it says was so before */
}

static bool is_ours(jmethodID method)
{
    jclass of = NULL;
    char *name = NULL;
    if ((*sweep.ti)->GetMethodDeclaringClass(sweep.ti, method, &of) != JVMTI_ERROR_NONE ||
        (*sweep.ti)->GetClassSignature(sweep.ti, of, &name, NULL) != JVMTI_ERROR_NONE)
        return true;
    bool ours = strncmp(name, "Lgoldilocks/", 12) == 0;
    give_back(name);
    return ours;
}

/* In a native method that the runtime has not called: even one of Unsafe's may be on the way to a cell. */
NATIVE(jboolean) sweep_in_native(JNIEnv *env, jclass c, jthread thread)
{
    (void)c;
    enum { FRAMES = 16 };
    jint n = 0;
    jvmtiFrameInfo frame[FRAMES];
    jboolean native = JNI_FALSE;
    if (!ready(env) || (*env)->PushLocalFrame(env, FRAMES) != 0)
        return JNI_FALSE;
    bool other = (*sweep.ti)->GetStackTrace(sweep.ti, thread, 0, FRAMES, frame, &n) == JVMTI_ERROR_NONE && n > 0 &&
                 (*sweep.ti)->IsMethodNative(sweep.ti, frame[0].method, &native) == JVMTI_ERROR_NONE && native;
    for (jint i = 0; other && i < n; i++)
        other = !is_ours(frame[i].method);
    (*env)->PopLocalFrame(env, NULL);
    return other;
}

static bool is_kept(void *kept, uint32_t uid)
{
    return ((const uint64_t *)kept)[uid / 64] >> uid % 64 & 1;
}

NATIVE(void) sweep_keep(JNIEnv *env, jclass c, jlong nat, jlongArray threads, jint n)
{
    (void)c;
    struct gl_sweep *s = (struct gl_sweep *)(uintptr_t)nat;
    uint32_t most = gl_jthread_last_uid();
    uint64_t *kept = gl_os_map((most / 64 + 1) * sizeof *kept);
    jlong *t = kept ? (*env)->GetPrimitiveArrayCritical(env, threads, NULL) : NULL;
    s->failed |= !t;
    for (jint i = 0; t && i < n; i++) {
        uint32_t uid = ((const struct gl_jthread *)(uintptr_t)t[i])->uid;
        kept[uid / 64] |= 1ull << uid % 64;
    }
    if (t) {
        (*env)->ReleasePrimitiveArrayCritical(env, threads, t, JNI_ABORT);
        gl_sweep_threads(s, is_kept, kept);
    }
    if (kept)
        gl_os_unmap(kept, (most / 64 + 1) * sizeof *kept);
}

NATIVE(void) sweep_words(JNIEnv *env, jclass c, jlong nat, jlongArray words, jint n)
{
    (void)c;
    struct gl_sweep *s = (struct gl_sweep *)(uintptr_t)nat;
    jlong part[64];
    for (jint i = 0; i < n; i += 64) {
        jint m = n - i < 64 ? n - i : 64;
        (*env)->GetLongArrayRegion(env, words, i, m, part);
        for (jint k = 0; k < m; k++)
            gl_sweep_word(s, (uint64_t)part[k]);
    }
}

NATIVE(void) sweep_end(JNIEnv *env, jclass c, jlong nat, jboolean whole, jlong cells)
{
    (void)env, (void)c;
    struct gl_sweep *s = (struct gl_sweep *)(uintptr_t)nat;
    bool alone = gl_jgate_close();
    s->failed |= !alone || !whole || __atomic_load_n(&gl_jbridge.telling, __ATOMIC_SEQ_CST);
    if (alone)
        keep_raced(s);
    gl_jbridge.sweeps += !s->failed;
    gl_sweep_end(s, (uint64_t)cells * 32); /* the walk through the heap is slow */
    if (alone)
        gl_jgate_open();
}

const JNINativeMethod gl_jsweep_natives[] = {
    {"due", "()Z", (void *)sweep_due},
    {"putOff", "()V", (void *)sweep_put_off},
    {"begin", "()J", (void *)sweep_begin},
    {"standing", "(J)Z", (void *)sweep_standing},
    {"inNative", "(Ljava/lang/Thread;)Z", (void *)sweep_in_native},
    {"keep", "(J[JI)V", (void *)sweep_keep},
    {"words", "(J[JI)V", (void *)sweep_words},
    {"fields", "(J)[Ljava/lang/Object;", (void *)sweep_fields},
    {"end", "(JZJ)V", (void *)sweep_end},
};
const jint gl_jsweep_native_count = sizeof gl_jsweep_natives / sizeof gl_jsweep_natives[0];
