/* SPDX-License-Identifier: Apache-2.0
 *
 * Two hash tables under one lock: loaders by their identity hash, classes by loader and name.
 */
#include "java/classes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "java/image.h"
#include "java/policy.h"
#include "java/site.h"

struct field {
    const char *name, *desc;
    uint16_t access;
};

/* A native method that may have become two (rewrite_natives.c). */
struct native {
    const char *name, *desc;
};

struct klass {
    struct klass *next; /* in its bucket */
    uint32_t loader, id;
    const char *name, *super_name; /* super_name NULL: none, or not seen */
    bool seen;                     /* its fields are known */
    bool late;                     /* it was defined before that */
    bool finalizes;                /* it declares finalize() */
    bool initializes;              /* it has a static initializer */
    bool loads;                    /* it has a method loadClass */
    bool asked, thrown;            /* what was said of gl_j_class_may_be_thrown(), which stays so */
    unsigned n_fields, n_natives;
    struct field *field;
    struct native *native;
};

struct loader {
    struct loader *next; /* in its bucket */
    uint32_t id;
    jweak ref;
};

#define BUCKETS 4096u
#define ACC_STATIC 0x0008
#define ACC_FINAL 0x0010
#define ACC_SYNCHRONIZED 0x0020
#define ACC_VOLATILE 0x0040
#define ACC_NATIVE 0x0100
#define BOOT 1u
enum { DEEPEST = 256 }; /* a class file may lie about its superclass */

