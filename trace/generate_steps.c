/* SPDX-License-Identifier: Apache-2.0
 *
 * What a thread of the generated program can do, one event at a time.
 *
 * Why there is no race without a race rate: a variable is accessed by a thread that holds its lock, or owns its pack,
 * or in a transaction, or nobody writes it.  generate_hand.c says how packs change their owners.
 */
#include "trace/generate_state.h"

/* ---- accesses ---- */

static bool pick_in(struct gl_generator *g, struct gen_range r, uint32_t *variable)
{
    if (!r.count)
        return false;
    *variable = r.first + gen_below(g, r.count);
    return true;
}

/* The part of a mutex or reader-writer lock in the variables that its kind guards. */
static struct gen_range part_of(struct gen_range all, uint32_t i, uint32_t n)
{
    uint32_t first = (uint32_t)((uint64_t)all.count * i / n),
             end = (uint32_t)((uint64_t)all.count * (i + 1) / n);
    return (struct gen_range){all.first + first, end - first};
}

static bool pick_owned(struct gl_generator *g, uint32_t t, uint32_t *variable)
{
    struct gen_thread *th = &g->thread[t];
    if (!th->n_packs)
        return false;
    struct gen_pack *p = &g->pack[th->packs];
    if (th->n_packs > 1 && gen_one_in(g, 16)) { /* the next time, another one */
        uint32_t first = th->packs;
        th->packs = p->next;
        p->next = g->pack[th->packs].next;
        g->pack[th->packs].next = first;
        p = &g->pack[th->packs];
    }
    pick_in(g, p->range, variable); /* a pack is never empty */
    if (*variable == p->freed)
        *variable = p->range.first + (*variable - p->range.first + 1) % p->range.count;
    return *variable != p->freed;
}

static bool pick_locked(struct gl_generator *g, uint32_t t, bool write, uint32_t *variable)
{
    const struct gen_thread *th = &g->thread[t];
    if (th->rwlock != GEN_NONE && (th->writes || !write) && (!th->n_held || gen_one_in(g, 2)) &&
        pick_in(g, part_of(g->rwguarded, th->rwlock, g->o.objects), variable))
        return true;
    return th->n_held &&
           pick_in(g, part_of(g->guarded, th->held[gen_below(g, th->n_held)].mutex, g->o.locks), variable);
}

/* A variable that the thread may access now. */
static bool pick_variable(struct gl_generator *g, uint32_t t, bool write, uint32_t *variable)
{
    if (!write && gen_one_in(g, 16) && pick_in(g, g->constant, variable))
        return true;
    if (gen_below(g, 4) && pick_locked(g, t, write, variable))
        return true;
    return pick_owned(g, t, variable) || pick_locked(g, t, write, variable) ||
           (!write && pick_in(g, g->constant, variable));
}

static void access_variable(struct gl_generator *g, uint32_t t, bool write, uint32_t variable)
{
    uint64_t at = g->place[variable];
    uint32_t size = 4;
    if (g->o.addresses) {
        size = 1u << gen_below(g, 4);
        at += gen_below(g, 8 / size) * size;
    }
    gen_emit(g, write ? GL_OP_WRITE : GL_OP_READ, t, at)->size = size;
    if (g->o.races_per_million)
        g->recent[g->n_recent++ % GEN_RECENT] = (struct gen_access){t, variable, write};
}

/* What another thread accessed just now, without asking. */
static bool break_in(struct gl_generator *g, uint32_t t)
{
    uint32_t n = g->n_recent < GEN_RECENT ? g->n_recent : GEN_RECENT;
    for (uint32_t tries = 0; n && tries < 4; tries++) {
        struct gen_access a = g->recent[gen_below(g, n)];
        if (a.thread == t)
            continue;
        access_variable(g, t, !a.write || gen_one_in(g, 2), a.variable);
        return true;
    }
    return false;
}

static bool access_step(struct gl_generator *g, uint32_t t, bool write)
{
    uint32_t variable;
    if (g->o.races_per_million && gen_below(g, 1000000) < g->o.races_per_million && break_in(g, t))
        return true;
    if (!pick_variable(g, t, write, &variable))
        return false;
    access_variable(g, t, write, variable);
    return true;
}

void gen_read(struct gl_generator *g, uint32_t t)
{
    uint32_t variable = 0;
    if (!pick_variable(g, t, false, &variable))
        pick_in(g, g->constant, &variable); /* a sixteenth of all variables, so there is one */
    access_variable(g, t, false, variable);
}

