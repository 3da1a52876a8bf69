/* SPDX-License-Identifier: Apache-2.0
 *
 * The hook at class load: which class is rewritten, for what, with which rules; and the classes of the JDK that were loaded
 * before the runtime's classes could be defined.
 *
 *   application class     data, monitors, volatile fields, class initialization; shadow fields are added
 *   class of the JDK      in which threads synchronize (policy.c): volatile fields, monitors, jdk.internal.misc.Unsafe
 *                         clone()
 *   java.lang.Thread      calls at start, join ...
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/atomic.h"
#include "java/agent.h"
#include "java/bridge.h"
#include "java/classes.h"
#include "java/gate.h"
#include "java/image.h"
#include "java/jdk_rules.h"
#include "java/policy.h"
#include "java/rewrite.h"
#include "java/site.h"

static struct {
    _Atomic uint64_t rewritten, unchanged, malformed, methods_left;
} counts;

/* One rewrite. */
struct work {
    uint32_t loader;
    const char *name;
    bool boot; /* the loader is the boot loader */
    char **helper; /* our methods in the class, which is there; JVMTI's */
    jint n_helpers;
};

/* ---- what the rewriter asks ---- */

static bool on_checked(void *ctx, const char *owner)
{
    (void)ctx;
    return gl_j_owner_checked(owner, gl_j_of_jdk(owner));
}

static bool on_sync_owner(void *ctx, const char *owner)
{
    (void)ctx;
    return gl_j_class_of(&gl_j_agent.options, owner, true) == GL_J_SYNC;
}

/* Reads a class of the JDK that was not loaded yet, or before we could see it; false: it is not there. */
static bool read_ahead(uint32_t loader, const char *name)
{
    size_t n = 0;
    unsigned char *bytes = gl_j_image_class(name, &n);
    bool there = bytes && gl_j_class_add(loader, bytes, n, false);
    free(bytes);
    return there;
}

static enum gl_jkind on_field_kind(void *ctx, const char *owner, const char *name, const char *desc, bool is_static)
{
    const struct work *w = ctx;
    const char *unseen;
    if (gl_j_acts_volatile(owner, name)) return GL_JKIND_VOLATILE;
    enum gl_jkind kind = gl_j_field_kind(w->loader, owner, name, desc, is_static);
    while (kind == GL_JKIND_UNKNOWN && w->boot && (unseen = gl_j_class_unseen(w->loader, owner)) && read_ahead(w->loader, unseen))
        kind = gl_j_field_kind(w->loader, owner, name, desc, is_static);
    return kind;
}

static bool on_acts_volatile(void *ctx, const char *owner, const char *name)
{
    (void)ctx;
    return gl_j_acts_volatile(owner, name);
}

/* Accesses without a place are not seen; those to volatile variables would be missing in the order of others. */
static void stop_for_want_of_places(void)
{
    struct gl_core *core = gl_jbridge_core();
    GL_JINSIDE;
    if (core) gl_core_stop(core);
}

static uint32_t on_site(void *ctx, const struct gl_jplace *p)
{
    (void)ctx;
    struct gl_j_site s = {.class_name = p->class_name, .method = p->method, .method_desc = p->method_desc, .file = p->source_file,
                          .line = p->line, .bci = (uint16_t)p->bci};
    switch (p->op) {
    case GL_JOP_GETFIELD:
    case GL_JOP_PUTFIELD:
        s.op = GL_J_FIELD;
        break;
    case GL_JOP_GETSTATIC:
    case GL_JOP_PUTSTATIC:
        s.op = GL_J_STATIC;
        break;
    case GL_JOP_NEW:
        s.op = GL_J_CLASS;
        break;
    case GL_JOP_ARRAY_LOAD:
    case GL_JOP_ARRAY_STORE:
    case GL_JOP_CALL:
        s.op = GL_J_ARRAY;
        break;
    }
    s.write = p->op == GL_JOP_PUTFIELD || p->op == GL_JOP_PUTSTATIC || p->op == GL_JOP_ARRAY_STORE;
    s.owner = p->owner; /* NULL: an array's element */
    if (s.op == GL_J_FIELD || s.op == GL_J_STATIC) s.field = p->name;
    s.field_desc = p->desc;
    uint32_t number = gl_j_site_add(&s);
    if (!number) stop_for_want_of_places();
    return number;
}

static uint32_t on_class_id(void *ctx, const char *name)
{
    const struct work *w = ctx;
    return gl_j_class_id(w->loader, name);
}