static struct {
    pthread_mutex_t lock; /* guards the rest */
    struct loader *loader[BUCKETS];
    struct klass *klass[BUCKETS];
    struct klass **by_id; /* 0..classes */
    uint32_t loaders, classes, room;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

uint32_t gl_j_loader(jvmtiEnv *ti, JNIEnv *env, jobject loader)
{
    jint hash = 0;
    if (!loader) return BOOT;
    if ((*ti)->GetObjectHashCode(ti, loader, &hash) != JVMTI_ERROR_NONE) return 0;
    struct loader **bucket = &table.loader[(uint32_t)hash % BUCKETS], *l;
    pthread_mutex_lock(&table.lock);
    for (l = *bucket; l && !(*env)->IsSameObject(env, l->ref, loader); l = l->next)
        ;
    if (!l && (l = calloc(1, sizeof *l))) {
        l->ref = (*env)->NewWeakGlobalRef(env, loader);
        l->id = BOOT + ++table.loaders;
        l->next = *bucket;
        *bucket = l;
    }
    uint32_t id = l ? l->id : 0;
    pthread_mutex_unlock(&table.lock);
    return id;
}

static struct klass **bucket_of(uint32_t loader, const char *name)
{
    uint32_t h = loader * 2654435761u;
    for (const char *s = name; *s; s++) h = (h ^ (unsigned char)*s) * 16777619u;
    return &table.klass[h % BUCKETS];
}

static struct klass *find_locked(uint32_t loader, const char *name)
{
    struct klass *k;
    for (k = *bucket_of(loader, name); k; k = k->next)
        if (k->loader == loader && strcmp(k->name, name) == 0) return k;
    return NULL;
}

static struct klass *make_locked(uint32_t loader, const char *name)
{
    struct klass *k = find_locked(loader, name);
    if (k) return k;
    if (table.classes + 1 >= table.room) {
        uint32_t room = table.room ? 2 * table.room : 1024;
        struct klass **more = realloc(table.by_id, room * sizeof *more);
        if (!more) return NULL;
        table.by_id = more;
        table.room = room;
    }
    k = calloc(1, sizeof *k);
    if (!k || !(k->name = gl_j_intern(name))) {
        free(k);
        return NULL;
    }
    struct klass **bucket = bucket_of(loader, name);
    k->loader = loader;
    k->id = ++table.classes;
    table.by_id[k->id] = k;
    k->next = *bucket;
    *bucket = k;
    return k;
}

uint32_t gl_j_class_id(uint32_t loader, const char *name)
{
    pthread_mutex_lock(&table.lock);
    struct klass *k = make_locked(loader, name);
    uint32_t id = k ? k->id : 0;
    pthread_mutex_unlock(&table.lock);
    return id;
}

bool gl_j_class_is_late(uint32_t loader, const char *name)
{
    pthread_mutex_lock(&table.lock);
    const struct klass *k = find_locked(loader, name);
    bool late = k && k->late;
    pthread_mutex_unlock(&table.lock);
    return late;
}

bool gl_j_class_loads(uint32_t loader, const char *name)
{
    pthread_mutex_lock(&table.lock);
    const struct klass *k = find_locked(loader, name);
    bool loads = k && k->loads;
    pthread_mutex_unlock(&table.lock);
    return loads;
}

bool gl_j_class_finalizes(uint32_t id)
{
    pthread_mutex_lock(&table.lock);
    const struct klass *k = id && id <= table.classes ? table.by_id[id] : NULL;
    bool may = false;
    for (unsigned depth = 0; k && k->seen && !may && depth < DEEPEST; depth++) {
        const struct klass *above = k->super_name ? find_locked(k->loader, k->super_name) : NULL;
        may = k->finalizes || (k->super_name && (!above || !above->seen) && !gl_j_of_jdk(k->super_name));
        k = above;
    }
    pthread_mutex_unlock(&table.lock);
    return may;
}

bool gl_j_class_lacks_initializer(uint32_t id)
{
    pthread_mutex_lock(&table.lock);
    const struct klass *k = id && id <= table.classes ? table.by_id[id] : NULL;
    bool lacks = k && k->seen && !k->initializes;
    pthread_mutex_unlock(&table.lock);
    return lacks;
}

bool gl_j_class_wraps_native(uint32_t id, const char *name, const char *desc)
{
    pthread_mutex_lock(&table.lock);
    const struct klass *k = id && id <= table.classes ? table.by_id[id] : NULL;
    bool found = false;
    for (unsigned i = 0; k && !k->late && i < k->n_natives && !found; i++)
        found = !name || (strcmp(k->native[i].name, name) == 0 && strcmp(k->native[i].desc, desc) == 0);
    pthread_mutex_unlock(&table.lock);
    return found;
}

bool gl_j_class_is_event(uint32_t id)
{
    pthread_mutex_lock(&table.lock);
    const struct klass *k = id && id <= table.classes ? table.by_id[id] : NULL;
    bool is = false;
    for (unsigned depth = 0; k && k->seen && k->super_name && !is && depth < DEEPEST; depth++) {
        is = strcmp(k->super_name, "jdk/jfr/Event") == 0;
        k = find_locked(k->loader, k->super_name);
    }
    pthread_mutex_unlock(&table.lock);
    return is;
}

static bool is_name_of_throwable(const char *name)
{
    static const char *const end[] = {"Exception", "Error", "Throwable"};
    size_t n = strlen(name);
    for (unsigned i = 0; i < sizeof end / sizeof end[0]; i++) {
        size_t m = strlen(end[i]);
        if (n >= m && strcmp(name + n - m, end[i]) == 0) return true;
    }
    return false;
}

bool gl_j_class_may_be_thrown(uint32_t id)
{
    pthread_mutex_lock(&table.lock);
    struct klass *asked = id && id <= table.classes ? table.by_id[id] : NULL;
    const struct klass *k = asked && !asked->asked ? asked : NULL;
    bool may = asked && asked->thrown;
    for (unsigned depth = 0; k && k->seen && k->super_name && !may && depth < DEEPEST; depth++) {
        may = is_name_of_throwable(k->super_name);
        k = find_locked(k->loader, k->super_name);
    }
    if (asked) {
        asked->asked = true;
        asked->thrown = may;
    }
    pthread_mutex_unlock(&table.lock);
    return may;
}

uint32_t gl_j_class_super(uint32_t id)
{
    pthread_mutex_lock(&table.lock);
    const struct klass *k = id && id <= table.classes ? table.by_id[id] : NULL;
    const struct klass *above = k && k->super_name ? find_locked(k->loader, k->super_name) : NULL;
    uint32_t found = above ? above->id : 0;
    pthread_mutex_unlock(&table.lock);
    return found;
}

/* ---- reading a class file ---- */

struct reading {
    struct klass k; /* not in the table */
    bool failed;
};

static void on_class(void *ctx, const struct gl_jclass_view *v)
{
    struct reading *r = ctx;
    r->k.name = gl_j_intern(v->name);
    r->k.super_name = v->super_name ? gl_j_intern(v->super_name) : NULL;
    r->k.field = calloc(v->n_fields + 1, sizeof *r->k.field);
    r->failed = !r->k.name || (v->super_name && !r->k.super_name) || !r->k.field;
}

static void on_field(void *ctx, unsigned index, const char *name, const char *desc, uint16_t access)
{
    struct reading *r = ctx;
    if (r->failed) return;
    struct field f = {gl_j_intern(name), gl_j_intern(desc), access};
    r->failed = !f.name || !f.desc;
    r->k.field[index] = f;
    r->k.n_fields = index + 1;
}

static void on_method(void *ctx, const char *name, const char *desc, uint16_t access)
{
    struct reading *r = ctx;
    if (strcmp(name, "finalize") == 0 && strcmp(desc, "()V") == 0 && !(access & ACC_STATIC)) r->k.finalizes = true;
    if (strcmp(name, "<clinit>") == 0) r->k.initializes = true;
    if (strcmp(name, "loadClass") == 0) r->k.loads = true;
    if (!(access & ACC_NATIVE) || !(access & (ACC_STATIC | ACC_SYNCHRONIZED)) || r->failed) return;
    struct native m = {gl_j_intern(name), gl_j_intern(desc)}, *more = realloc(r->k.native, (r->k.n_natives + 1) * sizeof *more);
    if (more) r->k.native = more;
    r->failed = !more || !m.name || !m.desc;
    if (!r->failed) more[r->k.n_natives++] = m;
}

uint32_t gl_j_class_add(uint32_t loader, const uint8_t *bytes, size_t n, bool defined)
{
    struct reading r = {0};
    struct gl_jscan scan = {.ctx = &r, .klass = on_class, .field = on_field, .method = on_method};
    char error[GL_JERROR_BYTES];
    if (gl_jclass_scan(bytes, n, &scan, error) != 0 || r.failed) {
        free(r.k.field);
        free(r.k.native);
        return 0;
    }
    pthread_mutex_lock(&table.lock);
    struct klass *k = make_locked(loader, r.k.name);
    if (k && !k->seen) {
        k->super_name = r.k.super_name;
        k->finalizes = r.k.finalizes;
        k->initializes = r.k.initializes;
        k->loads = r.k.loads;
        k->field = r.k.field;
        k->n_fields = r.k.n_fields;
        k->native = r.k.native;
        k->n_natives = r.k.n_natives;
        k->late = defined;
        k->seen = true;
    } else {
        free(r.k.field);
        free(r.k.native);
    }
    uint32_t id = k ? k->id : 0;
    pthread_mutex_unlock(&table.lock);
    return id;
}

static const struct field *field_in(const struct klass *k, const char *name, const char *desc)
{
    for (unsigned i = 0; i < k->n_fields; i++)
        if (strcmp(k->field[i].name, name) == 0 && strcmp(k->field[i].desc, desc) == 0) return &k->field[i];
    return NULL;
}

const char *gl_j_class_unseen(uint32_t loader, const char *owner)
{
    const char *unseen = NULL;
    pthread_mutex_lock(&table.lock);
    const struct klass *k = make_locked(loader, owner);
    for (unsigned depth = 0; k && !unseen && depth < DEEPEST; depth++) {
        if (!k->seen) unseen = k->name;
        k = k->super_name ? make_locked(loader, k->super_name) : NULL;
    }
    pthread_mutex_unlock(&table.lock);
    return unseen;
}

static enum gl_jkind kind_locked(uint32_t loader, const char *owner, const char *name, const char *desc, bool is_static)
{
    const char *at = owner;
    for (unsigned depth = 0; at && depth < DEEPEST; depth++) {
        const struct klass *k = find_locked(loader, at);
        if (!k || !k->seen) return GL_JKIND_UNKNOWN;
        const struct field *f = field_in(k, name, desc);
        if (f && !(f->access & ACC_STATIC) == is_static) return GL_JKIND_UNKNOWN; /* the access will fail */
        if (f) return f->access & ACC_VOLATILE ? GL_JKIND_VOLATILE : f->access & ACC_FINAL ? GL_JKIND_FINAL : GL_JKIND_PLAIN;
        if (is_static) return GL_JKIND_UNKNOWN; /* it may be an interface's */
        at = k->super_name;
    }
    return GL_JKIND_UNKNOWN;
}

enum gl_jkind gl_j_field_kind(uint32_t loader, const char *owner, const char *name, const char *desc, bool is_static)
{
    pthread_mutex_lock(&table.lock);
    enum gl_jkind kind = kind_locked(loader, owner, name, desc, is_static);
    pthread_mutex_unlock(&table.lock);
    return kind;
}

bool gl_j_field_position(uint32_t loader, const char *owner, const char *name, const char *desc, unsigned *index, bool *twice)
{
    pthread_mutex_lock(&table.lock);
    const struct klass *k = find_locked(loader, owner);
    const struct field *f = k && k->seen ? field_in(k, name, desc) : NULL;
    if (f) {
        *index = (unsigned)(f - k->field);
        *twice = false;
        for (unsigned i = 0; i < k->n_fields; i++)
            if (i != *index && strcmp(k->field[i].name, name) == 0) *twice = true;
    }
    pthread_mutex_unlock(&table.lock);
    return f != NULL;
}

int gl_j_field_access(uint32_t loader, const char *owner, const char *name, const char *desc)
{
    pthread_mutex_lock(&table.lock);
    const struct klass *k = find_locked(loader, owner);
    const struct field *f = k && k->seen ? field_in(k, name, desc) : NULL;
    int access = f ? f->access : -1;
    pthread_mutex_unlock(&table.lock);
    return access;
}
