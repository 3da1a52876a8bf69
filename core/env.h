/* SPDX-License-Identifier: Apache-2.0
 *
 * What the core is given.  The core knows C and atomics, nothing else: memory and waiting come
 * from the caller, so that a test may own both (core never creates, names or blocks a thread).
 */
#ifndef GL_CORE_ENV_H
#define GL_CORE_ENV_H

#include <stddef.h>

struct gl_env {
    void *ctx; /* handed back to every function below */

    /* `bytes` (> 0) of zeroed memory, aligned to a page; NULL when there is none.
     * Called from any thread, also concurrently.  Must not call back into the core. */
    void *(*map)(void *ctx, size_t bytes);

    /* Advice: all of this memory, within what one map() returned, is about to be written: a fault for each page costs several times what clearing it
     * does.  What it holds stays.  NULL: nothing is done. */
    void (*soon)(void *ctx, void *p, size_t bytes);

    /* Gives back exactly what one map() returned. */
    void (*unmap)(void *ctx, void *p, size_t bytes);

    /* Called in a wait loop, with the number of rounds so far: pause the CPU, later yield it.
     * The awaited thread is inside the core, between two instructions that never block. */
    void (*pause)(void *ctx, unsigned rounds);

    /* Every thread of the process has passed a full memory fence when it returns (membarrier).  NULL: there is no such
     * thing, and what needs it is not done. */
    void (*fence)(void *ctx);

    /* A sweep is due (sweep.h).  Called by a thread inside the core, now and then until there was one; must not call
     * back into the core.  NULL: who sweeps asks gl_core_sweep_due(), or nobody does. */
    void (*sweep_due)(void *ctx);
};

/* As map(), for what will be written from the first byte to the last before long. */
static inline void *gl_env_map_whole(const struct gl_env *env, size_t bytes)
{
    void *p = env->map(env->ctx, bytes);
    if (p && env->soon)
        env->soon(env->ctx, p, bytes);
    return p;
}

#define GL_ENV_STEP (64u << 10)

/* Bytes from `from` to `to`, which is more, of the `size` at p are about to be written, and those behind them before long: before what was never
 * written yet, the next GL_ENV_STEP bytes of them get their memory. */
static inline void gl_env_ahead(const struct gl_env *env, void *p, size_t from, size_t to, size_t size)
{
    size_t step = (to - 1) / GL_ENV_STEP * GL_ENV_STEP;
    if (env->soon && step >= from)
        env->soon(env->ctx, (char *)p + step, size - step < GL_ENV_STEP ? size - step : GL_ENV_STEP);
}

#endif
