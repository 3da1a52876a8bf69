/* SPDX-License-Identifier: Apache-2.0
 *
 * The environment (core/env.h) that the command gives to detectors and readers: memory from the system, counted.
 */
#ifndef GL_CLI_ENV_H
#define GL_CLI_ENV_H

#include <stdatomic.h>
#include <stddef.h>

#include "core/env.h"
#include "platform/spin.h"

/* Small pieces of memory, of whole pages, out of larger blocks, which are given back when nothing of them is in use any more. */
#define GL_PAGE_CLASSES 8 /* pieces of 1, 2, ... pages */
struct gl_page_block;
struct gl_page_piece;
struct gl_page_pool {
    struct gl_spin lock; /* guards the rest */
    size_t live;         /* pieces in use */
    struct gl_page_block *blocks;
    char *free, *end;    /* of the first block, what was never used */
    struct gl_page_piece *spare[GL_PAGE_CLASSES];
};

struct gl_counted_env {
    struct gl_env env;   /* hand this out; its ctx is this struct, which must not move */
    struct gl_page_pool pool;
    atomic_size_t bytes; /* mapped now */
    atomic_size_t peak;  /* mapped at most; asked for, not necessarily touched */
    size_t
        limit; /* of `bytes`: beyond it there is no memory; the caller may lower it before the first map() */
};

/* Takes no memory.  The limit is three quarters of the machine's: a detector that needs more than there is (clocks of
 * very many threads) ends with a sentence, and does not take the machine down. */
void gl_counted_env_init(struct gl_counted_env *e);

#endif
