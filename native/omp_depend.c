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

struct rt_omp_place {
    struct rt_chained link;
    uintptr_t addr;
    struct rt_edge out, in, set;
};

struct rt_omp_places {
    struct gl_spin lock; /* children look while their parent adds */
    struct rt_chains known;
    struct rt_edge all;
};

struct rt_omp_dep {
    struct rt_omp_place *place; /* NULL: all memory */
    enum rt_omp_kind kind;
};

/* Under the lock. */
static struct rt_omp_place *place_of(struct rt_omp_places *p, uintptr_t addr)
{
    struct rt_chained *at = *rt_chain(&p->known, rt_hash(addr));
    while (at && ((struct rt_omp_place *)at)->addr != addr)
        at = at->next;
    struct rt_omp_place *place = (struct rt_omp_place *)at;
    if (!place && (place = rt_omp_alloc(sizeof *place))) {
        place->addr = addr;
        rt_chain_add(&p->known, &place->link, rt_hash(addr));
    }
    return place;
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
        for (size_t k = 0; k < rt_chains_count(&places->known); k++)
            for (struct rt_chained *at = *rt_chain_number(&places->known, k); at; at = at->next)
                after(t, (struct rt_omp_place *)at, RT_OMP_OUT, pc);
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
    for (size_t i = 0; i < rt_chains_count(&p->known); i++)
        for (struct rt_chained *at = *rt_chain_number(&p->known, i), *next; at; at = next) {
            struct rt_omp_place *place = (struct rt_omp_place *)at;
            next = at->next;
            rt_edge_free(&place->out);
            rt_edge_free(&place->in);
            rt_edge_free(&place->set);
            gl_arena_free(place, sizeof *place);
        }
    rt_chains_free(&p->known);
    rt_edge_free(&p->all);
    gl_arena_free(p, sizeof *p);
}
