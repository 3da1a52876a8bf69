/* SPDX-License-Identifier: Apache-2.0
 *
 * A gl_env that a test owns: it counts what is mapped, fails on request, and notices memory that is
 * given back wrongly or not at all.  map, unmap and pause may be called from many threads.
 *
 * One that keeps what it unmaps saves the kernel most of a test that makes thousands of detectors; a use of memory that was given
 * back is a fault only in one that does not.
 */
#ifndef GL_TESTS_SUPPORT_FAKE_ENV_H
#define GL_TESTS_SUPPORT_FAKE_ENV_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/env.h"

struct fake_env {
    struct gl_env env; /* hand this to the code under test */
    atomic_ulong maps; /* calls of map so far */
    atomic_ulong blocks, bytes; /* mapped now */
    atomic_bool wrong; /* an unmap did not fit its map */
    unsigned long fail_at;   /* this call of map (from 1) fails; 0 = none */
    bool fail_from;          /* and so do all after it */
    bool keeps;              /* what is unmapped, for the next map of this size */
};

void fake_env_init(struct fake_env *f);

/* As fake_env_init(); blocks that are unmapped are handed out again, zeroed, by all that keep. */
void fake_env_init_keeping(struct fake_env *f);

/* All was given back, and rightly so? */
bool fake_env_is_clean(const struct fake_env *f);

#endif