static bool on_has_helper(void *ctx, const char *helper)
{
    const struct work *w = ctx;
    for (jint i = 0; i < w->n_helpers; i++)
        if (strcmp(w->helper[i], helper) == 0) return true;
    return false;
}

static void on_skipped(void *ctx, const char *class_name, const char *method, const char *method_desc, const char *why)
{
    (void)ctx;
    gl_add_relaxed(&counts.methods_left, 1); /* relaxed: a counter */
    gl_j_say("%s.%s%s is not checked: %s", class_name, method, method_desc, why);
}

/* ---- one class ---- */

/* Writes the rewritten class to the folder that dump= names. */
static void dump(const char *name, const struct gl_jbytes *b)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%s.class", gl_j_agent.options.dump, name);
    if (n < 0 || (size_t)n >= sizeof path || strstr(name, "..")) return;
    for (char *s = path + strlen(gl_j_agent.options.dump) + 1; (s = strchr(s, '/')); s++) {
        *s = 0;
        mkdir(path, 0777);
        *s = '/';
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, b->at, b->n) != (ssize_t)b->n) gl_j_say("dump: %s cannot be written", path);
    if (fd >= 0) close(fd);
}

static void give(jvmtiEnv *ti, const char *name, struct gl_jbytes *b, jint *new_n, unsigned char **new_bytes)
{
    unsigned char *copy = NULL;
    if (gl_j_agent.options.dump[0]) dump(name, b);
    if ((*ti)->Allocate(ti, (jlong)b->n, &copy) == JVMTI_ERROR_NONE) {
        memcpy(copy, b->at, b->n);
        *new_n = (jint)b->n;
        *new_bytes = copy;
        gl_add_relaxed(&counts.rewritten, 1); /* relaxed: a counter */
    } else {
        gl_j_say("no memory to rewrite class %s; it is not checked", name);
    }
    free(b->at);
}

static void rewrite(jvmtiEnv *ti, const char *name, const unsigned char *bytes, size_t n, const struct gl_jpolicy *p, jint *new_n,
                    unsigned char **new_bytes)
{
    struct gl_jbytes out;
    char error[GL_JERROR_BYTES];
    switch (gl_jrewrite(bytes, n, p, &out, error)) {
    case GL_JR_REWRITTEN:
        give(ti, name, &out, new_n, new_bytes);
        break;
    case GL_JR_NOTHING:
        gl_add_relaxed(&counts.unchanged, 1); /* relaxed: a counter */
        break;
    default:
        gl_add_relaxed(&counts.malformed, 1); /* relaxed: a counter */
        gl_j_say("class %s is not checked: %s", name, error);
    }
}

static struct gl_jpolicy policy_of_jdk(struct work *w)
{
    struct gl_j_calls rules = gl_j_jdk_calls();
    struct gl_jpolicy p = {.ctx = w,
                           .flags = GL_JR_MONITORS | GL_JR_VOLATILE, /* the JDK's static data is not checked: no CLINIT */
                           .checked = on_sync_owner,
                           .field_kind = on_field_kind,
                           .acts_volatile = on_acts_volatile,
                           .site = on_site,
                           .skipped = on_skipped,
                           .calls = rules.call,
                           .n_calls = rules.n,
                           .arounds = rules.around,
                           .n_arounds = rules.n_around,
                           .filter = rules.filter};
    gl_j_method_rules(w->name, &p.methods, &p.n_methods);
    /* What threads do to be threads is told by the method rules.  That a virtual thread's state passes through the carriers
     * that run it must order nothing. */
    if (strcmp(w->name, "java/lang/Thread") == 0 || strcmp(w->name, "java/lang/VirtualThread") == 0 ||
        strcmp(w->name, "java/lang/InterruptedException") == 0 || strcmp(w->name, "java/lang/Object") == 0 ||
        strcmp(w->name, "java/lang/Throwable") == 0)
        p.flags = p.n_calls = p.n_arounds = 0;
    return p;
}

