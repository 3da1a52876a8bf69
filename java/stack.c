/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks the JVM for the frames of the calling thread.  Names are interned (site.h), so that a stack owns nothing.
 */
#include "java/stack.h"

#include <stdio.h>
#include <string.h>

#include "java/agent.h"
#include "java/site.h"

/* "a/b/C" as people write it. */
static const char *dotted(const char *name)
{
    char text[1024];
    snprintf(text, sizeof text, "%s", name);
    for (char *s = text; *s; s++)
        if (*s == '/') *s = '.';
    const char *kept = gl_j_intern(text);
    return kept ? kept : "?";
}

void gl_j_stack_of_site(uint32_t number, struct gl_j_stack *out)
{
    const struct gl_j_site *site = gl_j_site(number);
    struct gl_managed_frame f = {"?", "?", NULL, 0};
    if (site) f = (struct gl_managed_frame){dotted(site->class_name), site->method, site->file, site->line};
    out->frame[0] = f;
    out->n = 1;
    out->whole = false;
}

/* false: it is one of the runtime's own. */
static bool describe(JNIEnv *env, const jvmtiFrameInfo *at, struct gl_managed_frame *out)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    char *signature = NULL, *method = NULL, *file = NULL;
    jvmtiLineNumberEntry *line = NULL;
    jclass c = NULL;
    jint lines = 0;
    bool own = false;
    *out = (struct gl_managed_frame){"?", "?", NULL, 0};
    if ((*ti)->GetMethodDeclaringClass(ti, at->method, &c) == JVMTI_ERROR_NONE &&
        (*ti)->GetClassSignature(ti, c, &signature, NULL) == JVMTI_ERROR_NONE && signature[0] == 'L') {
        own = strncmp(signature, "Lgoldilocks/rt/", 15) == 0;
        signature[strlen(signature) - 1] = 0;
        out->class_name = dotted(signature + 1);
        if ((*ti)->GetSourceFileName(ti, c, &file) == JVMTI_ERROR_NONE) out->file = gl_j_intern(file);
    }
    if ((*ti)->GetMethodName(ti, at->method, &method, NULL, NULL) == JVMTI_ERROR_NONE) {
        const char *kept = gl_j_intern(method);
        if (kept) out->method = kept;
        own = own || strncmp(method, "$gl", 3) == 0;
    }
    if ((*ti)->GetLineNumberTable(ti, at->method, &lines, &line) == JVMTI_ERROR_NONE) {
        jlocation best = -1;
        for (jint i = 0; i < lines; i++) {
            if (line[i].start_location <= at->location && line[i].start_location > best) {
                best = line[i].start_location;
                out->line = (uint32_t)line[i].line_number;
            }
        }
    }
    gl_j_free(signature);
    gl_j_free(method);
    gl_j_free(file);
    gl_j_free(line);
    if (c) (*env)->DeleteLocalRef(env, c);
    return !own;
}

void gl_j_stack_here(JNIEnv *env, uint32_t number, struct gl_j_stack *out)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    jvmtiFrameInfo frame[GL_J_FRAMES + 16];
    jint n = 0;
    out->n = 0;
    if ((*ti)->GetStackTrace(ti, NULL, 0, GL_J_FRAMES + 16, frame, &n) != JVMTI_ERROR_NONE) n = 0;
    for (jint i = 0; i < n && out->n < GL_J_FRAMES; i++)
        if (describe(env, &frame[i], &out->frame[out->n])) out->n++;
    if (out->n == 0) {
        gl_j_stack_of_site(number, out);
        return;
    }
    const struct gl_j_site *site = gl_j_site(number);
    if (site && site->line && strcmp(out->frame[0].method, site->method) == 0) out->frame[0].line = site->line;
    out->whole = true;
}