/* An owner frees a variable, or allocates the one that is free. */
static bool heap_step(struct gl_generator *g, uint32_t t)
{
    uint32_t variable = 0;
    if (!pick_owned(g, t, &variable) && !g->thread[t].n_packs)
        return false;
    struct gen_pack *p = &g->pack[g->thread[t].packs];
    bool was_free = p->freed != GEN_NONE;
    if (was_free)
        variable = p->freed;
    p->freed = was_free ? GEN_NONE : variable;
    gen_emit(g, was_free ? GL_OP_ALLOC : GL_OP_FREE, t, g->place[variable])->size = g->o.addresses ? 8 : 4;
    return true;
}

static bool commit_step(struct gl_generator *g, uint32_t t)
{
    uint64_t *list = g->lists[g->n_lists++];
    uint32_t n = 1 + gen_below(g, GEN_COMMIT), all = g->transactional.count, first = gen_below(g, all);
    if (n > all)
        n = all;
    for (uint32_t i = 0; i < n; i++)
        list[i] = g->place[g->transactional.first + (first + i) % all];
    struct gl_event *e = gen_emit(g, GL_OP_COMMIT, t, 0);
    e->n_reads = gen_below(g, n + 1);
    e->n_writes = n - e->n_reads;
    e->reads = list;
    e->writes = list + e->n_reads;
    return true;
}

/* ---- locks ---- */

/* Locks lie around the ring of threads: a thread uses those of its own sector and of the next one. */
static uint32_t pick_lock(struct gl_generator *g, uint32_t t)
{
    uint32_t n = g->o.locks, sector = (n + g->o.alive - 1) / g->o.alive;
    uint32_t own = (uint32_t)((uint64_t)(t % g->o.alive) * n / g->o.alive);
    switch (g->o.topology) {
    case GL_TOPOLOGY_NEIGHBOURS:
    case GL_TOPOLOGY_PIPELINE:
        return (own + gen_below(g, 2 * sector)) % n;
    case GL_TOPOLOGY_LOCAL:
        return gen_below(g, 8) ? (own + gen_below(g, sector)) % n : gen_below(g, n);
    default:
        return gen_below(g, n);
    }
}

static void unhold(struct gl_generator *g, uint32_t t, uint32_t i)
{
    struct gen_thread *th = &g->thread[t];
    g->mutex[th->held[i].mutex] = GEN_NONE;
    for (th->n_held--; i < th->n_held; i++)
        th->held[i] = th->held[i + 1];
}

/* Mostly the innermost; now and then hand over hand. */
static bool release_mutex(struct gl_generator *g, uint32_t t)
{
    struct gen_thread *th = &g->thread[t];
    if (!th->n_held)
        return false;
    uint32_t i = gen_one_in(g, 8) ? gen_below(g, th->n_held) : th->n_held - 1u;
    gen_emit(g, GL_OP_REL, t, th->held[i].mutex);
    g->owed--;
    if (!--th->held[i].depth)
        unhold(g, t, i);
    return true;
}

static bool release_rwlock(struct gl_generator *g, uint32_t t)
{
    struct gen_thread *th = &g->thread[t];
    if (th->rwlock == GEN_NONE)
        return false;
    struct gen_rwlock *l = &g->rwlock[th->rwlock];
    if (th->writes) {
        l->writer = GEN_NONE;
    } else {
        uint32_t *from = th->last_reader == GEN_NONE ? &l->readers : &g->thread[th->last_reader].next_reader;
        *from = th->next_reader;
        if (th->next_reader != GEN_NONE)
            g->thread[th->next_reader].last_reader = th->last_reader;
        th->next_reader = th->last_reader = GEN_NONE;
    }
    gen_emit(g, th->writes ? GL_OP_WRUNLOCK : GL_OP_RDUNLOCK, t, th->rwlock);
    g->owed--;
    th->rwlock = GEN_NONE;
    th->writes = false;
    return true;
}

bool gen_release(struct gl_generator *g, uint32_t t) { return release_mutex(g, t) || release_rwlock(g, t); }

/* When another thread has it, that one runs and gives up a lock. */
static bool acquire_mutex(struct gl_generator *g, uint32_t t)
{
    struct gen_thread *th = &g->thread[t];
    uint32_t m = pick_lock(g, t), owner = g->mutex[m];
    if (owner != GEN_NONE && owner != t)
        return release_mutex(g, owner);
    if (!gen_affords(g, 1))
        return false;
    uint32_t i = 0;
    while (i < th->n_held && th->held[i].mutex != m)
        i++;
    if (i == th->n_held) {
        if (i == GEN_NEST)
            return release_mutex(g, t);
        th->held[th->n_held++] = (struct gen_hold){m, 0};
        g->mutex[m] = t;
    }
    th->held[i].depth++;
    g->owed++;
    gen_emit(g, GL_OP_ACQ, t, m);
    return true;
}

