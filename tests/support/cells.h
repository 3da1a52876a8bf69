/* SPDX-License-Identifier: Apache-2.0
 *
 * What a cell remembers, access by access, however it lies in memory: in the word, in groups, or in a side record.
 */
#ifndef GL_TESTS_SUPPORT_CELLS_H
#define GL_TESTS_SUPPORT_CELLS_H

#include "core/core.h"

struct remembered {
    uint32_t half; /* as in a word; never a group's */
    uint32_t site;
    bool write;
};

/* All accesses of a cell that nobody changes meanwhile, at most `max` of them: the writes first, in the order of the halves each.
 * Returns how many there are. */
uint32_t cell_remembers(struct gl_core *core, struct gl_cell cell, struct remembered *out, uint32_t max);

/* The bytes of the cell on which an access of this kind, at this site and in this segment (0: in any) is remembered. */
uint32_t cell_kept(struct gl_core *core, struct gl_cell cell, uint32_t segment, unsigned kind, uint32_t site);

bool cell_is_side(struct gl_cell cell);
bool cell_has_group(struct gl_cell cell); /* in one of the halves, or both */

#endif
