/* SPDX-License-Identifier: Apache-2.0
 *
 * From a site to the field that it means, as the JVM resolves it, without running any initializer.
 */
#include <string.h>

#include "java/agent.h"
#include "java/bridge.h"
#include "java/classes.h"
#include "java/image.h"
#include "java/jdk_rules.h"
#include "java/policy.h"
#include "java/site.h"

#define ACC_STATIC 0x0008
#define ACC_FINAL 0x0010
#define ACC_VOLATILE 0x0040
#define MAX_FRAMES 16

/* Is `signature` ("La/b/C;") that of the class `name` ("a/b/C")? */
static bool is_named(const char *signature, const char *name)
{
    size_t n = strlen(name);
    return signature[0] == 'L' && strncmp(signature + 1, name, n) == 0 && strcmp(signature + 1 + n, ";") == 0;
}

static bool class_is(jclass c, const char *name)
{
    char *signature = NULL;
    if ((*gl_j_agent.ti)->GetClassSignature(gl_j_agent.ti, c, &signature, NULL) != JVMTI_ERROR_NONE) return false;
    bool is = is_named(signature, name);
    gl_j_free(signature);
    return is;
}

/* The class `owner`, from which the field of `o` is looked for: o's class or one above it.  NULL: none. */
static jclass owner_of_object(JNIEnv *env, jobject o, const char *owner)
{
    jclass c = (*env)->GetObjectClass(env, o);
    while (c && !class_is(c, owner)) {
        jclass above = (*env)->GetSuperclass(env, c);
        (*env)->DeleteLocalRef(env, c);
        c = above;
    }
    return c;
}

/* The class in whose method the probe is: the innermost frame that is not the runtime's. */
static jclass caller(const struct gl_j_site *site)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    jvmtiFrameInfo frame[MAX_FRAMES];
    jint n = 0;
    if ((*ti)->GetStackTrace(ti, NULL, 0, MAX_FRAMES, frame, &n) != JVMTI_ERROR_NONE) return NULL;
    for (jint i = 0; i < n; i++) {
        jclass c;
        if ((*ti)->GetMethodDeclaringClass(ti, frame[i].method, &c) == JVMTI_ERROR_NONE && class_is(c, site->class_name)) return c;
    }
    return NULL;
}

static jclass load(JNIEnv *env, jobject loader, const char *name)
{
    char dotted[1024];
    size_t n = strlen(name);
    if (n >= sizeof dotted) return NULL;
    for (size_t i = 0; i <= n; i++) dotted[i] = name[i] == '/' ? '.' : name[i];
    jclass class_class = (*env)->FindClass(env, "java/lang/Class");
    jmethodID for_name = class_class ? (*env)->GetStaticMethodID(env, class_class, "forName",
                                                                "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;") : NULL;
    jstring text = for_name ? (*env)->NewStringUTF(env, dotted) : NULL;
    jclass found = text ? (*env)->CallStaticObjectMethod(env, class_class, for_name, text, JNI_FALSE, loader) : NULL;
    return (*env)->ExceptionCheck(env) ? NULL : found;
}

/* Fields of a class can be listed when it is linked; asking it by reflection links it and does not initialize it. */
static void link(JNIEnv *env, jclass c)
{
    jclass class_class = (*env)->FindClass(env, "java/lang/Class");
    jmethodID ask = class_class ? (*env)->GetMethodID(env, class_class, "getDeclaredFields", "()[Ljava/lang/reflect/Field;") : NULL;
    if (ask) (*env)->DeleteLocalRef(env, (*env)->CallObjectMethod(env, c, ask));
    (*env)->ExceptionClear(env);
}

/* The name of the class, interned; NULL: no memory, or an array. */
static const char *name_of(jclass c)
{
    char *signature = NULL;
    if ((*gl_j_agent.ti)->GetClassSignature(gl_j_agent.ti, c, &signature, NULL) != JVMTI_ERROR_NONE) return NULL;
    size_t n = strlen(signature);
    const char *name = NULL;
    if (signature[0] == 'L' && n > 2) {
        signature[n - 1] = 0;
        name = gl_j_intern(signature + 1);
    }
    gl_j_free(signature);
    return name;
}

