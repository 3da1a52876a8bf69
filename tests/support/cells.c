/* SPDX-License-Identifier: Apache-2.0
 *
 * See cells.h.
 */
#include "tests/support/cells.h"

#include <stdlib.h>

#include "core/group.h"
#include "core/side.h"
#include "tests/support/check.h"

bool cell_is_side(struct gl_cell cell) { return *cell.word >> 32 == GL_CELL_SIDE; }

bool cell_has_group(struct gl_cell cell)
{
    uint64_t word = *cell.word;
    return !cell_is_side(cell) && (gl_half_is_group((uint32_t)(word >> 32)) || gl_half_is_group((uint32_t)word));
}

/* Adds one access, as far as there is room for it; returns the new count. */
static uint32_t add(struct remembered *out, uint32_t max, uint32_t n, struct gl_entry e, bool write)
{
    check(gl_half_mask(e.half) && gl_half_segment(e.half), "an access without bytes or without a segment");
    if (n < max)
        out[n] = (struct remembered){e.half, e.site, write};
    return n + 1;
}

static uint32_t add_half(struct gl_lists *lists, struct remembered *out, uint32_t max, uint32_t n, struct gl_entry e, bool write)
{
    if (!e.half)
        return n;
    if (!gl_half_is_group(e.half))
        return add(out, max, n, e, write);
    const uint32_t *halves = gl_group_halves(lists, e.half), *sites = gl_list_at(lists, e.site)->value;
    for (uint32_t i = 0, count = gl_group_count(halves); i < count; i++)
        n = add(out, max, n, (struct gl_entry){halves[i], sites[i]}, write);
    return n;
}

static int compare(const void *a, const void *b)
{
    const struct remembered *x = a, *y = b;
    if (x->write != y->write)
        return x->write ? -1 : 1;
    return x->half != y->half ? (x->half < y->half ? -1 : 1) : 0;
}

uint32_t cell_remembers(struct gl_core *core, struct gl_cell cell, struct remembered *out, uint32_t max)
{
    uint64_t word = *cell.word, sites = *cell.sites;
    uint32_t n = 0;
    if (cell_is_side(cell)) {
        const struct gl_side *r = gl_side_at(gl_core_sides(core), gl_cell_side(word));
        for (uint32_t i = 0, total = (uint32_t)r->n_writes + r->n_reads; i < total; i++)
            n = add(out, max, n, r->entry[i], i < r->n_writes);
    } else {
        struct gl_lists *lists = gl_core_lists(core);
        n = add_half(lists, out, max, n, (struct gl_entry){(uint32_t)(word >> 32), (uint32_t)(sites >> 32)}, true);
        n = add_half(lists, out, max, n, (struct gl_entry){(uint32_t)word, (uint32_t)sites}, false);
    }
    qsort(out, n < max ? n : max, sizeof *out, compare);
    return n;
}

uint32_t cell_kept(struct gl_core *core, struct gl_cell cell, uint32_t segment, unsigned kind, uint32_t site)
{
    enum { MOST = 2048 }; /* a record of a thousand readers */
    static struct remembered e[MOST];
    uint32_t n = cell_remembers(core, cell, e, MOST), bytes = 0;
    check(n <= MOST, "a cell with more accesses than this test looks through");
    for (uint32_t i = 0; i < n; i++)
        if (e[i].site == site && (!segment || gl_half_segment(e[i].half) == segment) &&
            e[i].write == ((kind & GL_ACCESS_WRITE) != 0) && !(e[i].half & GL_HALF_ATOMIC) == !(kind & GL_ACCESS_ATOMIC))
            bytes |= gl_half_mask(e[i].half);
    return bytes;
}