/* `late`: the class is there, and has no members of ours. */
static struct gl_jpolicy policy_of_application(struct work *w, bool checked, bool late)
{
    struct gl_j_calls rules = gl_j_application_calls(checked && gl_j_agent.options.arrays);
    struct gl_jpolicy p = {.ctx = w,
                           .flags = GL_JR_SYNC | GL_JR_CLASS_USE | GL_JR_CONSTANTS | GL_JR_LOADERS,
                           .checked = on_checked,
                           .field_kind = on_field_kind,
                           .site = on_site,
                           .class_id = on_class_id,
                           .skipped = on_skipped,
                           .calls = rules.call,
                           .n_calls = rules.n,
                           .arounds = rules.around,
                           .n_arounds = rules.n_around,
                           .filter = rules.filter};
    uint32_t id = gl_j_class_id(w->loader, w->name);
    bool is_event = gl_j_class_is_event(id); /* what it looks like when it is transformed again is the flight recorder's business */
    /* Before it calls a <clinit> the JVM asks whether there is much stack left, and if not, the class cannot be used any more.  Exceptions may be made for the
     * first time where the stack has just overflowed; few programs rely on what the initialization of their classes orders. */
    if (!late && !is_event && !gl_j_class_may_be_thrown(id)) p.flags |= GL_JR_MAKE_CLINIT;
    if (gl_j_class_finalizes(id)) gl_j_finalizer_rules(&p.methods, &p.n_methods);
    if (checked) p.flags |= GL_JR_DATA | (late || is_event ? 0 : GL_JR_MEMBERS) | (gl_j_agent.options.arrays ? 0 : GL_JR_NO_ARRAYS);
    return p;
}

/* ---- accesses to buffers and segments ---- */

/* In it the VarHandles of ByteBuffers and MemorySegments make their accesses.  It is loaded early and large, and few programs have
 * such handles: it is transformed again when the first of their classes is loaded. */
#define SCOPED "jdk/internal/misc/ScopedMemoryAccess"
static struct {
    pthread_mutex_t lock; /* guards the rest */
    jclass klass;         /* global; NULL: not loaded before the agent was up, or transformed */
} scoped = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_view(const char *name)
{
    static const char *const prefix[] = {"java/lang/invoke/VarHandleByteArrayAs", "java/lang/invoke/VarHandleSegment"};
    for (size_t i = 0; i < sizeof prefix / sizeof prefix[0]; i++)
        if (strncmp(name, prefix[i], strlen(prefix[i])) == 0) return true;
    return false;
}

/* Returns when it is done, whoever does it: then the class that is being loaded may be used. */
static void transform_scoped(JNIEnv *env)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    pthread_mutex_lock(&scoped.lock);
    if (scoped.klass) {
        if ((*ti)->RetransformClasses(ti, 1, &scoped.klass) != JVMTI_ERROR_NONE)
            gl_j_say("%s cannot be transformed: what VarHandles of buffers and segments order is missed", SCOPED);
        (*env)->DeleteGlobalRef(env, scoped.klass);
        scoped.klass = NULL;
    }
    pthread_mutex_unlock(&scoped.lock);
}

/* What the class has got of them: the JVM knows, whatever bytes were rewritten for classes of this name that it then refused. */
static bool list_helpers(jvmtiEnv *ti, jclass klass, struct work *w)
{
    jint n = 0;
    jmethodID *method = NULL;
    if ((*ti)->GetClassMethods(ti, klass, &n, &method) != JVMTI_ERROR_NONE) return false;
    w->helper = calloc((size_t)n + 1, sizeof *w->helper);
    for (jint i = 0; w->helper && i < n; i++) {
        char *name = NULL;
        if ((*ti)->GetMethodName(ti, method[i], &name, NULL, NULL) != JVMTI_ERROR_NONE) continue;
        if (strncmp(name, "$gl", 3) == 0)
            w->helper[w->n_helpers++] = name;
        else
            gl_j_free(name);
    }
    gl_j_free(method);
    return w->helper != NULL;
}

