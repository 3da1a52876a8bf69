/* SPDX-License-Identifier: Apache-2.0
 *
 * From a verdict to what happens: the report, the exception, the end of the JVM.  Collecting decides (which frames, names,
 * objects); report/managed.h prints.  One report at a time, under `telling.lock`; the thread that found the race waits for it
 * before its access.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/atomic.h"
#include "java/agent.h"
#include "java/bridge.h"
#include "java/classes.h"
#include "java/exception.h"
#include "java/jfr.h"
#include "java/site.h"
#include "java/stack.h"
#include "platform/platform.h"
#include "report/dedup.h"
#include "report/managed.h"

enum { NAME = 512 };

static struct {
    pthread_mutex_t lock; /* guards the rest */
    struct gl_dedup seen;
    bool ready;
    uint64_t printed;
    _Atomic uint64_t found; /* read without the lock */
} telling = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What a report borrows while it is printed. */
struct report {
    struct gl_managed_report r;
    struct gl_j_stack now, then;
    char variable[2 * NAME], object[NAME + 16], why[3 * NAME], thread[2][NAME];
    bool in_initializer; /* of a class, by the thread that found the race */
};

uint64_t gl_j_races(void)
{
    return gl_load_relaxed(&telling.found); /* relaxed: a counter */
}

/* ---- names ---- */

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

static void name_variable(JNIEnv *env, const struct gl_jfinding *f, struct report *p)
{
    const struct gl_j_site *site = gl_j_site(f->site);
    char name[NAME];
    if (f->object && f->index >= 0) {
        jclass c = (*env)->GetObjectClass(env, f->object);
        class_name(c, name, sizeof name);
        (*env)->DeleteLocalRef(env, c);
        size_t n = strlen(name); /* int[] and index 3: int[3] */
        if (n > 2 && strcmp(name + n - 2, "[]") == 0) name[n - 2] = 0;
        char *dimensions = strstr(name, "[]");
        int base = dimensions ? (int)(dimensions - name) : (int)strlen(name);
        snprintf(p->variable, sizeof p->variable, "%.*s[%d]%s", base, name, (int)f->index, dimensions ? dimensions : "");
    } else if (site && site->field) {
        struct gl_jfield field;
        snprintf(name, sizeof name, "%s", site->owner);
        for (char *s = name; *s; s++)
            if (*s == '/') *s = '.';
        if (gl_jresolve(env, f->object, f->site, &field) && field.declaring) class_name(field.declaring, name, sizeof name);
        snprintf(p->variable, sizeof p->variable, "%s.%s", name, site->field);
    } else {
        snprintf(p->variable, sizeof p->variable, "?");
    }
    if (f->object) {
        name_object(env, f->object, p->object, sizeof p->object);
        p->r.object = p->object;
    }
}

/* ---- collecting ---- */

static void access_of(const struct gl_race_access *a, struct gl_managed_access *out, char *thread)
{
    gl_jthread_name(a->thread, thread, NAME);
    out->write = a->write;
    out->thread = thread[0] ? thread : NULL;
    out->thread_id = thread[0] ? 0 : a->thread;
}

static void use_stack(const struct gl_j_stack *s, struct gl_managed_access *out)
{
    out->frame = s->frame;
    out->frames = s->n;
    out->whole = s->whole;
}

/* The end of the sentence "Nothing orders the two accesses: ..." */
static void explain(struct report *p, const struct gl_race *race)
{
    const char *then = p->thread[1][0] ? p->thread[1] : "the other thread", *now = p->thread[0][0] ? p->thread[0] : "this thread";
    uint32_t uid = race->now.thread, other = race->then.thread;
    if (gl_jthread_parent(uid) == other)
        snprintf(p->why, sizeof p->why,
                 "%s started %s before the earlier access, and passed nothing on to it since (by a lock, a volatile variable, a join ...).",
                 then, now);
    else if (gl_jthread_parent(other) == uid)
        snprintf(p->why, sizeof p->why, "%s started %s, and has neither joined it since nor taken anything that it passed on.", now, then);
    else
        snprintf(p->why, sizeof p->why,
                 "since the earlier access, %s passed nothing on that has come to %s (by a lock, a volatile variable, a join ...).", then, now);
    p->r.why = p->why;
}