/* Does the class itself declare it, as its file has told?  For a field that is not volatile that is all there is to know. */
static bool declared_in_file(JNIEnv *env, jclass c, const struct gl_j_site *site, jint *modifiers)
{
    jobject loader = NULL;
    const char *name = name_of(c);
    if (!name || (*gl_j_agent.ti)->GetClassLoader(gl_j_agent.ti, c, &loader) != JVMTI_ERROR_NONE) return false;
    int access = gl_j_field_access(gl_j_loader(gl_j_agent.ti, env, loader), name, site->field, site->field_desc);
    if (loader) (*env)->DeleteLocalRef(env, loader);
    if (access < 0 || access & ACC_VOLATILE || gl_j_acts_volatile(name, site->field)) return false;
    *modifiers = access;
    return true;
}

/* Does the class itself declare it?  *id may be NULL for a field that is not volatile.  The JVM is asked about few, since it looks through all static
 * fields for each one's id and for each one's name: asking about each of n fields takes n * n * n steps. */
static bool declares(JNIEnv *env, jclass c, const struct gl_j_site *site, jint *modifiers, jfieldID *id)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    *id = NULL;
    if (declared_in_file(env, c, site, modifiers)) return true;
    jfieldID *field = NULL;
    jint n = 0;
    bool found = false;
    jvmtiError error = (*ti)->GetClassFields(ti, c, &n, &field);
    if (error == JVMTI_ERROR_CLASS_NOT_PREPARED) {
        link(env, c);
        error = (*ti)->GetClassFields(ti, c, &n, &field);
    }
    if (error != JVMTI_ERROR_NONE) return false;
    for (jint i = 0; i < n && !found; i++) {
        char *name = NULL, *desc = NULL;
        if ((*ti)->GetFieldName(ti, c, field[i], &name, &desc, NULL) != JVMTI_ERROR_NONE) continue;
        found = strcmp(name, site->field) == 0 && strcmp(desc, site->field_desc) == 0 &&
                (*ti)->GetFieldModifiers(ti, c, field[i], modifiers) == JVMTI_ERROR_NONE;
        *id = field[i];
        gl_j_free(name);
        gl_j_free(desc);
    }
    gl_j_free(field);
    return found;
}

/* JVMS 5.4.3.2: the class, its superinterfaces, its superclass.  Takes over the reference c. */
static jclass find_declaring(JNIEnv *env, jclass c, const struct gl_j_site *site, jint *modifiers, jfieldID *id, int depth)
{
    enum { DEEPEST = 64 };
    jvmtiEnv *ti = gl_j_agent.ti;
    while (c && depth < DEEPEST) {
        if (declares(env, c, site, modifiers, id)) return c;
        jclass *interface = NULL, found = NULL;
        jint n = 0;
        if ((*ti)->GetImplementedInterfaces(ti, c, &n, &interface) == JVMTI_ERROR_NONE) {
            for (jint i = 0; i < n; i++) {
                if (found)
                    (*env)->DeleteLocalRef(env, interface[i]);
                else
                    found = find_declaring(env, interface[i], site, modifiers, id, depth + 1);
            }
            gl_j_free(interface);
        }
        jclass above = found ? NULL : (*env)->GetSuperclass(env, c);
        (*env)->DeleteLocalRef(env, c);
        if (found) return found;
        c = above;
        depth++;
    }
    return NULL;
}

static bool has_field(JNIEnv *env, jclass c, const char *name, const char *desc)
{
    bool has = (*env)->GetFieldID(env, c, name, desc) != NULL;
    (*env)->ExceptionClear(env);
    return has;
}

/* The shadow fields of a plain instance field of a class that was rewritten; false: it has none. */
static bool shadow(JNIEnv *env, uint32_t loader, const char *class_name, const struct gl_j_site *site, struct gl_jfield *out)
{
    char word[1024], sites[1024];
    unsigned index;
    bool twice;
    if (!gl_j_field_position(loader, class_name, site->field, site->field_desc, &index, &twice) ||
        !gl_jshadow_name(word, sizeof word, 'w', site->field, index, twice) ||
        !gl_jshadow_name(sites, sizeof sites, 's', site->field, index, twice))
        return false;
    if (!has_field(env, out->declaring, word, "J") || !has_field(env, out->declaring, sites, "J")) return false;
    out->word = gl_j_intern(word);
    out->sites = gl_j_intern(sites);
    return out->word && out->sites;
}

