/* SPDX-License-Identifier: Apache-2.0
 *
 * Packs of variables, and how the threads of the generated program hand them on: by volatiles, semaphores, atomics,
 * fences and barriers.
 *
 * A pack changes its owner only along an edge of happens-before: its list is moved by the event that is the source of
 * the edge (post, release, bar_in ...), and again by the one that is the sink.
 */
#include "trace/generate_state.h"

/* ---- packs ---- */

void gen_push(struct gl_generator *g, uint32_t *list, uint32_t pack)
{
    g->pack[pack].next = *list;
    *list = pack;
}

uint32_t gen_pop(struct gl_generator *g, uint32_t *list)
{
    uint32_t p = *list;
    *list = g->pack[p].next;
    return p;
}

/* All of a list goes to another one; how many. */
static uint32_t move_all(struct gl_generator *g, uint32_t *from, uint32_t *to)
{
    uint32_t n = 0;
    for (; *from != GEN_NONE; n++)
        gen_push(g, to, gen_pop(g, from));
    return n;
}

void gen_own_all(struct gl_generator *g, uint32_t *from, uint32_t t)
{
    g->thread[t].n_packs += move_all(g, from, &g->thread[t].packs);
}

/* The thread gives up one of its packs, if it can spare one now. */
static void spare(struct gl_generator *g, uint32_t t, uint32_t *to)
{
    struct gen_thread *th = &g->thread[t];
    if (th->n_packs > 1 || (th->n_packs == 1 && gen_one_in(g, 2))) {
        gen_push(g, to, gen_pop(g, &th->packs));
        th->n_packs--;
    }
}

uint32_t gen_pick_object(struct gl_generator *g, uint32_t t, uint32_t n, bool giving)
{
    switch (g->o.topology) {
    case GL_TOPOLOGY_NEIGHBOURS:
        return (t + gen_below(g, 2)) % n;
    case GL_TOPOLOGY_PIPELINE:
        return (t + (giving ? 1 : 0)) % n;
    default:
        return gen_below(g, n);
    }
}

/* ---- handing on ---- */

bool gen_volatile_step(struct gl_generator *g, uint32_t t)
{
    bool write = gen_one_in(g, 2);
    struct gen_channel *c = &g->volatiles[gen_pick_object(g, t, g->o.objects, write)];
    if (write)
        spare(g, t, &c->packs);
    else
        gen_own_all(g, &c->packs, t);
    gen_emit(g, write ? GL_OP_VOLWRITE : GL_OP_VOLREAD, t, c->object);
    return true;
}

bool gen_semaphore_step(struct gl_generator *g, uint32_t t)
{
    struct gen_channel *c = &g->semaphores[gen_pick_object(g, t, g->o.objects, false)];
    if (c->value && gen_one_in(g, 2)) {
        c->value--;
        gen_own_all(g, &c->packs, t);
        gen_emit(g, GL_OP_WAIT, t, c->object);
        return true;
    }
    c = &g->semaphores[gen_pick_object(g, t, g->o.objects, true)];
    if (c->value == UINT32_MAX)
        return false;
    c->value++;
    spare(g, t, &c->packs);
    gen_emit(g, GL_OP_POST, t, c->object);
    return true;
}

bool gen_atomic_step(struct gl_generator *g, uint32_t t)
{
    static const enum gl_order load[] = {GL_RLX, GL_ACQ, GL_SC}, store[] = {GL_RLX, GL_REL, GL_SC},
                               rmw[] = {GL_RLX, GL_ACQ, GL_REL, GL_AR, GL_SC};
    struct gen_thread *th = &g->thread[t];
    uint32_t which = gen_below(g, 3);
    struct gen_channel *c = &g->atomics[gen_pick_object(g, t, g->o.objects, which > 0)];
    enum gl_op op = which == 0 ? GL_OP_LOAD : GL_OP_RMW;
    if (which == 1 && c->packs == GEN_NONE) /* a store would cut off what was handed over before */
        op = GL_OP_STORE;
    enum gl_order o = op == GL_OP_LOAD    ? load[gen_below(g, 3)]
                      : op == GL_OP_STORE ? store[gen_below(g, 3)]
                                          : rmw[gen_below(g, 5)];
    if (op != GL_OP_STORE) {
        if (gl_order_acquires(o))
            gen_own_all(g, &c->packs, t);
        else if (g->o.weight[GL_FAMILY_FENCE])
            move_all(g, &c->packs, &th->in);
    }
    if (op != GL_OP_LOAD) {
        move_all(g, &th->out, &c->packs);
        if (gl_order_releases(o))
            spare(g, t, &c->packs);
    }
    struct gl_event *e = gen_emit(g, op, t, c->object);
    e->order = o;
    e->size = 4;
    return true;
}

