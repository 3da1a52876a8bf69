/* SPDX-License-Identifier: Apache-2.0
 *
 * A jar of the classes of java/runtime/, embedded in the agent (cmake/embed_classes), is a file in memory that the boot loader searches.  That is told
 * to the loader's Java side only: JVMTI's AddToBootstrapClassLoaderSearch() would have the JVM do without part of its archive of classes.
 */
#define _GNU_SOURCE
#include "java/resources.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "java/agent.h"
#include "java/runtime_classes.h"

#define LOADER "jdk/internal/loader/"
enum { LOCALS = 16, URL = 64 };

/* The jar, as a file that lives as long as the process; -1: cannot be. */
static int jar_file(void)
{
    int fd = memfd_create("goldilocks classes", MFD_CLOEXEC);
    for (const unsigned char *p = gl_j_embedded_jar; fd >= 0 && p < gl_j_embedded_jar_end;) {
        ssize_t n = write(fd, p, (size_t)(gl_j_embedded_jar_end - p));
        if (n <= 0) {
            close(fd);
            return -1;
        }
        p += n;
    }
    return fd;
}

/* Where the boot loader looks for what is in no module; NULL: an exception is pending. */
static jobject class_path(JNIEnv *env, jclass path_class)
{
    jclass all = (*env)->FindClass(env, LOADER "ClassLoaders");
    jclass builtin = all ? (*env)->FindClass(env, LOADER "BuiltinClassLoader") : NULL;
    jfieldID field = builtin ? (*env)->GetStaticFieldID(env, all, "BOOT_LOADER", "L" LOADER "ClassLoaders$BootClassLoader;") : NULL;
    jfieldID ucp = field ? (*env)->GetFieldID(env, builtin, "ucp", "L" LOADER "URLClassPath;") : NULL;
    jmethodID make = ucp ? (*env)->GetMethodID(env, path_class, "<init>", "(Ljava/lang/String;Z)V") : NULL;
    jstring none = make ? (*env)->NewStringUTF(env, "") : NULL;
    if (!none) return NULL;
    jobject boot = (*env)->GetStaticObjectField(env, all, field);
    jobject path = (*env)->GetObjectField(env, boot, ucp); /* there is one with -Xbootclasspath/a */
    if (!path && (path = (*env)->NewObject(env, path_class, make, none, JNI_TRUE))) (*env)->SetObjectField(env, boot, ucp, path);
    return path;
}

static bool begin(JNIEnv *env, int fd)
{
    char text[URL];
    (void)snprintf(text, sizeof text, "file:/proc/self/fd/%d", fd);
    jclass path_class = (*env)->FindClass(env, LOADER "URLClassPath");
    jclass url_class = path_class ? (*env)->FindClass(env, "java/net/URL") : NULL;
    jmethodID make = url_class ? (*env)->GetMethodID(env, url_class, "<init>", "(Ljava/lang/String;)V") : NULL;
    jmethodID add = make ? (*env)->GetMethodID(env, path_class, "addURL", "(Ljava/net/URL;)V") : NULL;
    jstring string = add ? (*env)->NewStringUTF(env, text) : NULL;
    jobject url = string ? (*env)->NewObject(env, url_class, make, string) : NULL;
    jobject path = url && !(*env)->ExceptionCheck(env) ? class_path(env, path_class) : NULL;
    if (path && !(*env)->ExceptionCheck(env)) (*env)->CallVoidMethod(env, path, add, url);
    return path && !(*env)->ExceptionCheck(env);
}

void gl_j_resources_begin(JNIEnv *env)
{
    int fd = jar_file();
    bool done = fd >= 0 && (*env)->PushLocalFrame(env, LOCALS) == 0;
    if (done) {
        done = begin(env, fd);
        (*env)->ExceptionClear(env);
        (*env)->PopLocalFrame(env, NULL);
    }
    (*env)->ExceptionClear(env);
    if (!done) {
        gl_j_say("other agents may fail at classes that this one has rewritten: its own classes cannot be offered as resources in this JVM");
        if (fd >= 0) close(fd);
    }
}
