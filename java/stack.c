/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks the JVM for the frames of the calling thread.  Names are interned (site.h), so that a stack owns nothing.
 */
#include "java/stack.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/atomic.h"
#include "java/agent.h"
#include "java/bridge.h"
#include "java/classfile_lines.h"
#include "java/image.h"
#include "java/policy.h"
#include "java/rewrite.h"
#include "java/site.h"

enum { OWN_FRAMES = 16, KEPT_FRAMES = 40 }; /* the runtime's are among them */

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

static struct gl_managed_frame frame_of_site(uint32_t number)
{
    const struct gl_j_site *site = gl_j_site(number);
    if (!site) return (struct gl_managed_frame){"?", "?", NULL, 0};
    return (struct gl_managed_frame){dotted(site->class_name), site->method, site->file, site->line};
}

static void stack_of_site(uint32_t number, struct gl_j_stack *out)
{
    out->frame[0] = frame_of_site(number);
    out->n = 1;
    out->whole = false;
}

/* Of the code between the caller of a method handle and what it does, which Java's own stack traces hide. */
static bool is_hidden(const char *signature)
{
    static const char *const prefix[] = {"Ljava/lang/invoke/LambdaForm$", "Ljava/lang/invoke/Invokers$Holder;",
                                         "Ljava/lang/invoke/DirectMethodHandle$Holder;", "Ljava/lang/invoke/DelegatingMethodHandle$Holder;",
                                         "Ljava/lang/invoke/MethodHandleImpl;"};
    for (size_t i = 0; i < sizeof prefix / sizeof prefix[0]; i++)
        if (strncmp(signature, prefix[i], strlen(prefix[i])) == 0) return true;
    return false;
}

/* What the class's map of lines says of the place. */
static void tell_source(jclass c, struct gl_managed_frame *at)
{
    char *map = NULL;
    struct gl_jsource_line found;
    if ((*gl_j_agent.ti)->GetSourceDebugExtension(gl_j_agent.ti, c, &map) != JVMTI_ERROR_NONE) return;
    if (gl_jsource_line(map, strlen(map), at->line, &found)) {
        char file[1024];
        snprintf(file, sizeof file, "%.*s", (int)(found.file_n < sizeof file ? found.file_n : sizeof file), found.file);
        at->file = gl_j_intern(file);
        at->line = found.line;
    }
    gl_j_free(map);
}

/* Whose code runs in a frame.  UNSEEN: it is one of the runtime's own, or hidden. */
enum whose { UNSEEN, OF_JDK, OF_PROGRAM };

