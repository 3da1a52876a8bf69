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

/* Is a the later access, or the same segment's, of the same slot as b? */
static bool not_before(struct gl_core *core, uint32_t a, uint32_t b)
{
    uint32_t x = gl_half_segment(a), y = gl_half_segment(b);
    const struct gl_batch *p = gl_batch_of(&core->segments, x), *q = gl_batch_of(&core->segments, y);
    return gl_segment_epoch(p, x) >= gl_segment_epoch(q, y);
}

/* Of two plain reads by the same slot, one after the other, whose bytes are the same or fewer in the earlier one, that goes: it is ordered before. */
static uint32_t without_earlier(struct gl_core *core, struct gl_side *r, uint32_t total)
{
    uint32_t slots = gl_load_relaxed(&core->slots); /* relaxed: a slot that came since has no reads to lose */
    size_t bytes = slots * sizeof(uint32_t);
    uint32_t *at = core->env.map(core->env.ctx, bytes); /* by slot: 1 + the entry that stays; 0: none yet */
    if (!at)
        return total;
    uint32_t kept = r->n_writes;
    for (uint32_t i = kept; i < total; i++) {
        struct gl_entry e = r->entry[i];
        uint32_t slot = gl_batch_of(&core->segments, gl_half_segment(e.half))->slot;
        if (!(e.half & GL_HALF_ATOMIC) && slot < slots) {
            struct gl_entry *other = at[slot] ? &r->entry[at[slot] - 1] : NULL;
            if (other && not_before(core, e.half, other->half) && !(other->half & ~e.half & 0xF)) {
                *other = e;
                continue;
            }
            if (other && not_before(core, other->half, e.half) && !(e.half & ~other->half & 0xF))
                continue;
            at[slot] = kept + 1;
        }
        r->entry[kept++] = e;
    }
    core->env.unmap(core->env.ctx, at, bytes);
    return kept;
}

uint32_t gl_side_thin(struct gl_core *core, struct gl_side *r)
{
    gl_side_changes(r);
    uint32_t kept = without_alone(core, r);
    if (gl_load_relaxed(&core->slots) > core->plenty_slots) /* relaxed: as in plenty() of cell.c, by which a slot comes to have several */
        kept = without_earlier(core, r, kept);
    gl_side_set_counts(r, r->n_writes, kept - r->n_writes);
    return kept;
}
