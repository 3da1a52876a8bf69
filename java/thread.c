/* SPDX-License-Identifier: Apache-2.0
 *
 * The records of Java threads, and what is known of threads by number when they are long gone.
 */
#include <string.h>

#include "java/bridge_state.h"
#include "java/join.h"
#include "java/serial.h"
#include "platform/platform.h"

#define CHUNK 4096u   /* threads */
#define CHUNKS 65536u /* 2.7e8 threads in all */
#define NAME_MAX_BYTES 4096u

/* What outlives a thread: 16 bytes, and its name if it has one. */
struct known {
    char *name; /* NULL: none */
    uint32_t name_bytes;
    uint32_t parent;
};

static struct {
    struct gl_spin lock; /* guards all */
    uint32_t used;       /* the last number given */
    struct known *chunk[CHUNKS];
} threads;

/* Under the lock; NULL: no such number. */
static struct known *known_at(uint32_t uid)
{
    return uid && uid <= threads.used ? &threads.chunk[uid / CHUNK][uid % CHUNK] : NULL;
}

/* A number for a thread; 0: none left, or no memory. */
static uint32_t number_new(uint32_t parent)
{
    gl_spin_lock(&threads.lock);
    uint32_t uid = threads.used + 1;
    if (uid / CHUNK < CHUNKS && !threads.chunk[uid / CHUNK])
        threads.chunk[uid / CHUNK] = gl_os_map(CHUNK * sizeof(struct known));
    if (uid / CHUNK >= CHUNKS || !threads.chunk[uid / CHUNK]) {
        uid = 0;
    } else {
        threads.used = uid;
        threads.chunk[uid / CHUNK][uid % CHUNK].parent = parent;
    }
    gl_spin_unlock(&threads.lock);
    return uid;
}

void gl_jthread_rename(uint32_t uid, const char *name)
{
    size_t n = strlen(name);
    if (n >= NAME_MAX_BYTES)
        n = NAME_MAX_BYTES - 1;
    char *copy = n ? gl_arena_alloc(n + 1) : NULL;
    if (copy)
        memcpy(copy, name, n); /* the arena's blocks are zeroed */
    gl_spin_lock(&threads.lock);
    struct known *k = known_at(uid);
    char *old = k ? k->name : copy;
    size_t old_bytes = k ? k->name_bytes : n + 1;
    if (k) {
        k->name = copy;
        k->name_bytes = (uint32_t)n + 1;
    }
    gl_spin_unlock(&threads.lock);
    if (old)
        gl_arena_free(old, old_bytes);
}

void gl_jthread_name(uint32_t uid, char *out, size_t room)
{
    if (!room)
        return;
    out[0] = 0;
    gl_spin_lock(&threads.lock);
    struct known *k = known_at(uid);
    if (k && k->name) {
        size_t n = k->name_bytes - 1 < room ? k->name_bytes - 1 : room - 1;
        memcpy(out, k->name, n);
        out[n] = 0;
    }
    gl_spin_unlock(&threads.lock);
}

uint32_t gl_jthread_last_uid(void)
{
    gl_spin_lock(&threads.lock);
    uint32_t uid = threads.used;
    gl_spin_unlock(&threads.lock);
    return uid;
}

uint32_t gl_jthread_parent(uint32_t uid)
{
    gl_spin_lock(&threads.lock);
    struct known *k = known_at(uid);
    uint32_t parent = k ? k->parent : 0;
    gl_spin_unlock(&threads.lock);
    return parent;
}

struct gl_jthread *gl_jthread_new(struct gl_jthread *parent, const char *name)
{
    GL_JINSIDE;
    struct gl_jthread *t = gl_arena_alloc(sizeof *t);
    uint32_t uid = t ? number_new(parent ? parent->uid : 0) : 0;
    if (uid)
        t->core = gl_thread_create(gl_jbridge.core, parent ? gl_jthread_core(parent) : NULL, uid,
                                   gl_jserial_is_on() ? &t->hidden : &t->key);
    if (!t || !t->core) {
        if (t)
            gl_arena_free(t, sizeof *t);
        return NULL;
    }
    t->uid = uid;
    t->passed = gl_jbridge.sweeps;
    t->foreign = ~0u; /* until a segment begins */
    t->before = t->core->before;
    t->core->join_sites = gl_jjoin;
    t->slot1 = t->core->own;
    if (parent)
        gl_jserial_thread(parent->uid, GL_OP_FORK, uid);
    if (name[0])
        gl_jthread_rename(uid, name);
    gl_jcount(GL_JCOUNT_THREADS, 1);
    gl_jcount(GL_JCOUNT_RECORDS, 1);
    return t;
}

void gl_jthread_end(struct gl_jthread *t)
{
    GL_JINSIDE;
    if (!t || !gl_jthread_core(t))
        return;
    gl_jserial_thread(t->uid, GL_OP_END, 0);
    gl_thread_end(t->core, &t->end);
    t->core = NULL;
    t->before = NULL;
    t->key = 0;
    __atomic_fetch_or(&t->flags, GL_JTHREAD_ENDED, __ATOMIC_RELEASE); /* pairs with gl_jthread_join() */
}

void gl_jthread_join(struct gl_jthread *t, const struct gl_jthread *child)
{
    GL_JINSIDE;
    /* acquire: pairs with gl_jthread_end().  Not ended: it was never started. */
    if (!t->core || !(__atomic_load_n(&child->flags, __ATOMIC_ACQUIRE) & GL_JTHREAD_ENDED))
        return;
    /* A copy, so that joiners need not exclude one another.  What a sink changes of it, where its record stands (gl_sync.behind), nobody needs: there is no
     * source of it any more, joiners' records do not depend on one another, and who gets its node later counts on any. */
    struct gl_sync end = child->end;
    gl_sink_end(gl_jthread_core(t), &end);
    gl_jserial_thread(t->uid, GL_OP_JOIN, child->uid);
}

void gl_jthread_free(struct gl_jthread *t)
{
    GL_JINSIDE;
    gl_jthread_end(t); /* of a thread that was never started, or whose end nobody told */
    gl_sync_free(gl_jbridge.core, &t->end);
    gl_arena_free(t, sizeof *t);
    gl_jcount(GL_JCOUNT_RECORDS, -1);
}
