/* SPDX-License-Identifier: Apache-2.0
 *
 * The four kinds of accesses, for the two readings of the eager rules (eager.c, explain.c): which of them conflict, and
 * which says all that another one says.  The table is on top of eager.c.
 */
#ifndef GL_PEERS_KIND_H
#define GL_PEERS_KIND_H

#include <stdbool.h>

enum kind { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE, KINDS };

static inline bool kind_writes(enum kind k) { return k == PLAIN_WRITE || k == ATOMIC_WRITE; }
static inline bool kind_is_atomic(enum kind k) { return k == ATOMIC_READ || k == ATOMIC_WRITE; }

static inline bool kinds_conflict(enum kind a, enum kind b)
{
    return (kind_writes(a) || kind_writes(b)) && !(kind_is_atomic(a) && kind_is_atomic(b));
}

/* Whatever conflicts with `old` conflicts with `later`. */
static inline bool kind_covers(enum kind later, enum kind old)
{
    for (enum kind k = 0; k < KINDS; k++)
        if (kinds_conflict(old, k) && !kinds_conflict(later, k))
            return false;
    return true;
}

#endif
