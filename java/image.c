/* SPDX-License-Identifier: Apache-2.0
 *
 * The JVM has the image open itself: what libjimage gives here is its mapping once more.  What another agent made of a class before the JVM was
 * up is not in it.
 */
#include "java/image.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "java/agent.h"
#include "java/policy.h"

enum { PATH = 4096, NAME = 1024 };

/* As in the JDK's jimage.hpp, the same from JDK 9 to GL_J_NEWEST. */
struct image;
static struct {
    void *library;
    struct image *file; /* NULL: there is none */
    struct image *(*open)(const char *path, jint *error);
    const char *(*module)(struct image *, const char *package);
    jlong (*find)(struct image *, const char *module, const char *version, const char *name, jlong *size);
    jlong (*get)(struct image *, jlong location, char *buffer, jlong size);
} image;

static bool is_patched(void)
{
    char *value = NULL;
    bool patched = (*gl_j_agent.ti)->GetSystemProperty(gl_j_agent.ti, "jdk.module.patch.0", &value) == JVMTI_ERROR_NONE;
    gl_j_free(value);
    return patched;
}

/* A function of the library, into the pointer at `to`. */
static bool find(const char *name, void *to)
{
    void *f = dlsym(image.library, name);
    memcpy(to, &f, sizeof f);
    return f;
}

void gl_j_image_open(void)
{
    char path[PATH], *home = NULL;
    jint error = 0;
    if (gl_j_agent.feature > GL_J_NEWEST || is_patched()) return;
    if ((*gl_j_agent.ti)->GetSystemProperty(gl_j_agent.ti, "java.home", &home) != JVMTI_ERROR_NONE) return;
    snprintf(path, sizeof path, "%s/lib/libjimage.so", home);
    image.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    bool known = image.library && find("JIMAGE_Open", &image.open) &&
                 find("JIMAGE_PackageToModule", &image.module) && find("JIMAGE_FindResource", &image.find) &&
                 find("JIMAGE_GetResource", &image.get);
    snprintf(path, sizeof path, "%s/lib/modules", home);
    gl_j_free(home);
    image.file = known ? image.open(path, &error) : NULL;
}

bool gl_j_of_jdk(const char *name)
{
    char package[NAME];
    const char *end = strrchr(name, '/');
    if (!gl_j_of_jdk_by_name(name)) return false;
    if (!image.file || !end || strncmp(name, "java/", 5) == 0 || (size_t)(end - name) >= sizeof package) return true;
    snprintf(package, sizeof package, "%.*s", (int)(end - name), name);
    return image.module(image.file, package) != NULL;
}

unsigned char *gl_j_image_class(const char *name, size_t *n)
{
    char text[NAME];
    jlong size = 0;
    const char *end = strrchr(name, '/');
    if (!image.file || !end || strlen(name) + sizeof ".class" > sizeof text) return NULL;
    snprintf(text, sizeof text, "%.*s", (int)(end - name), name);
    const char *module = image.module(image.file, text);
    snprintf(text, sizeof text, "%s.class", name);
    jlong location = module ? image.find(image.file, module, "", text, &size) : 0;
    unsigned char *bytes = location && size > 0 ? malloc((size_t)size) : NULL;
    if (!bytes) return NULL;
    *n = (size_t)size;
    image.get(image.file, location, (char *)bytes, size);
    return bytes;
}
