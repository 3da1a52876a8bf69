/* SPDX-License-Identifier: Apache-2.0
 *
 * See variable.h.  What is asked is answered by the JVM itself, but the class of a static field (resolve.c).
 */
#include "java/variable.h"

#include <stdio.h>
#include <string.h>

#include "java/agent.h"
#include "java/bridge.h"
#include "java/site.h"

enum { NAME = 512 };

/* "[Ljava/lang/String;" -> "java.lang.String[]", into out. */
static void readable(const char *signature, char *out, size_t room)
{
    static const char *const basic[] = {"Bbyte", "Cchar", "Ddouble", "Ffloat", "Iint", "Jlong", "Sshort", "Zboolean"};
    size_t dimensions = 0, n = 0;
    while (*signature == '[') {
        dimensions++;
        signature++;
    }
    const char *name = signature + 1;
    size_t length = strlen(name);
    if (*signature == 'L') {
        length = length ? length - 1 : 0;
    } else {
        name = "?";
        for (size_t i = 0; i < sizeof basic / sizeof basic[0]; i++)
            if (basic[i][0] == *signature) name = basic[i] + 1;
        length = strlen(name);
    }
    for (size_t i = 0; i < length && n + 1 < room; i++) out[n++] = name[i] == '/' ? '.' : name[i];
    for (size_t i = 0; i < dimensions && n + 3 < room; i++) {
        out[n++] = '[';
        out[n++] = ']';
    }
    out[n] = 0;
}

static void class_name(jclass c, char *out, size_t room)
{
    char *signature = NULL;
    snprintf(out, room, "?");
    if ((*gl_j_agent.ti)->GetClassSignature(gl_j_agent.ti, c, &signature, NULL) != JVMTI_ERROR_NONE) return;
    readable(signature, out, room);
    gl_j_free(signature);
}

static void name_object(JNIEnv *env, jobject o, char *out, size_t room)
{
    char name[NAME];
    jint hash = 0;
    jclass c = (*env)->GetObjectClass(env, o);
    class_name(c, name, sizeof name);
    (*env)->DeleteLocalRef(env, c);
    (*gl_j_agent.ti)->GetObjectHashCode(gl_j_agent.ti, o, &hash);
    snprintf(out, room, "%s@%x", name, (unsigned)hash);
}

void gl_j_name_static(uint32_t number, jclass declaring, char *out, size_t room)
{
    const struct gl_j_site *site = gl_j_site(number);
    char name[NAME];
    class_name(declaring, name, sizeof name);
    snprintf(out, room, "%s.%s", name, site && site->field ? site->field : "?");
}

void gl_j_name_variable(JNIEnv *env, uint32_t number, jobject object, jint index, const struct gl_j_variable *out)
{
    const struct gl_j_site *site = gl_j_site(number);
    char name[NAME];
    if (object && index >= 0) {
        jclass c = (*env)->GetObjectClass(env, object);
        class_name(c, name, sizeof name);
        (*env)->DeleteLocalRef(env, c);
        size_t n = strlen(name); /* int[] and index 3: int[3] */
        if (n > 2 && strcmp(name + n - 2, "[]") == 0) name[n - 2] = 0;
        char *dimensions = strstr(name, "[]");
        int base = dimensions ? (int)(dimensions - name) : (int)strlen(name);
        snprintf(out->text, out->room, "%.*s[%d]%s", base, name, (int)index, dimensions ? dimensions : "");
    } else if (site && site->field) {
        struct gl_jfield field;
        snprintf(name, sizeof name, "%s", site->owner);
        for (char *s = name; *s; s++)
            if (*s == '/') *s = '.';
        if (gl_jresolve(env, object, number, &field) && field.declaring) class_name(field.declaring, name, sizeof name);
        snprintf(out->text, out->room, "%s.%s", name, site->field);
    } else {
        snprintf(out->text, out->room, "?");
    }
    if (object)
        name_object(env, object, out->object, out->object_room);
    else if (out->object_room)
        out->object[0] = 0;
}
