/* SPDX-License-Identifier: Apache-2.0
 *
 * See serial.h.
 */
#include "java/serial.h"

#include <pthread.h>

#include "core/cell.h"
#include "java/bridge_state.h"
#include "platform/platform.h"

/* Words of cells: number << SHIFT | TAG.  Bit 4 is set and bits 0..3 are not, so a word's low half is never a segment with bytes;
 * below 2^30 variables the high half is below 15, which a thread without segment would look for. */
#define SHIFT 5
#define TAG 0x10u
#define VARIABLES (1u << 30)
#define CHUNK 4096u

struct kept {
    _Atomic uint64_t word, sites;
};

static struct {
    pthread_mutex_t lock; /* guards the rest, but for `on`, which is set before there is a second thread */
    struct gl_jserial_to to;
    bool on, ended;
    gl_status stopped; /* not GL_OK: why */
    uint32_t variables, volatiles, mutexes;
    struct kept *chunk[VARIABLES / CHUNK]; /* the core's cells, when it judges */
} serial = {.lock = PTHREAD_MUTEX_INITIALIZER};

void gl_jserial_begin(const struct gl_jserial_to *to)
{
    serial.to = *to;
    serial.on = true;
}

void gl_jserial_end(void)
{
    pthread_mutex_lock(&serial.lock);
    serial.ended = true;
    pthread_mutex_unlock(&serial.lock);
}

bool gl_jserial_is_on(void) { return serial.on; }

const char *gl_jserial_complaint(void)
{
    pthread_mutex_lock(&serial.lock);
    gl_status s = serial.stopped;
    pthread_mutex_unlock(&serial.lock);
    return s == GL_OK ? NULL : gl_status_message(s);
}

/* ---- telling ---- */

static gl_status tell_locked(const struct gl_event *e, struct gl_race *race)
{
    if (serial.ended || serial.stopped)
        return GL_OK;
    gl_status s = serial.to.detector->event(serial.to.state, e, race);
    if (serial.to.told)
        serial.to.told(serial.to.state);
    return s;
}

/* A synchronization that was not taken in would make false races of all that it orders: then checking is over. */
static void sync_locked(struct gl_event e)
{
    gl_status s = tell_locked(&e, NULL);
    if (s <= GL_RACE)
        return;
    serial.stopped = s;
    gl_core_stop(gl_jbridge.core);
}

static void sync_told(struct gl_event e)
{
    pthread_mutex_lock(&serial.lock);
    sync_locked(e);
    pthread_mutex_unlock(&serial.lock);
}

void gl_jserial_thread(uint32_t uid, enum gl_op op, uint32_t other)
{
    if (serial.on)
        sync_told((struct gl_event){.op = op, .thread = uid, .object = other});
}

static uint32_t number_locked(struct gl_jsync *s, uint32_t *used)
{
    if (!s->number)
        s->number = ++*used;
    return s->number;
}

void gl_jserial_volatile(uint32_t uid, enum gl_op op, struct gl_jsync *s)
{
    if (!serial.on)
        return;
    pthread_mutex_lock(&serial.lock);
    sync_locked((struct gl_event){.op = op, .thread = uid, .object = number_locked(s, &serial.volatiles)});
    pthread_mutex_unlock(&serial.lock);
}

/* Who took the monitor has it, so whoever was thought to hold it has given it up (native code may, unseen). */
static void given_up_locked(struct gl_jsync *s, uint32_t number)
{
    for (; s->depth; s->depth--)
        sync_locked((struct gl_event){.op = GL_OP_REL, .thread = s->holder, .object = number});
}

