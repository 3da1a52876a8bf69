/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of groups, steps and the ways past the slow path share.
 */
#ifndef GL_TESTS_UNIT_CORE_WORLD_H
#define GL_TESTS_UNIT_CORE_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/cell_inl.h"
#include "tests/support/cells.h"
#include "tests/support/check.h"
#include "tests/support/fake_env.h"

enum { R = GL_ACCESS_READ, W = GL_ACCESS_WRITE, AR = GL_ACCESS_ATOMIC, AW = GL_ACCESS_ATOMIC | GL_ACCESS_WRITE };
enum { THREADS = 8, CELLS = 4 };

/* An engine with threads that nothing orders and with cells side by side. */
struct world {
    struct fake_env env;
    struct gl_core *core;
    struct gl_thread *t[THREADS + 1]; /* from 1 */
    _Alignas(16) _Atomic uint64_t word[CELLS];
    _Atomic uint64_t sites[CELLS];
};

static struct world here;

static inline void world_begin(struct world *w, bool at_once)
{
    fake_env_init(&w->env);
    w->core = gl_core_create(&w->env.env);
    gl_core_group_at_once(w->core, at_once);
    for (uint32_t i = 1; i <= THREADS; i++)
        w->t[i] = gl_thread_create(w->core, NULL, 100 + i, NULL);
    for (uint32_t i = 0; i < CELLS; i++)
        w->word[i] = w->sites[i] = 0;
}

static inline bool world_end(struct world *w)
{
    gl_core_destroy(w->core);
    return fake_env_is_clean(&w->env);
}

static inline int begin(void **state)
{
    (void)state;
    world_begin(&here, false);
    return here.t[THREADS] ? 0 : -1;
}

static inline int begin_at_once(void **state)
{
    (void)state;
    world_begin(&here, true);
    return here.t[THREADS] ? 0 : -1;
}

static inline int end(void **state)
{
    (void)state;
    return world_end(&here) ? 0 : -1;
}

static inline struct gl_cell cell_of(struct world *w, uint32_t i) { return (struct gl_cell){&w->word[i], &w->sites[i]}; }
static inline struct gl_cell cell(uint32_t i) { return cell_of(&here, i); }

static inline int access(int who, uint32_t i, uint32_t mask, unsigned kind, uint32_t site)
{
    return gl_access(here.t[who], cell(i), mask, kind, site, NULL);
}

static inline uint32_t kept(uint32_t i, int who, unsigned kind, uint32_t site)
{
    return cell_kept(here.core, cell(i), here.t[who]->segment, kind, site);
}

/* The site of one half, or the number of its list. */
static inline uint32_t site_of(uint32_t i, unsigned kind) { return *gl_site_half(&here.sites[i], kind & W); }

static inline uint64_t count(int who, enum gl_counter c) { return here.t[who]->count[c]; }

/* All that `from` did is before what `to` does next. */
static inline void order(struct world *w, uint32_t from, uint32_t to)
{
    struct gl_sync s = {0};
    gl_source(w->t[from], &s, true, 0);
    gl_sink(w->t[to], &s);
    gl_sync_free(w->core, &s);
}

static uint32_t joined_calls; /* of join() */
static inline uint32_t join(void *ctx, uint32_t old, uint32_t old_bytes, uint32_t fresh, uint32_t fresh_bytes)
{
    (void)ctx;
    check((old_bytes & fresh_bytes) == 0 && old_bytes && fresh_bytes, "sites are joined for disjoint bytes");
    joined_calls++;
    return old >= 100 ? 0 : 100 * fresh + 10 * fresh_bytes + old;
}

#endif