static void classify(JNIEnv *env, const struct gl_j_site *site, jint modifiers, struct gl_jfield *out)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    jobject loader = NULL;
    char *signature = NULL;
    (*ti)->GetClassLoader(ti, out->declaring, &loader);
    if ((*ti)->GetClassSignature(ti, out->declaring, &signature, NULL) != JVMTI_ERROR_NONE || signature[0] != 'L') {
        gl_j_free(signature);
        return;
    }
    signature[strlen(signature) - 1] = 0;
    const char *name = gl_j_intern(signature + 1);
    gl_j_free(signature);
    if (!name) return;
    enum gl_j_class policy = gl_j_class_of(&gl_j_agent.options, name, gl_j_is_jdk_loader(env, loader) || gl_j_of_jdk(name));
    uint32_t number = gl_j_loader(ti, env, loader);
    bool is_static = (modifiers & ACC_STATIC) != 0;
    if (policy == GL_J_NONE || is_static != (site->op != GL_J_FIELD)) return;
    if (is_static) out->class_id = (int32_t)gl_j_class_id(number, name);
    if (modifiers & ACC_VOLATILE || (policy == GL_J_SYNC && site->field && gl_j_acts_volatile(name, site->field)))
        out->kind = GL_JFIELD_VOLATILE;
    else if (modifiers & ACC_FINAL)
        out->kind = GL_JFIELD_FINAL;
    else if (policy == GL_J_CHECKED && (is_static ? gl_j_agent.options.statics : shadow(env, number, name, site, out)))
        out->kind = GL_JFIELD_PLAIN;
    else if (is_static) /* its data is not checked; that the class was initialized counts */
        out->kind = GL_JFIELD_FINAL;
}

bool gl_jresolve(JNIEnv *env, jobject o, uint32_t number, struct gl_jfield *out)
{
    const struct gl_j_site *site = gl_j_site(number);
    *out = (struct gl_jfield){.kind = GL_JFIELD_UNCHECKED, .class_id = -1};
    if (!site || site->op == GL_J_ARRAY) return false;
    out->name = site->field;
    out->desc = site->field_desc;
    out->is_static = site->op != GL_J_FIELD;
    jclass owner;
    jint modifiers = 0;
    if (o) {
        owner = owner_of_object(env, o, site->owner);
    } else {
        jobject loader = NULL;
        owner = caller(site);
        if (owner && strcmp(site->class_name, site->owner) != 0) {
            (*gl_j_agent.ti)->GetClassLoader(gl_j_agent.ti, owner, &loader);
            owner = load(env, loader, site->owner);
        }
    }
    if (site->op == GL_J_CLASS) { /* as a final static field that nobody else has */
        out->name = out->desc = "";
        modifiers = ACC_STATIC | ACC_FINAL;
        out->declaring = owner;
    } else {
        out->declaring = owner ? find_declaring(env, owner, site, &modifiers, &out->id, 0) : NULL;
    }
    if (out->declaring) classify(env, site, modifiers, out);
    if (!(*env)->ExceptionCheck(env)) return out->declaring != NULL;
    (*env)->ExceptionClear(env);
    return false;
}

/* ---- fields that no instruction names: reflection, clone() ---- */

/* A site at the place of `number`, for an access to that field.  0: none. */
static uint32_t site_for(uint32_t number, jclass declaring, jfieldID id, bool write, jint *modifiers)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    const struct gl_j_site *place = gl_j_site(number);
    char *name = NULL, *desc = NULL;
    uint32_t made = 0;
    if (!place || (*ti)->GetFieldName(ti, declaring, id, &name, &desc, NULL) != JVMTI_ERROR_NONE) return 0;
    struct gl_j_site site = *place;
    site.owner = name_of(declaring);
    site.field = name;
    site.field_desc = desc;
    site.write = write;
    if (site.owner && (*ti)->GetFieldModifiers(ti, declaring, id, modifiers) == JVMTI_ERROR_NONE) {
        site.op = *modifiers & ACC_STATIC ? GL_J_STATIC : GL_J_FIELD;
        made = gl_j_site_add(&site);
    }
    gl_j_free(name);
    gl_j_free(desc);
    return made;
}

uint32_t gl_jresolve_reflected(JNIEnv *env, jclass declaring, jobject field, uint32_t number, bool write, struct gl_jfield *out)
{
    *out = (struct gl_jfield){.kind = GL_JFIELD_UNCHECKED, .class_id = -1};
    jfieldID id = (*env)->FromReflectedField(env, field);
    jint modifiers = 0;
    uint32_t made = id ? site_for(number, declaring, id, write, &modifiers) : 0;
    const struct gl_j_site *site = gl_j_site(made);
    if (!site) return 0;
    out->id = id;
    out->declaring = declaring;
    out->name = site->field;
    out->desc = site->field_desc;
    out->is_static = site->op == GL_J_STATIC;
    classify(env, site, modifiers, out);
    return made;
}