void JNICALL gl_j_on_class(jvmtiEnv *ti, JNIEnv *env, jclass redefined, jobject loader, const char *name, jobject domain,
                           jint n, const unsigned char *bytes, jint *new_n, unsigned char **new_bytes)
{
    (void)domain;
    char own_name[1024];
    if (n <= 0) return;
    if (!name) { /* as it may be, when a class is defined without saying its name */
        if (!gl_jclass_name(bytes, (size_t)n, own_name, sizeof own_name)) return;
        name = own_name;
    }
    if (!gl_j_agent.up) return; /* gl_j_transform_loaded() will see to it */
    bool of_jdk = gl_j_is_jdk_loader(env, loader) || gl_j_of_jdk(name);
    enum gl_j_class kind = gl_j_class_of(&gl_j_agent.options, name, of_jdk);
    if (kind == GL_J_NONE && of_jdk) return;
    if (!loader && is_view(name)) transform_scoped(env);
    struct work w = {.loader = gl_j_loader(ti, env, loader), .name = name, .boot = !loader};
    if (!w.loader || !gl_j_class_add(w.loader, bytes, (size_t)n, redefined)) {
        gl_add_relaxed(&counts.malformed, 1); /* relaxed: a counter */
        return; /* malformed: the JVM will say so; no memory: it is not checked */
    }
    if (kind == GL_J_NONE && !gl_j_class_loads(w.loader, name)) return;
    bool late = gl_j_class_is_late(w.loader, name); /* if not, it gets the same members each time */
    struct gl_jbytes wrapped = {NULL, 0};
    char error[GL_JERROR_BYTES];
    struct gl_jpolicy p;
    if (kind == GL_J_NONE) /* what a loader loads may be checked all the same */
        p = (struct gl_jpolicy){.ctx = &w, .flags = GL_JR_LOADERS, .skipped = on_skipped};
    else if (of_jdk)
        p = policy_of_jdk(&w);
    else
        p = policy_of_application(&w, kind == GL_J_CHECKED, late);
    if (redefined && !of_jdk && list_helpers(ti, redefined, &w)) p.has_helper = on_has_helper;
    if (kind != GL_J_NONE && !late && !of_jdk && gl_jwrap_natives(bytes, (size_t)n, &wrapped, error) == GL_JR_REWRITTEN)
        rewrite(ti, name, wrapped.at, wrapped.n, &p, new_n, new_bytes);
    else
        rewrite(ti, name, bytes, (size_t)n, &p, new_n, new_bytes);
    free(wrapped.at);
    while (w.n_helpers > 0) gl_j_free(w.helper[--w.n_helpers]);
    free(w.helper);
}

/* ---- classes that were there before ---- */

/* A class in which threads synchronize. */
struct loaded {
    jclass klass;
    uint32_t loader;
    bool boot;
    char *signature; /* "Ljava/util/Vector", from JVMTI: the semicolon is cut off */
    const char *name;
    unsigned char *bytes; /* its class file; NULL: not known */
    size_t n;
};

/* Those among the n classes, in `all`, but for SCOPED; *views: is it needed already?  The others' references are given back by the
 * return from VMInit. */
static size_t find_loaded(JNIEnv *env, const jclass *klass, jint n, struct loaded *all, bool *views)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    size_t found = 0;
    for (jint i = 0; i < n; i++) {
        char *signature = NULL;
        jobject loader = NULL;
        jboolean modifiable = JNI_FALSE;
        bool wanted = false;
        (*ti)->GetClassLoader(ti, klass[i], &loader);
        (*ti)->IsModifiableClass(ti, klass[i], &modifiable);
        if (modifiable && gl_j_is_jdk_loader(env, loader) &&
            (*ti)->GetClassSignature(ti, klass[i], &signature, NULL) == JVMTI_ERROR_NONE && signature[0] == 'L') {
            signature[strlen(signature) - 1] = 0;
            wanted = gl_j_class_of(&gl_j_agent.options, signature + 1, true) == GL_J_SYNC;
            *views |= is_view(signature + 1);
            if (wanted && strcmp(signature + 1, SCOPED) == 0) {
                scoped.klass = (*env)->NewGlobalRef(env, klass[i]); /* nobody else looks yet */
                wanted = false;
            }
        }
        if (wanted)
            all[found++] = (struct loaded){klass[i], gl_j_loader(ti, env, loader), !loader, signature, signature + 1, NULL, 0};
        else
            gl_j_free(signature);
        if (loader) (*env)->DeleteLocalRef(env, loader);
    }
    return found;
}

/* Is there something to be rewritten in it?  When it is not known: yes. */
static bool has_work(const struct loaded *l)
{
    struct work w = {.loader = l->loader, .name = l->name, .boot = l->boot};
    struct gl_jpolicy p = policy_of_jdk(&w);
    char error[GL_JERROR_BYTES];
    p.site = NULL; /* no numbers for what is thrown away */
    p.skipped = NULL;
    return !l->bytes || gl_jrewrite(l->bytes, l->n, &p, NULL, error) == GL_JR_REWRITTEN;
}

/* Most classes have nothing to be rewritten.  Which ones is found out before, for to transform a class again is slow even when nothing
 * changes.  Puts those that have into `chosen`. */
