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
#include "java/allocated.h"
#include "java/bridge.h"
#include "java/exception.h"
#include "java/jfr.h"
#include "java/record.h"
#include "java/site.h"
#include "java/stack.h"
#include "java/variable.h"
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
    struct gl_managed_allocation allocated;
    char variable[2 * NAME], object[NAME + 16], why[3 * NAME], thread[2][NAME], allocator[NAME];
    bool in_initializer; /* of a class, by the thread that found the race */
};

uint64_t gl_j_races(void)
{
    return gl_load_relaxed(&telling.found); /* relaxed: a counter */
}

/* ---- collecting ---- */

static void access_of(const struct gl_race_access *a, struct gl_managed_access *out, char *thread)
{
    gl_jthread_name(a->thread, thread, NAME);
    out->write = a->write;
    out->thread = thread[0] ? thread : NULL;
    out->thread_id = thread[0] ? 0 : a->thread;
    out->number = a->thread;
}

static void use_stack(const struct gl_j_stack *s, struct gl_managed_access *out)
{
    out->frame = s->frame;
    out->frames = s->n;
    out->whole = s->whole;
}

static void find_allocation(JNIEnv *env, jobject object, struct report *p)
{
    uint32_t uid;
    p->r.tells_allocation = gl_j_agent.options.allocations;
    if (!object || !gl_j_allocated(env, object, &p->allocated.at, &uid)) return;
    gl_jthread_name(uid, p->allocator, NAME);
    p->allocated.thread = p->allocator[0] ? p->allocator : NULL;
    p->allocated.thread_id = p->allocator[0] ? 0 : uid;
    p->allocated.number = uid;
    p->r.allocated = &p->allocated;
}

/* The end of the sentence "Nothing orders the two accesses: ..." */
static void explain(struct report *p, const struct gl_race *race)
{
    if (!gl_j_record_precise()) return; /* it does not know */
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
    struct gl_j_variable v = {.text = p->variable, .room = sizeof p->variable, .object = p->object, .object_room = sizeof p->object};
    gl_j_name_variable(env, f->site, f->object, f->index, &v);
    if (f->object) p->r.object = p->object;
    find_allocation(env, f->object, p);
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

static struct gl_dedup_side side_of(const struct gl_race_access *a)
{
    return (struct gl_dedup_side){gl_j_site_place(gl_j_place_site(a->site)), a->write ? GL_REPORT_WRITE : GL_REPORT_READ};
}

/* How often this pair of places has raced; 0: not known. */
static uint64_t count_locked(const struct gl_race *race)
{
    if (!telling.ready) gl_dedup_init(&telling.seen, &pages);
    telling.ready = true;
    return gl_dedup_add(&telling.seen, side_of(&race->now), side_of(&race->then));
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
        gl_j_record_end();
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
        if (!gl_j_record_precise())
            gl_j_say("the reports are those of %s, which is imprecise: accesses that are ordered may be among them", gl_j_record_detector());
    }
}