static void collect(JNIEnv *env, const struct gl_jfinding *f, struct report *p)
{
    const struct gl_race *race = f->race;
    p->r.pid = gl_os_pid();
    p->r.variable = p->variable;
    name_variable(env, f, p);
    access_of(&race->now, &p->r.access[0], p->thread[0]);
    access_of(&race->then, &p->r.access[1], p->thread[1]);
    gl_j_stack_here(env, f->site, &p->now);
    gl_j_stack_of_place(env, race->then.site, &p->then);
    use_stack(&p->now, &p->r.access[0]);
    use_stack(&p->then, &p->r.access[1]);
    for (size_t i = 0; i < p->now.n; i++)
        if (strcmp(p->now.frame[i].method, "<clinit>") == 0) p->in_initializer = true;
    explain(p, race);
}

/* ---- telling ---- */

static void *map(void *ctx, size_t bytes)
{
    (void)ctx;
    return gl_os_map(bytes);
}
static void unmap(void *ctx, void *p, size_t bytes)
{
    (void)ctx;
    gl_os_unmap(p, bytes);
}
static void pause_cpu(void *ctx, unsigned rounds)
{
    (void)ctx;
    gl_os_pause(rounds);
}
static const struct gl_env pages = {.map = map, .unmap = unmap, .pause = pause_cpu};

/* How often this pair of places has raced; 0: not known. */
static uint64_t count_locked(const struct gl_race *race)
{
    struct gl_dedup_side side[2] = {{gl_j_place_site(race->now.site), race->now.write ? GL_REPORT_WRITE : GL_REPORT_READ},
                                    {gl_j_place_site(race->then.site), race->then.write ? GL_REPORT_WRITE : GL_REPORT_READ}};
    if (!telling.ready) gl_dedup_init(&telling.seen, &pages);
    telling.ready = true;
    return gl_dedup_add(&telling.seen, side[0], side[1]);
}

static void print_locked(const struct report *p)
{
    const struct gl_j_options *o = &gl_j_agent.options;
    if (o->report_limit && telling.printed >= (uint64_t)o->report_limit) return;
    telling.printed++;
    if (o->format == GL_J_JSON)
        gl_managed_json(&p->r, gl_j_write, NULL);
    else if (o->on_race == GL_J_LOG)
        gl_managed_line(&p->r, gl_j_write, NULL);
    else
        gl_managed_text(&p->r, gl_j_write, NULL);
}

jthrowable gl_jfound(JNIEnv *env, struct gl_jthread *t, const struct gl_jfinding *f)
{
    (void)t;
    if (gl_add_relaxed(&telling.found, 1) && gl_j_agent.options.stop_checking == GL_J_STOP_ALL) /* relaxed: a counter */
        return NULL; /* found while the first was being told */
    struct report *p = gl_arena_alloc(sizeof *p);
    jthrowable thrown = NULL;
    if (!p) return NULL;
    collect(env, f, p);
    pthread_mutex_lock(&telling.lock);
    p->r.occurrences = count_locked(f->race);
    bool told = !gl_j_agent.options.dedup || p->r.occurrences <= 1;
    if (told) print_locked(p);
    if (gl_j_agent.options.on_race == GL_J_HALT) {
        gl_j_found_closing();
        _exit(gl_j_agent.options.exitcode ? gl_j_agent.options.exitcode : 66);
    }
    pthread_mutex_unlock(&telling.lock);
    if (told) gl_j_jfr_tell(env, &p->r);
    /* An exception in a class's initializer would make the class unusable for good. */
    if (gl_j_agent.options.on_race == GL_J_THROW && !p->in_initializer) thrown = gl_j_exception(env, &p->r);
    gl_arena_free(p, sizeof *p);
    return thrown;
}

void gl_j_found_closing(void)
{
    uint64_t n = gl_j_races();
    if (n && gl_j_agent.options.format == GL_J_TEXT) {
        static const char *const but[] = {"", "; no variable was checked after its first race",
                                          "; no field was checked after its first race", "; nothing was checked after the first race"};
        char line[192];
        int length = snprintf(line, sizeof line, "Goldilocks: found %llu race%s, reported %llu%s\n", (unsigned long long)n,
                              n == 1 ? "" : "s", (unsigned long long)telling.printed, but[gl_j_agent.options.stop_checking]);
        gl_j_write(NULL, line, (size_t)length);
    }
}
