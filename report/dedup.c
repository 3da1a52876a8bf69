/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table with linear probing.  When it cannot grow it fills up; one slot always stays empty, so
 * that a search ends.
 */
#include "report/dedup.h"

#include <stdbool.h>

enum { FIRST_SLOTS = 128 };

void gl_dedup_init(struct gl_dedup *d, const struct gl_env *env)
{
    *d = (struct gl_dedup){.env = env};
}

void gl_dedup_fini(struct gl_dedup *d)
{
    if (d->slot)
        d->env->unmap(d->env->ctx, d->slot, d->slots * sizeof *d->slot);
    d->slot = NULL;
    d->slots = d->used = 0;
}

static bool side_equal(struct gl_dedup_side a, struct gl_dedup_side b)
{
    return a.stack == b.stack && a.kind == b.kind;
}

static bool side_less(struct gl_dedup_side a, struct gl_dedup_side b)
{
    return a.stack != b.stack ? a.stack < b.stack : a.kind < b.kind;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 32;
}

/* The slot of the pair, or the empty one where it belongs. */
static struct gl_dedup_entry *find(const struct gl_dedup *d, struct gl_dedup_side a, struct gl_dedup_side b)
{
    uint64_t h = mix(mix(mix(mix(1, a.stack), a.kind), b.stack), b.kind);
    for (size_t i = h & (d->slots - 1);; i = (i + 1) & (d->slots - 1)) {
        struct gl_dedup_entry *e = &d->slot[i];
        if (!e->count || (side_equal(e->side[0], a) && side_equal(e->side[1], b)))
            return e;
    }
}

static void grow(struct gl_dedup *d)
{
    struct gl_dedup bigger = *d;
    bigger.slots = d->slots ? d->slots * 2 : FIRST_SLOTS;
    bigger.slot = d->env->map(d->env->ctx, bigger.slots * sizeof *d->slot);
    if (!bigger.slot)
        return;
    for (size_t i = 0; i < d->slots; i++)
        if (d->slot[i].count)
            *find(&bigger, d->slot[i].side[0], d->slot[i].side[1]) = d->slot[i];
    if (d->slot)
        d->env->unmap(d->env->ctx, d->slot, d->slots * sizeof *d->slot);
    *d = bigger;
}

struct gl_dedup_entry *gl_dedup_get(struct gl_dedup *d, struct gl_dedup_side a, struct gl_dedup_side b)
{
    if (d->used >= d->slots / 4 * 3)
        grow(d);
    if (!d->slots)
        return NULL;
    if (side_less(b, a)) {
        struct gl_dedup_side c = a;
        a = b;
        b = c;
    }
    struct gl_dedup_entry *e = find(d, a, b);
    if (!e->count) {
        if (d->used + 1 == d->slots)
            return NULL;
        d->used++;
        *e = (struct gl_dedup_entry){.side = {a, b}};
    }
    e->count++;
    return e;
}

uint64_t gl_dedup_add(struct gl_dedup *d, struct gl_dedup_side a, struct gl_dedup_side b)
{
    struct gl_dedup_entry *e = gl_dedup_get(d, a, b);
    return e ? e->count : 0;
}

void gl_dedup_each(const struct gl_dedup *d, void (*visit)(void *ctx, const struct gl_dedup_entry *e),
                   void *ctx)
{
    for (size_t i = 0; i < d->slots; i++)
        if (d->slot[i].count)
            visit(ctx, &d->slot[i]);
}
