/* SPDX-License-Identifier: Apache-2.0
 *
 * From a site to the field that it means, as the JVM resolves it, without running any initializer.
 */
#include <string.h>

#include "java/agent.h"
#include "java/bridge.h"
#include "java/classes.h"
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
    return text ? (*env)->CallStaticObjectMethod(env, class_class, for_name, text, JNI_FALSE, loader) : NULL;
}

/* Fields of a class can be listed when it is linked; asking it by reflection links it and does not initialize it. */
static void link(JNIEnv *env, jclass c)
{
    jclass class_class = (*env)->FindClass(env, "java/lang/Class");
    jmethodID ask = class_class ? (*env)->GetMethodID(env, class_class, "getDeclaredFields", "()[Ljava/lang/reflect/Field;") : NULL;
    if (ask) (*env)->DeleteLocalRef(env, (*env)->CallObjectMethod(env, c, ask));
    (*env)->ExceptionClear(env);
}

/* Does the class itself declare it? */
static bool declares(JNIEnv *env, jclass c, const struct gl_j_site *site, jint *modifiers, jfieldID *id)
{
    jvmtiEnv *ti = gl_j_agent.ti;
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
    enum gl_j_class policy = gl_j_class_of(&gl_j_agent.options, name, gl_j_is_jdk_loader(env, loader));
    uint32_t number = gl_j_loader(ti, env, loader);
    bool is_static = (modifiers & ACC_STATIC) != 0;
    if (policy == GL_J_NONE || is_static != (site->op == GL_J_STATIC)) return;
    if (is_static) out->class_id = (int32_t)gl_j_class_id(number, name);
    if (modifiers & ACC_VOLATILE)
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
    out->is_static = site->op == GL_J_STATIC;
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
    out->declaring = owner ? find_declaring(env, owner, site, &modifiers, &out->id, 0) : NULL;
    if (out->declaring) classify(env, site, modifiers, out);
    if (!(*env)->ExceptionCheck(env)) return out->declaring != NULL;
    (*env)->ExceptionClear(env);
    return false;
}
