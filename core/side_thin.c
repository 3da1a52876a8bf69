/* SPDX-License-Identifier: Apache-2.0
 *
 * Side records thinned out, when they are full or should be spread: of the reads that many threads made of the same bytes, those go that
 * race with nothing to come with which another one does not race as well.
 */
#include "core/parts.h"
#include "core/state.h"

/* Reads in which threads ended alone: each races with every write of its bytes that is still to come.  So for each byte one plain one and
 * one atomic one find what all would. */
static uint32_t without_alone(struct gl_core *core, struct gl_side *r)
{
    uint32_t total = (uint32_t)r->n_writes + r->n_reads, kept = r->n_writes, seen[2] = {0};
    for (uint32_t i = kept; i < total; i++) {
        struct gl_entry e = r->entry[i];
        if (gl_slot_ended_alone(core, gl_half_segment(e.half))) {
            uint32_t *bytes = &seen[(e.half & GL_HALF_ATOMIC) != 0];
            e.half &= ~*bytes;
            *bytes |= gl_half_mask(e.half);
        }
        if (gl_half_mask(e.half))
            r->entry[kept++] = e;
    }
    return kept;
}

/* Whose a plain read is, and of which epoch; false: it is atomic, or of a slot that has come since `slots` were counted. */
static bool whose(struct gl_core *core, uint32_t half, uint32_t slots, uint32_t *slot, uint32_t *epoch)
{
    uint32_t id = gl_half_segment(half);
    const struct gl_batch *b = gl_batch_of(&core->segments, id);
    *slot = b->slot;
    *epoch = gl_segment_epoch(b, id);
    return !(half & GL_HALF_ATOMIC) && b->slot < slots;
}

#define BYTES 4u
#define TAKEN UINT32_MAX /* no epoch is that large */

/* Of each slot's plain reads of a byte only the last one stays: the others are ordered before it. */
static uint32_t without_earlier(struct gl_core *core, struct gl_side *r, uint32_t total)
{
    uint32_t slots = gl_load_relaxed(&core->slots); /* relaxed: a slot that came since has no reads to lose */
    size_t bytes = (size_t)slots * BYTES * sizeof(uint32_t);
    uint32_t *last = core->env.map(core->env.ctx, bytes); /* by slot and byte: the epoch of the last read; TAKEN: that one stays already */
    if (!last)
        return total;
    uint32_t kept = r->n_writes, slot, epoch;
    for (uint32_t i = kept; i < total; i++)
        for (uint32_t b = 0; whose(core, r->entry[i].half, slots, &slot, &epoch) && b < BYTES; b++)
            if ((r->entry[i].half >> b & 1) && last[slot * BYTES + b] < epoch)
                last[slot * BYTES + b] = epoch;
    for (uint32_t i = kept; i < total; i++) {
        struct gl_entry e = r->entry[i];
        for (uint32_t b = 0; whose(core, e.half, slots, &slot, &epoch) && b < BYTES; b++) {
            uint32_t *stays = &last[slot * BYTES + b];
            if (!(e.half >> b & 1))
                continue;
            if (*stays == epoch)
                *stays = TAKEN;
            else
                e.half &= ~(1u << b);
        }
        if (gl_half_mask(e.half))
            r->entry[kept++] = e;
    }
    core->env.unmap(core->env.ctx, last, bytes);
    return kept;
}

uint32_t gl_side_thin(struct gl_core *core, struct gl_side *r)
{
    gl_side_changes(r);
    uint32_t kept = without_alone(core, r);
    /* Only where plenty() of cell.c lets a slot have several, for the table costs as much as there are slots: never in traces.  relaxed: as there */
    if (core->env.fence && kept - r->n_writes > core->plenty_reads && gl_load_relaxed(&core->slots) > core->plenty_slots)
        kept = without_earlier(core, r, kept);
    gl_side_set_counts(r, r->n_writes, kept - r->n_writes);
    return kept;
}
