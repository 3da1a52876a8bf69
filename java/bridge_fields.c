/* SPDX-License-Identifier: Apache-2.0
 *
 * The natives of goldilocks.rt.R that are about fields and classes (the others: bridge.c).
 */
#include <stdio.h>

#include "java/bridge_state.h"

/* The F of the field, or NULL, perhaps with an exception. */
static jobject declare(JNIEnv *env, const struct gl_jfield *f)
{
    char key[1024]; /* longer names may be cut to the same key: then they are not checked */
    int n = snprintf(key, sizeof key, "%s:%s", f->name, f->desc);
    if (n < 0 || (size_t)n >= sizeof key || !f->declaring)
        return NULL;
    bool cells = f->kind == GL_JFIELD_PLAIN && !f->is_static;
    jobject field = f->kind == GL_JFIELD_VOLATILE ? (*env)->ToReflectedField(env, f->declaring, f->id, f->is_static) : NULL;
    if (f->kind == GL_JFIELD_VOLATILE && !field)
        return NULL;
    jstring name = (*env)->NewStringUTF(env, key);
    jstring word = name && cells ? (*env)->NewStringUTF(env, f->word) : NULL;
    jstring sites = word ? (*env)->NewStringUTF(env, f->sites) : NULL;
    if (!name || (cells && !sites))
        return NULL;
    jobject made = (*env)->CallStaticObjectMethod(env, gl_jbridge.r, gl_jbridge.declare, f->declaring, field, name, word, sites,
                                                  (jint)f->kind, (jboolean)f->is_static, (jint)f->class_id);
    return (*env)->ExceptionCheck(env) ? NULL : made;
}

jobject JNICALL gl_jbridge_field_resolve(JNIEnv *env, jclass r, jobject o, jint site)
{
    (void)r;
    struct gl_jfield f = {.kind = GL_JFIELD_UNCHECKED, .class_id = -1};
    jobject made = NULL;
    if (gl_jresolve(env, o, (uint32_t)site, &f) && f.kind != GL_JFIELD_UNCHECKED && !(*env)->ExceptionCheck(env))
        made = declare(env, &f);
    if ((*env)->ExceptionCheck(env)) { /* the access itself will throw what there is to throw */
        (*env)->ExceptionClear(env);
        return NULL;
    }
    return made;
}

jobject JNICALL gl_jbridge_field_reflected(JNIEnv *env, jclass r, jclass declaring, jobject field, jint site, jboolean write, jintArray out)
{
    (void)r;
    struct gl_jfield f;
    jint number = (jint)gl_jresolve_reflected(env, declaring, field, (uint32_t)site, write, &f);
    jobject made = number && f.kind != GL_JFIELD_UNCHECKED && !(*env)->ExceptionCheck(env) ? declare(env, &f) : NULL;
    if (made)
        (*env)->SetIntArrayRegion(env, out, 0, 1, &number);
    if (!(*env)->ExceptionCheck(env))
        return made;
    (*env)->ExceptionClear(env); /* the call itself will throw what there is to throw */
    return NULL;
}

jintArray JNICALL gl_jbridge_clone_sites(JNIEnv *env, jclass r, jobject o, jint site, jboolean super)
{
    (void)r;
    enum { MOST = 1024 }; /* fields of an object that are followed */
    uint32_t number[MOST];
    jsize n = (jsize)gl_jclone_sites(env, o, (uint32_t)site, super, number, MOST);
    jintArray out = (*env)->NewIntArray(env, n);
    if (!out) {
        (*env)->ExceptionClear(env);
        return NULL;
    }
    (*env)->SetIntArrayRegion(env, out, 0, n, (const jint *)number);
    return out;
}

jint JNICALL gl_jbridge_class_number(JNIEnv *env, jclass r, jclass c)
{
    (void)r;
    return gl_jclass_number(env, c);
}

jboolean JNICALL gl_jbridge_class_finalizes(JNIEnv *env, jclass r, jclass c)
{
    (void)r;
    jclass object = (*env)->FindClass(env, "java/lang/Object");
    jmethodID none = object ? (*env)->GetMethodID(env, object, "finalize", "()V") : NULL;
    jmethodID own = none ? (*env)->GetMethodID(env, c, "finalize", "()V") : NULL;
    (*env)->ExceptionClear(env);
    return own && own != none;
}

jboolean JNICALL gl_jbridge_has_initializer(JNIEnv *env, jclass r, jclass c)
{
    (void)r;
    jmethodID found = (*env)->GetStaticMethodID(env, c, "<clinit>", "()V"); /* of c alone, not of its superclasses; initializes it */
    jthrowable why = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    jclass none = why ? (*env)->FindClass(env, "java/lang/NoSuchMethodError") : NULL;
    if (none && !(*env)->IsInstanceOf(env, why, none))
        (*env)->Throw(env, why); /* as the JDK's own method does */
    return found && !gl_jclass_lacks_initializer(env, c);
}

jboolean JNICALL gl_jbridge_is_native(JNIEnv *env, jclass r, jclass c, jstring name, jstring desc)
{
    (void)r;
    if (!name)
        return gl_jclass_wraps_native(env, c, NULL, NULL);
    const char *n = (*env)->GetStringUTFChars(env, name, NULL), *d = n ? (*env)->GetStringUTFChars(env, desc, NULL) : NULL;
    bool is = d && gl_jclass_wraps_native(env, c, n, d);
    if (d)
        (*env)->ReleaseStringUTFChars(env, desc, d);
    if (n)
        (*env)->ReleaseStringUTFChars(env, name, n);
    return is;
}

jint JNICALL gl_jbridge_class_super(JNIEnv *env, jclass r, jint number)
{
    (void)env, (void)r;
    return gl_jclass_super(number);
}
