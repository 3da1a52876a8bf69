/* SPDX-License-Identifier: Apache-2.0
 *
 * Dependences between OpenMP's tasks (omp.h).
 *
 * They hold between children of one task, so each task has its own table of the addresses on which its children depend.  An
 * address has three merged objects, and a task
 *
 *     that depends by    comes after the ends of      and its end counts as
 *     in                 out, set                     in
 *     out, inout         out, set, in                 out
 *     mutexinoutset      out, set, in                 out       one at a time, so one comes after the other
 *     inoutset           out, in                      set
 *
 * Merging orders nothing too much: a task that waits for none of some kind was made before they were, and they wait for it.
 * A dependence on all memory (omp_all_memory) is an `out` on every address, now and later.
 */
#include "native/omp.h"

#define FIRST_BUCKETS 16u

struct rt_omp_place {
    uintptr_t addr;
    struct rt_omp_place *next;
    struct rt_edge out, in, set;
};

struct rt_omp_places {
    struct gl_spin lock; /* children look while their parent adds */
    uint32_t n_places, n_buckets;
    struct rt_omp_place **bucket;
    struct rt_edge all;
};

struct rt_omp_dep {
    struct rt_omp_place *place; /* NULL: all memory */
    enum rt_omp_kind kind;
};

static struct rt_omp_place **bucket_of(struct rt_omp_place **bucket, uint32_t n, uintptr_t addr)
{
    return &bucket[(addr * 0x9E3779B97F4A7C15ull >> 32) & (n - 1)];
}

static void grow(struct rt_omp_places *p)
{
    uint32_t n = p->n_buckets ? 2 * p->n_buckets : FIRST_BUCKETS;
    struct rt_omp_place **bucket = rt_omp_alloc(n * sizeof *bucket);
    if (!bucket)
        return;
    for (uint32_t i = 0; i < p->n_buckets; i++)
        for (struct rt_omp_place *at = p->bucket[i], *next; at; at = next) {
            next = at->next;
            struct rt_omp_place **to = bucket_of(bucket, n, at->addr);
            at->next = *to;
            *to = at;
        }
    if (p->bucket)
        gl_arena_free(p->bucket, p->n_buckets * sizeof *p->bucket);
    p->bucket = bucket;
    p->n_buckets = n;
}

/* Under the lock. */
static struct rt_omp_place *place_of(struct rt_omp_places *p, uintptr_t addr)
{
    if (p->n_places >= p->n_buckets)
        grow(p);
    if (!p->n_buckets)
        return NULL;
    struct rt_omp_place **link = bucket_of(p->bucket, p->n_buckets, addr), *at = *link;
    while (at && at->addr != addr)
        at = at->next;
    if (!at && (at = rt_omp_alloc(sizeof *at))) {
        at->addr = addr;
        at->next = *link;
        *link = at;
        p->n_places++;
    }
    return at;
}

void rt_omp_depends(struct rt_omp_task *task, uintptr_t addr, enum rt_omp_kind kind, bool all, uint32_t most)
{
    if (!task || task->implicit)
        return;
    struct rt_omp_task *parent = task->parent;
    if (!parent->places)
        parent->places = rt_omp_alloc(sizeof *parent->places);
    if (!task->deps && (task->deps = rt_omp_alloc(most * sizeof *task->deps)))
        task->most_deps = most;
    if (!parent->places || task->n_deps >= task->most_deps)
        return;
    struct rt_omp_dep *d = &task->deps[task->n_deps];
    d->kind = kind;
    if (!all) {
        gl_spin_lock(&parent->places->lock);
        d->place = place_of(parent->places, addr);
        gl_spin_unlock(&parent->places->lock);
        if (!d->place)
            return;
    }
    task->n_deps++;
}

static void after(struct rt_thread *t, struct rt_omp_place *p, enum rt_omp_kind kind, uintptr_t pc)
{
    rt_edge_acquire(t, &p->out, pc);
    if (kind != RT_OMP_SET)
        rt_edge_acquire(t, &p->set, pc);
    if (kind != RT_OMP_IN)
        rt_edge_acquire(t, &p->in, pc);
}

void rt_omp_depend_begin(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc)
{
    struct rt_omp_places *places = task && task->n_deps ? task->parent->places : NULL;
    if (!places)
        return;
    rt_edge_acquire(t, &places->all, pc);
    for (uint32_t i = 0; i < task->n_deps; i++) {
        const struct rt_omp_dep *d = &task->deps[i];
        if (d->place) {
            after(t, d->place, d->kind, pc);
            continue;
        }
        gl_spin_lock(&places->lock);
        for (uint32_t k = 0; k < places->n_buckets; k++)
            for (struct rt_omp_place *at = places->bucket[k]; at; at = at->next)
                after(t, at, RT_OMP_OUT, pc);
        gl_spin_unlock(&places->lock);
    }
}

void rt_omp_depend_end(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc)
{
    for (uint32_t i = 0; i < task->n_deps; i++) {
        struct rt_omp_place *p = task->deps[i].place;
        enum rt_omp_kind kind = task->deps[i].kind;
        rt_edge_release(t, !p ? &task->parent->places->all : kind == RT_OMP_IN ? &p->in : kind == RT_OMP_SET ? &p->set : &p->out, pc);
    }
}

void rt_omp_depend_free(struct rt_omp_task *task)
{
    if (task->deps)
        gl_arena_free(task->deps, task->most_deps * sizeof *task->deps);
}

void rt_omp_places_free(struct rt_omp_task *task)
{
    struct rt_omp_places *p = task->places;
    if (!p)
        return;
    for (uint32_t i = 0; i < p->n_buckets; i++)
        for (struct rt_omp_place *at = p->bucket[i], *next; at; at = next) {
            next = at->next;
            rt_edge_free(&at->out);
            rt_edge_free(&at->in);
            rt_edge_free(&at->set);
            gl_arena_free(at, sizeof *at);
        }
    if (p->bucket)
        gl_arena_free(p->bucket, p->n_buckets * sizeof *p->bucket);
    rt_edge_free(&p->all);
    gl_arena_free(p, sizeof *p);
}
