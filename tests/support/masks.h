/* SPDX-License-Identifier: Apache-2.0
 *
 * Holds a detector of a locking discipline against its definition, written down once more with bit masks: for each byte
 * what is remembered of it, for each access the locks held.
 */
#ifndef GL_TESTS_SUPPORT_MASKS_H
#define GL_TESTS_SUPPORT_MASKS_H

#include "core/detector.h"
#include "tests/support/execution.h"

/* What a definition remembers of one byte; all zero at first and after an alloc. */
struct masks_byte {
    uint64_t set;
    int state;
    uint32_t thread;
};

/* The definition: one access, with the locks held (bit 63: inside a transaction).  True: it reports the byte. */
typedef bool masks_fn(struct masks_byte *b, uint32_t thread, bool write, uint64_t held);

/* The detector reports exactly the bytes that the definition does, in random executions of every profile, each with an
 * earlier access of the byte.  False: it has printed where not.  *reports: how many events were reported. */
bool masks_agree(const struct gl_detector *d, masks_fn *definition, unsigned executions, uint64_t *reports);

#endif