bool gen_fence_step(struct gl_generator *g, uint32_t t)
{
    static const enum gl_order orders[] = {GL_ACQ, GL_REL, GL_AR, GL_SC};
    struct gen_thread *th = &g->thread[t];
    enum gl_order o = orders[gen_below(g, 4)];
    if (gl_order_acquires(o))
        gen_own_all(g, &th->in, t);
    if (gl_order_releases(o) && g->o.weight[GL_FAMILY_ATOMIC])
        spare(g, t, &th->out);
    gen_emit(g, GL_OP_FENCE, t, 0)->order = o;
    return true;
}

/* ---- barriers ---- */

void gen_round_step(struct gl_generator *g, uint32_t b, uint32_t t)
{
    struct gen_round *r = &g->round[b];
    bool entering = r->entered < r->size;
    uint32_t from = entering ? r->entered : r->left;
    uint32_t u = r->member[entering ? from : from + gen_below(g, r->size - from)];
    if (entering && t != GEN_NONE && g->thread[t].round == b && !g->thread[t].inside)
        u = t; /* whose turn it is comes in first */
    struct gen_thread *th = &g->thread[u];
    r->member[th->seat] = r->member[from];
    g->thread[r->member[from]].seat = th->seat;
    r->member[from] = u;
    th->seat = from;
    if (entering) {
        if (th->waiting != GEN_NONE) {
            gen_end_wait(g, u);
            return;
        }
        if (gen_release(g, u))
            return;
        r->pack[from] = GEN_NONE;
        if (th->n_packs) {
            r->pack[from] = gen_pop(g, &th->packs);
            th->n_packs--;
        }
        th->inside = true;
        r->entered++;
        gen_emit(g, GL_OP_BAR_IN, u, b);
    } else {
        uint32_t pack = r->pack[from];
        if (pack != GEN_NONE) {
            gen_push(g, &th->packs, pack);
            th->n_packs++;
        }
        th->inside = false;
        th->round = GEN_NONE;
        gen_emit(g, GL_OP_BAR_OUT, u, b);
        if (++r->left == r->size)
            r->size = r->entered = r->left = 0;
    }
    g->owed--;
}

static void take_seat(struct gl_generator *g, uint32_t b, uint32_t t)
{
    struct gen_round *r = &g->round[b];
    g->thread[t].round = b;
    g->thread[t].seat = r->size;
    r->member[r->size++] = t;
}

bool gen_barrier_step(struct gl_generator *g, uint32_t t)
{
    uint32_t b = g->thread[t].round;
    if (b == GEN_NONE)
        b = gen_pick_object(g, t, g->o.objects, true);
    struct gen_round *r = &g->round[b];
    if (!r->size) {
        uint32_t party = g->o.party < g->n_alive ? g->o.party : g->n_alive, first = gen_below(g, g->n_alive);
        if (!gen_affords(g, 2 * (uint64_t)party))
            return false;
        take_seat(g, b, t);
        for (uint32_t i = 0; i < g->n_alive && i < 2 * party && r->size < party; i++) {
            uint32_t u = g->alive[(first + i) % g->n_alive];
            if (g->thread[u].round == GEN_NONE)
                take_seat(g, b, u);
        }
        g->owed += 2 * (uint64_t)r->size;
    }
    gen_round_step(g, b, t);
    return true;
}