static enum whose describe(JNIEnv *env, const jvmtiFrameInfo *at, struct gl_managed_frame *out)
{
    jvmtiEnv *ti = gl_j_agent.ti;
    char *signature = NULL, *method = NULL, *file = NULL;
    jvmtiLineNumberEntry *line = NULL;
    jclass c = NULL;
    jint lines = 0;
    bool own = false, of_jdk = false;
    *out = (struct gl_managed_frame){"?", "?", NULL, 0};
    if ((*ti)->GetMethodDeclaringClass(ti, at->method, &c) == JVMTI_ERROR_NONE &&
        (*ti)->GetClassSignature(ti, c, &signature, NULL) == JVMTI_ERROR_NONE && signature[0] == 'L') {
        own = strncmp(signature, "Lgoldilocks/rt/", 15) == 0 || is_hidden(signature);
        signature[strlen(signature) - 1] = 0;
        of_jdk = gl_j_of_jdk(signature + 1);
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
    if (c && !own) tell_source(c, out);
    gl_j_free(signature);
    gl_j_free(method);
    gl_j_free(file);
    gl_j_free(line);
    if (c) (*env)->DeleteLocalRef(env, c);
    return own ? UNSEEN : of_jdk ? OF_JDK : OF_PROGRAM;
}

void gl_j_stack_frame(JNIEnv *env, const jvmtiFrameInfo *frame, struct gl_managed_frame *out)
{
    (void)describe(env, frame, out);
}

static bool is_in(const struct gl_managed_frame *f, const struct gl_managed_frame *site)
{
    return strcmp(f->method, site->method) == 0 && strcmp(f->class_name, site->class_name) == 0;
}

/* The JDK may make an access later, maybe in another thread, than the application asked for it at the site: that place comes first, in front of
 * the frames.  It is the caller of the first `of_jdk` ones if it is still running: then they are left out. */
static void begin_at_site(struct gl_j_stack *s, struct gl_managed_frame site, size_t of_jdk)
{
    if (is_in(&s->frame[0], &site)) {
        if (site.line) s->frame[0].file = site.file, s->frame[0].line = site.line;
        return;
    }
    if (of_jdk == 0) return;
    bool runs = of_jdk < s->n && is_in(&s->frame[of_jdk], &site) && s->frame[of_jdk].line == site.line;
    size_t from = runs ? of_jdk : 0, to = runs ? 0 : 1, n = s->n - from;
    if (n > GL_J_FRAMES - to) n = GL_J_FRAMES - to;
    memmove(&s->frame[to], &s->frame[from], n * sizeof s->frame[0]);
    s->n = n + to;
    if (!runs) s->frame[0] = site;
}

/* Describes frames, without the runtime's, behind what is there; the innermost is that of the site. */
static void describe_all(JNIEnv *env, const jvmtiFrameInfo *frame, jint n, uint32_t number, struct gl_j_stack *out)
{
    size_t of_jdk = 0;
    out->n = 0;
    for (jint i = 0; i < n && out->n < GL_J_FRAMES; i++) {
        enum whose is = describe(env, &frame[i], &out->frame[out->n]);
        if (is == OF_JDK && of_jdk == out->n) of_jdk++;
        if (is != UNSEEN) out->n++;
    }
    if (out->n == 0) {
        stack_of_site(number, out);
        return;
    }
    if (gl_j_site(number)) begin_at_site(out, frame_of_site(number), of_jdk);
    out->whole = true;
}

void gl_j_stack_here(JNIEnv *env, uint32_t number, struct gl_j_stack *out)
{
    jvmtiFrameInfo frame[GL_J_FRAMES + OWN_FRAMES];
    jint n = 0;
    if ((*gl_j_agent.ti)->GetStackTrace(gl_j_agent.ti, NULL, 0, GL_J_FRAMES + OWN_FRAMES, frame, &n) != JVMTI_ERROR_NONE) n = 0;
    describe_all(env, frame, n, number, out);
}

/* ---- stacks that are kept: a set that only grows; equal stacks have one number ---- */

#define KEPT 0x80000000u /* in a place: the rest is the number of a stack */
#define KEPT_MOST (1u << 22)
#define KEPT_CHUNK 4096u
#define BUCKETS (1u << 16)

struct kept {
    uint32_t next; /* number of the next in its bucket; 0: none */
    uint32_t hash, site;
    jint n;
    jvmtiFrameInfo frame[];
};

static struct {
    pthread_mutex_t lock; /* guards the rest, but for reading `chunk` */
    uint32_t used;
    uint32_t bucket[BUCKETS];
    _Atomic(struct kept **) chunk[KEPT_MOST / KEPT_CHUNK];
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct kept **kept_at(uint32_t number)
{
    return gl_load_acquire(&kept.chunk[number / KEPT_CHUNK]) + number % KEPT_CHUNK; /* pairs with keep_locked() */
}

static uint32_t keep_locked(const jvmtiFrameInfo *frame, jint n, uint32_t site, uint32_t hash)
{
    uint32_t *bucket = &kept.bucket[hash % BUCKETS], number;
    size_t bytes = (size_t)n * sizeof *frame;
    for (number = *bucket; number; number = (*kept_at(number))->next) {
        const struct kept *k = *kept_at(number);
        if (k->hash == hash && k->site == site && k->n == n && memcmp(k->frame, frame, bytes) == 0) return number;
    }
    number = kept.used + 1;
    if (number >= KEPT_MOST) return 0;
    _Atomic(struct kept **) *place = &kept.chunk[number / KEPT_CHUNK];
    if (!gl_load_relaxed(place)) { /* relaxed: only the lock's holder writes it */
        struct kept **fresh = calloc(KEPT_CHUNK, sizeof *fresh);
        if (!fresh) return 0;
        gl_store_release(place, fresh); /* pairs with kept_at() */
    }
    struct kept *k = malloc(sizeof *k + bytes);
    if (!k) return 0;
    *k = (struct kept){.next = *bucket, .hash = hash, .site = site, .n = n};
    memcpy(k->frame, frame, bytes);
    *kept_at(number) = k; /* a number reaches others through a cell's lock or ours */
    kept.used = number;
    return *bucket = number;
}

uint32_t gl_jplace(uint32_t site)
{
    jvmtiFrameInfo frame[KEPT_FRAMES];
    jint n = 0;
    memset(frame, 0, sizeof frame); /* it is compared with its padding */
    if ((*gl_j_agent.ti)->GetStackTrace(gl_j_agent.ti, NULL, 0, KEPT_FRAMES, frame, &n) != JVMTI_ERROR_NONE || n == 0) return site;
    uint32_t number = gl_j_stack_keep(frame, n, site);
    return number ? number : site;
}

uint32_t gl_j_stack_keep(const jvmtiFrameInfo *frame, jint n, uint32_t site)
{
    uint32_t hash = 2166136261u ^ site;
    for (jint i = 0; i < n; i++) {
        uint64_t v = (uint64_t)(uintptr_t)frame[i].method * 31 + (uint64_t)frame[i].location;
        hash = (hash ^ (uint32_t)(v ^ v >> 32)) * 16777619u;
    }
    pthread_mutex_lock(&kept.lock);
    uint32_t number = keep_locked(frame, n, site, hash);
    pthread_mutex_unlock(&kept.lock);
    return number ? KEPT | number : 0;
}

const jvmtiFrameInfo *gl_j_stack_kept(uint32_t place, jint *n)
{
    const struct kept *k = *kept_at(place & ~KEPT);
    *n = k->n;
    return k->frame;
}

uint32_t gl_j_place_site(uint32_t place)
{
    return place & KEPT ? (*kept_at(place & ~KEPT))->site : place;
}

void gl_j_stack_of_place(JNIEnv *env, uint32_t place, struct gl_j_stack *out)
{
    if (!(place & KEPT)) {
        stack_of_site(place, out);
        return;
    }
    const struct kept *k = *kept_at(place & ~KEPT);
    describe_all(env, k->frame, k->n, k->site, out);
}
