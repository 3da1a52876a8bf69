/* SPDX-License-Identifier: Apache-2.0
 *
 * Side records thinned out, when they are full or should be spread: of the reads that many threads made of the same bytes, those go that
 * race with nothing to come with which another one does not race as well.
 */
#include "core/parts.h"
#include "core/state.h"

#include <string.h>

#define GROUPS 8u /* are told apart at a time */

/* Reads in which threads ended alone: each races with every write of its bytes that is still to come, or with those that do not come after its group.
 * So for each byte one plain one and one atomic one of a group find what all of it would. */
static uint32_t without_alone(struct gl_core *core, struct gl_side *r)
{
    struct {
        uint32_t group, bytes[2];
    } seen[GROUPS] = {0};
    uint32_t total = (uint32_t)r->n_writes + r->n_reads, kept = r->n_writes, group;
    for (uint32_t i = kept; i < total; i++) {
        struct gl_entry e = r->entry[i];
        if (gl_slot_ended_alone(core, gl_half_segment(e.half), &group)) {
            if (seen[group % GROUPS].group != group) {
                memset(&seen[group % GROUPS], 0, sizeof seen[0]);
                seen[group % GROUPS].group = group;
            }
            uint32_t *bytes = &seen[group % GROUPS].bytes[(e.half & GL_HALF_ATOMIC) != 0];
            e.half &= ~*bytes;
            *bytes |= gl_half_mask(e.half);
        }
        if (gl_half_mask(e.half))
            r->entry[kept++] = e;
    }
    return kept;
}

#define BYTES 4u
#define TAKEN UINT32_MAX /* no epoch is that large */

/* Where the last read is kept of the slot whose read this is, plain or atomic; NULL: of a slot that has come since `slots` were counted. */
static uint32_t *last_of(struct gl_core *core, uint32_t *last, uint32_t half, uint32_t slots, uint32_t *epoch)
{
    uint32_t id = gl_half_segment(half);
    const struct gl_batch *b = gl_batch_of(&core->segments, id);
    *epoch = gl_segment_epoch(b, id);
    return b->slot < slots ? &last[((size_t)b->slot * 2 + ((half & GL_HALF_ATOMIC) != 0)) * BYTES] : NULL;
}

/* Of each slot's plain reads of a byte only the last one stays, and of its atomic ones: the others are ordered before it. */
static uint32_t without_earlier(struct gl_core *core, struct gl_side *r, uint32_t total)
{
    uint32_t slots = gl_load_relaxed(&core->slots); /* relaxed: a slot that came since has no reads to lose */
    size_t bytes = (size_t)slots * 2 * BYTES * sizeof(uint32_t);
    uint32_t *last = core->env.map(core->env.ctx, bytes); /* by slot, kind and byte: the epoch of the last read; TAKEN: that one stays already */
    if (!last)
        return total;
    uint32_t kept = r->n_writes, epoch;
    for (uint32_t i = kept; i < total; i++) {
        uint32_t half = r->entry[i].half, *of = last_of(core, last, half, slots, &epoch);
        for (uint32_t b = 0; of && b < BYTES; b++)
            if ((half >> b & 1) && of[b] < epoch)
                of[b] = epoch;
    }
    for (uint32_t i = kept; i < total; i++) {
        struct gl_entry e = r->entry[i];
        uint32_t *of = last_of(core, last, e.half, slots, &epoch), left = e.half;
        for (uint32_t b = 0; of && b < BYTES; b++) {
            if (!(e.half >> b & 1))
                continue;
            if (of[b] == epoch)
                of[b] = TAKEN;
            else
                left &= ~(1u << b);
        }
        e.half = left;
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
    /* Only where a slot may have several (plenty() of cell.c, and cell_atomic.c), for the table costs as much as there are slots: never in traces. */
    if (core->env.fence && kept - r->n_writes > core->plenty_reads)
        kept = without_earlier(core, r, kept);
    gl_side_set_counts(r, r->n_writes, kept - r->n_writes);
    return kept;
}
