/* SPDX-License-Identifier: Apache-2.0
 *
 * The environment (core/env.h) that the command gives to detectors and readers: memory from the system, counted.
 */
#ifndef GL_CLI_ENV_H
#define GL_CLI_ENV_H

#include <stdatomic.h>
#include <stddef.h>

#include "core/env.h"

struct gl_counted_env {
    struct gl_env env;   /* hand this out; its ctx is this struct, which must not move */
    atomic_size_t bytes; /* mapped now */
    atomic_size_t peak;  /* mapped at most; asked for, not necessarily touched */
    size_t
        limit; /* of `bytes`: beyond it there is no memory; the caller may lower it before the first map() */
};

/* Takes no memory.  The limit is three quarters of the machine's: a detector that needs more than there is (clocks of
 * very many threads) ends with a sentence, and does not take the machine down. */
void gl_counted_env_init(struct gl_counted_env *e);

#endif