static bool lock_step(struct gl_generator *g, uint32_t t)
{
    return gen_below(g, 3) && release_mutex(g, t) ? true : acquire_mutex(g, t);
}

static bool condition_step(struct gl_generator *g, uint32_t t)
{
    struct gen_thread *th = &g->thread[t];
    if (th->rwlock != GEN_NONE)
        return release_rwlock(g, t);
    if (th->n_held != 1)
        return th->n_held ? release_mutex(g, t) : acquire_mutex(g, t);
    if (!gen_affords(g, 1))
        return false;
    th->waiting = th->held[0].mutex;
    th->wait_depth = th->held[0].depth;
    unhold(g, t, 0);
    g->owed++;
    gen_emit(g, GL_OP_CWAIT_BEGIN, t, th->waiting);
    return true;
}

void gen_end_wait(struct gl_generator *g, uint32_t t)
{
    struct gen_thread *th = &g->thread[t];
    uint32_t m = th->waiting;
    if (g->mutex[m] != GEN_NONE) {
        release_mutex(g, g->mutex[m]);
        return;
    }
    g->mutex[m] = t;
    th->held[th->n_held++] = (struct gen_hold){m, th->wait_depth};
    th->waiting = GEN_NONE;
    g->owed--;
    gen_emit(g, GL_OP_CWAIT_END, t, m);
}

static bool rwlock_step(struct gl_generator *g, uint32_t t)
{
    struct gen_thread *th = &g->thread[t];
    if (th->rwlock != GEN_NONE)
        return release_rwlock(g, t);
    if (!gen_affords(g, 1))
        return false;
    uint32_t i = gen_pick_object(g, t, g->o.objects, true);
    struct gen_rwlock *l = &g->rwlock[i];
    bool write = gen_one_in(g, 3);
    if (l->writer != GEN_NONE)
        return release_rwlock(g, l->writer);
    if (write && l->readers != GEN_NONE)
        return release_rwlock(g, l->readers);
    if (write) {
        l->writer = t;
    } else {
        th->next_reader = l->readers;
        if (l->readers != GEN_NONE)
            g->thread[l->readers].last_reader = t;
        l->readers = t;
    }
    th->rwlock = i;
    th->writes = write;
    g->owed++;
    gen_emit(g, write ? GL_OP_WRLOCK : GL_OP_RDLOCK, t, i);
    return true;
}

void gen_unblock(struct gl_generator *g, uint32_t t)
{
    if (g->thread[t].waiting != GEN_NONE)
        gen_end_wait(g, t);
    else
        gen_round_step(g, g->thread[t].round, t);
}

/* ---- threads ---- */

bool gen_fork(struct gl_generator *g, uint32_t t)
{
    if (g->next == g->o.threads || g->n_alive == g->o.alive || !gen_affords(g, 2))
        return false;
    uint32_t child = g->next++;
    struct gen_thread *c = &g->thread[child], *parent = &g->thread[t];
    c->life = GEN_ALIVE;
    c->fresh = true;
    c->parent = t;
    c->place = g->n_alive;
    g->alive[g->n_alive++] = child;
    parent->children++;
    /* In a tree the child will have children to give to. */
    uint32_t gift = g->o.topology == GL_TOPOLOGY_TREE ? parent->n_packs / 2 : parent->n_packs > 1;
    for (; gift; gift--) {
        gen_push(g, &c->packs, gen_pop(g, &parent->packs));
        c->n_packs++;
        parent->n_packs--;
    }
    g->owed += 2;
    gen_emit(g, GL_OP_FORK, t, child);
    return true;
}

/* It holds nothing, and all its children are joined. */
static void end_thread(struct gl_generator *g, uint32_t t)
{
    struct gen_thread *th = &g->thread[t];
    uint32_t last = g->alive[--g->n_alive];
    g->alive[th->place] = last;
    g->thread[last].place = th->place;
    th->life = GEN_ENDED;
    th->next_ended = g->thread[th->parent].ended;
    g->thread[th->parent].ended = t;
    g->owed--;
    gen_emit(g, GL_OP_END, t, 0);
}