/* Is it Object's clone() that a call of clone() on this class runs? */
static bool clones_as_object(JNIEnv *env, jclass c)
{
    static jmethodID of_object; /* the same whoever asks first */
    if (!of_object) {
        jclass object = (*env)->FindClass(env, "java/lang/Object");
        of_object = object ? (*env)->GetMethodID(env, object, "clone", "()Ljava/lang/Object;") : NULL;
    }
    return of_object && (*env)->GetMethodID(env, c, "clone", "()Ljava/lang/Object;") == of_object;
}

/* Sites for the plain instance fields that the class itself declares, behind the `n` that are there. */
static uint32_t sites_of_class(jclass c, uint32_t number, uint32_t *out, uint32_t n, uint32_t room)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    jfieldID *field = NULL;
    jint fields = 0;
    if ((*ti)->GetClassFields(ti, c, &fields, &field) != JVMTI_ERROR_NONE) return n;
    for (jint i = 0; i < fields && n < room; i++) {
        jint modifiers = 0;
        jboolean synthetic = JNI_FALSE;
        (*ti)->GetFieldModifiers(ti, c, field[i], &modifiers);
        char *name = NULL;
        if ((*ti)->GetFieldName(ti, c, field[i], &name, NULL, NULL) == JVMTI_ERROR_NONE)
            synthetic = strncmp(name, "$w$", 3) == 0 || strncmp(name, "$s$", 3) == 0;
        gl_j_free(name);
        if (synthetic || modifiers & (ACC_STATIC | ACC_FINAL | ACC_VOLATILE)) continue;
        uint32_t made = site_for(number, c, field[i], false, &modifiers);
        if (made) out[n++] = made;
    }
    gl_j_free(field);
    return n;
}

uint32_t gl_jclone_sites(JNIEnv *env, jobject o, uint32_t number, bool super, uint32_t *out, uint32_t room)
{
    const struct gl_j_site *site = gl_j_site(number);
    uint32_t n = 0;
    jclass c = site ? (super ? owner_of_object(env, o, site->owner) : (*env)->GetObjectClass(env, o)) : NULL;
    bool by_object = c && clones_as_object(env, c);
    if (c) (*env)->DeleteLocalRef(env, c);
    for (c = by_object ? (*env)->GetObjectClass(env, o) : NULL; c;) {
        jobject loader = NULL;
        (*gl_j_agent.ti)->GetClassLoader(gl_j_agent.ti, c, &loader);
        const char *name = name_of(c);
        if (name && gl_j_class_of(&gl_j_agent.options, name, gl_j_is_jdk_loader(env, loader) || gl_j_of_jdk(name)) == GL_J_CHECKED)
            n = sites_of_class(c, number, out, n, room);
        jclass above = (*env)->GetSuperclass(env, c);
        (*env)->DeleteLocalRef(env, c);
        if (loader) (*env)->DeleteLocalRef(env, loader);
        c = above;
    }
    (*env)->ExceptionClear(env);
    return n;
}

unsigned gl_jelement_bytes(JNIEnv *env, jclass array)
{
    (void)env;
    char *signature = NULL;
    if ((*gl_j_agent.ti)->GetClassSignature(gl_j_agent.ti, array, &signature, NULL) != JVMTI_ERROR_NONE) return 4;
    unsigned bytes = strcmp(signature, "[B") == 0 || strcmp(signature, "[Z") == 0 ? 1 : strcmp(signature, "[C") == 0 || strcmp(signature, "[S") == 0 ? 2 : 4;
    gl_j_free(signature);
    return bytes;
}

int32_t gl_jclass_number(JNIEnv *env, jclass c)
{
    jobject loader = NULL;
    const char *name = name_of(c);
    if (!name || (*gl_j_agent.ti)->GetClassLoader(gl_j_agent.ti, c, &loader) != JVMTI_ERROR_NONE) return 0;
    if (gl_j_class_of(&gl_j_agent.options, name, gl_j_is_jdk_loader(env, loader) || gl_j_of_jdk(name)) == GL_J_NONE) return 0;
    return (int32_t)gl_j_class_id(gl_j_loader(gl_j_agent.ti, env, loader), name);
}

bool gl_jclass_lacks_initializer(JNIEnv *env, jclass c)
{
    return gl_j_class_lacks_initializer((uint32_t)gl_jclass_number(env, c));
}

bool gl_jclass_wraps_native(JNIEnv *env, jclass c, const char *name, const char *desc)
{
    return gl_j_class_wraps_native((uint32_t)gl_jclass_number(env, c), name, desc);
}

int32_t gl_jclass_super(int32_t number)
{
    return (int32_t)gl_j_class_super((uint32_t)number);
}