void gl_jserial_monitor(struct gl_jthread *t, enum gl_op op, struct gl_jsync *s, uint32_t depth)
{
    if (!serial.on)
        return;
    pthread_mutex_lock(&serial.lock);
    struct gl_event e = {.op = op, .thread = t->uid, .object = number_locked(s, &serial.mutexes)};
    bool holds = s->depth && s->holder == t->uid, takes = op == GL_OP_ACQ || (op == GL_OP_CWAIT_END && t->waits);
    if (takes) {
        if (!holds)
            given_up_locked(s, (uint32_t)e.object);
        s->holder = t->uid;
        s->depth = op == GL_OP_ACQ ? s->depth + 1 : depth;
        t->waits = false;
        sync_locked(e);
    } else if (holds && op != GL_OP_CWAIT_END) { /* else the instruction throws, or native code took the monitor, unseen */
        s->depth = op == GL_OP_REL ? s->depth - 1 : 0;
        t->waits = op == GL_OP_CWAIT_BEGIN;
        sync_locked(e);
    }
    pthread_mutex_unlock(&serial.lock);
}

/* ---- accesses ---- */

/* 0: no more, or no memory. */
static uint32_t variable_new_locked(void)
{
    uint32_t n = serial.variables + 1;
    if (n >= VARIABLES)
        return 0;
    if (!serial.to.judges && !serial.chunk[n / CHUNK] && !(serial.chunk[n / CHUNK] = gl_os_map(CHUNK * sizeof(struct kept))))
        return 0;
    return serial.variables = n;
}

static enum gl_op op_of(unsigned kind)
{
    if (kind & GL_ACCESS_ATOMIC)
        return kind & GL_ACCESS_WRITE ? GL_OP_STORE : GL_OP_LOAD; /* relaxed: what it orders is told apart */
    return kind & GL_ACCESS_WRITE ? GL_OP_WRITE : GL_OP_READ;
}

/* The racing bytes of the cell, 0, or GL_ACCESS_NOMEM. */
static int judge_locked(struct gl_jthread *t, uint32_t variable, const struct gl_jserial_access *a)
{
    unsigned first = (unsigned)__builtin_ctz(a->mask);
    bool recorded = serial.to.name != NULL;
    struct gl_event e = {.op = op_of(a->kind),
                         .thread = t->uid,
                         .site = recorded ? a->site : a->place,
                         .object = 4ull * variable + first,
                         .size = (uint32_t)__builtin_popcount(a->mask)};
    struct gl_race race = {0};
    if (recorded)
        serial.to.site(serial.to.state, a->site);
    gl_status s = tell_locked(&e, &race);
    if (!serial.to.judges) {
        struct kept *k = &serial.chunk[variable / CHUNK][variable % CHUNK];
        return gl_access(t->core, (struct gl_cell){.word = &k->word, .sites = &k->sites}, a->mask, a->kind, a->place, &t->race);
    }
    if (s != GL_RACE)
        return s == GL_OK ? 0 : GL_ACCESS_NOMEM;
    t->race = race;
    return (int)(race.bytes << first & 0xF);
}

uint64_t gl_jserial_access(JNIEnv *env, struct gl_jthread *t, uint64_t word, const struct gl_jserial_access *a)
{
    char name[1536] = "";
    uint32_t variable = (uint32_t)(word >> SHIFT);
    if (!variable && serial.to.name)
        serial.to.name(env, a->site, a->object, a->index, name, sizeof name);
    pthread_mutex_lock(&serial.lock);
    if (!variable) {
        variable = variable_new_locked();
        if (variable && serial.to.variable && !serial.ended)
            serial.to.variable(serial.to.state, 4ull * variable, name);
    }
    int raced = variable ? judge_locked(t, variable, a) : GL_ACCESS_NOMEM;
    pthread_mutex_unlock(&serial.lock);
    if (raced > 0) {
        t->race.object = 0;
        t->race.bytes = (uint64_t)raced;
        t->flags |= GL_JTHREAD_RACED;
    } else if (raced < 0) {
        gl_jcount(GL_JCOUNT_LOST, 1);
    }
    return variable ? (uint64_t)variable << SHIFT | TAG : 0;
}