static bool join_child(struct gl_generator *g, uint32_t t)
{
    struct gen_thread *th = &g->thread[t];
    uint32_t child = th->ended;
    if (child == GEN_NONE)
        return false;
    struct gen_thread *c = &g->thread[child];
    th->ended = c->next_ended;
    th->children--;
    c->life = GEN_JOINED;
    gen_own_all(g, &c->packs, t);
    gen_own_all(g, &c->out, t);
    /* c->in stays where it is for ever: the child never came after who sent that, so neither does its parent */
    g->owed--;
    gen_emit(g, GL_OP_JOIN, t, child);
    return true;
}

static bool is_blocked(const struct gl_generator *g, uint32_t t)
{
    return g->thread[t].waiting != GEN_NONE || g->thread[t].inside;
}

/* The thread ends, or does what it has to do before that. */
static bool end_step(struct gl_generator *g, uint32_t t)
{
    struct gen_thread *th = &g->thread[t];
    if (t == 0 || th->round != GEN_NONE || is_blocked(g, t))
        return false;
    if (join_child(g, t))
        return true;
    if (th->children)
        return false;
    if (gen_release(g, t))
        return true;
    if (th->in != GEN_NONE) {
        gen_own_all(g, &th->in, t);
        gen_emit(g, GL_OP_FENCE, t, 0)->order = GL_ACQ;
        return true;
    }
    end_thread(g, t);
    return true;
}

/* As many threads as asked for are kept alive, while there are more to come. */
static bool thread_step(struct gl_generator *g, uint32_t t)
{
    uint32_t parent = g->o.topology == GL_TOPOLOGY_TREE ? t : 0;
    if (!is_blocked(g, parent) && (gen_fork(g, parent) || (gen_one_in(g, 2) && join_child(g, parent))))
        return true;
    if (g->next == g->o.threads)
        return !is_blocked(g, parent) && join_child(g, parent);
    bool made = end_step(g, t);
    for (unsigned tries = 0; tries < 8 && !made; tries++) /* in a tree, half of the threads have children */
        made = end_step(g, g->alive[gen_below(g, g->n_alive)]);
    return made;
}

/* ---- all together ---- */

bool gen_step(struct gl_generator *g, enum gl_family f, uint32_t t)
{
    switch (f) {
    case GL_FAMILY_READ:
        return access_step(g, t, false);
    case GL_FAMILY_WRITE:
        return access_step(g, t, true);
    case GL_FAMILY_HEAP:
        return heap_step(g, t);
    case GL_FAMILY_LOCK:
        return lock_step(g, t);
    case GL_FAMILY_CWAIT:
        return condition_step(g, t);
    case GL_FAMILY_RWLOCK:
        return rwlock_step(g, t);
    case GL_FAMILY_VOLATILE:
        return gen_volatile_step(g, t);
    case GL_FAMILY_ATOMIC:
        return gen_atomic_step(g, t);
    case GL_FAMILY_FENCE:
        return gen_fence_step(g, t);
    case GL_FAMILY_BARRIER:
        return gen_barrier_step(g, t);
    case GL_FAMILY_SEMAPHORE:
        return gen_semaphore_step(g, t);
    case GL_FAMILY_THREAD:
        return thread_step(g, t);
    case GL_FAMILY_COMMIT:
        return commit_step(g, t);
    case GL_FAMILY_COUNT:
        break;
    }
    return false;
}

/* Phases of the end: locks are released; waits return, and release; rounds come to their end; threads end and are
 * joined, children (whose numbers are higher) before their parents. */
void gen_drain(struct gl_generator *g)
{
    enum { RELEASE, RETURN, MEET, END };
    for (;;) {
        uint32_t i = g->cursor,
                 n = g->phase == MEET ? (g->o.weight[GL_FAMILY_BARRIER] ? g->o.objects : 0) : g->next;
        if (i == n) {
            g->phase++;
            g->cursor = 0;
            continue;
        }
        struct gen_thread *th = &g->thread[g->phase == END ? n - 1 - i : i];
        uint32_t t = (uint32_t)(th - g->thread);
        if (g->phase == MEET) {
            if (g->round[i].size) {
                gen_round_step(g, i, GEN_NONE);
                return;
            }
        } else if (g->phase == END) {
            if (join_child(g, t))
                return;
            if (th->life == GEN_ALIVE && t) {
                end_thread(g, t);
                return;
            }
        } else if (th->life == GEN_ALIVE) {
            if (gen_release(g, t))
                return;
            if (g->phase == RETURN && th->waiting != GEN_NONE) {
                gen_end_wait(g, t);
                return;
            }
        }
        g->cursor++;
    }
}