static jint choose(struct loaded *all, size_t n, jclass *chosen)
{
    jint found = 0;
    gl_j_image_open();
    for (size_t i = 0; i < n; i++) {
        all[i].bytes = gl_j_image_class(all[i].name, &all[i].n);
        if (all[i].bytes) gl_j_class_add(all[i].loader, all[i].bytes, all[i].n, true); /* before another one asks for its fields */
    }
    for (size_t i = 0; i < n; i++)
        if (has_work(&all[i])) chosen[found++] = all[i].klass;
    return found;
}

/* Those of the application among the n classes: another agent has loaded them, or they are what the system's class loader is made of. */
static jint find_application(JNIEnv *env, const jclass *klass, jint n, jclass *out)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    jint found = 0;
    for (jint i = 0; i < n; i++) {
        char *signature = NULL;
        jobject loader = NULL;
        jboolean modifiable = JNI_FALSE;
        (*ti)->GetClassLoader(ti, klass[i], &loader);
        (*ti)->IsModifiableClass(ti, klass[i], &modifiable);
        if (modifiable && !gl_j_is_jdk_loader(env, loader) &&
            (*ti)->GetClassSignature(ti, klass[i], &signature, NULL) == JVMTI_ERROR_NONE && signature[0] == 'L') {
            signature[strlen(signature) - 1] = 0;
            if (!gl_j_of_jdk(signature + 1) && gl_j_class_of(&gl_j_agent.options, signature + 1, false) != GL_J_NONE) out[found++] = klass[i];
        }
        gl_j_free(signature);
        if (loader) (*env)->DeleteLocalRef(env, loader);
    }
    return found;
}

/* They synchronize from now on; what cannot be added to them any more is cells for their objects' fields. */
static void transform_application(const jclass *klass, jint n)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    jint done = (*ti)->RetransformClasses(ti, n, klass) == JVMTI_ERROR_NONE ? n : 0;
    for (jint i = 0; i < n && done < n; i++) /* one that cannot be linked is no reason to leave the others alone */
        (*ti)->RetransformClasses(ti, 1, &klass[i]);
    char *name = NULL;
    if ((*ti)->GetClassSignature(ti, klass[0], &name, NULL) != JVMTI_ERROR_NONE) return;
    for (char *s = name; *s; s++)
        if (*s == '/') *s = '.';
    gl_j_say("%d of the application's classes had been loaded before the agent was up (%.*s%s): fields of their objects are not checked;"
             " if another agent loads them, give it after this one",
             (int)n, (int)strlen(name) - 2, name + 1, n > 1 ? " ..." : "");
    gl_j_free(name);
}

enum { CLASSES_MOST = 60000 }; /* a reference to each; the JVM itself has no bound, but -Xcheck:jni wants to be asked */

bool gl_j_transform_loaded(JNIEnv *env)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    jclass *klass = NULL;
    jint n = 0;
    if ((*env)->EnsureLocalCapacity(env, CLASSES_MOST) != 0 || (*ti)->GetLoadedClasses(ti, &n, &klass) != JVMTI_ERROR_NONE) return false;
    struct loaded *all = calloc((size_t)n, sizeof *all);
    jclass *early = calloc((size_t)n, sizeof *early);
    bool views = false;
    size_t found = all ? find_loaded(env, klass, n, all, &views) : 0;
    jint n_early = early ? find_application(env, klass, n, early) : 0;
    jint chosen = choose(all, found, klass);
    jvmtiError error = !all ? JVMTI_ERROR_OUT_OF_MEMORY : chosen ? (*ti)->RetransformClasses(ti, chosen, klass) : JVMTI_ERROR_NONE;
    for (size_t i = 0; i < found; i++) {
        gl_j_free(all[i].signature);
        free(all[i].bytes);
    }
    free(all);
    gl_j_free(klass);
    if (views) transform_scoped(env);
    if (error == JVMTI_ERROR_NONE && n_early) transform_application(early, n_early);
    free(early);
    if (error != JVMTI_ERROR_NONE) {
        char *text = NULL;
        (*ti)->GetErrorName(ti, error, &text);
        gl_j_say("the JDK's own synchronization cannot be instrumented (%s)", text ? text : "?");
        gl_j_free(text);
        return false;
    }
    return true;
}

void gl_j_transform_counts(void (*count)(const char *name, uint64_t value))
{
    count("classes-rewritten", gl_load_relaxed(&counts.rewritten)); /* relaxed: counters, read when it is quiet */
    count("classes-unchanged", gl_load_relaxed(&counts.unchanged));
    count("classes-malformed", gl_load_relaxed(&counts.malformed));
    count("methods-left-alone", gl_load_relaxed(&counts.methods_left));
    count("sites", gl_j_sites());
}
