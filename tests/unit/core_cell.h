/* SPDX-License-Identifier: Apache-2.0
 *
 * A core, four threads of it that nothing orders, and one cell: begin() and end() are a test's set-up and tear-down.
 */
#ifndef GL_TESTS_UNIT_CORE_CELL_H
#define GL_TESTS_UNIT_CORE_CELL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/cell_inl.h"
#include "core/core.h"
#include "tests/support/cells.h"
#include "tests/support/fake_env.h"

enum { R = GL_ACCESS_READ, W = GL_ACCESS_WRITE, AR = GL_ACCESS_ATOMIC, AW = GL_ACCESS_ATOMIC | GL_ACCESS_WRITE };

static struct fake_env env;
static struct gl_core *core;
static struct gl_thread *t[5]; /* after nothing, each */
static _Alignas(16) _Atomic uint64_t word[2];
static _Atomic uint64_t sites[2];
static const struct gl_cell cell = {&word[0], &sites[0]};

static int begin(void **state)
{
    (void)state;
    fake_env_init(&env);
    core = gl_core_create(&env.env);
    for (uint32_t i = 1; i <= 4; i++)
        t[i] = gl_thread_create(core, NULL, 100 + i, NULL);
    word[0] = word[1] = sites[0] = sites[1] = 0;
    return t[4] ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    gl_core_destroy(core);
    return fake_env_is_clean(&env) ? 0 : -1;
}

/* All that `from` did is before what `to` does next. */
static inline void order(struct gl_thread *from, struct gl_thread *to)
{
    struct gl_sync s = {0};
    gl_source(from, &s, true, 0);
    gl_sink(to, &s);
    gl_sync_free(core, &s);
}

static int access(int who, uint32_t mask, unsigned kind, uint32_t site)
{
    return gl_access(t[who], cell, mask, kind, site, NULL);
}

/* The bytes of the cell on which that access is remembered; segment 0: of any. */
static inline uint32_t kept(uint32_t segment, unsigned kind, uint32_t site) { return cell_kept(core, cell, segment, kind, site); }
static inline bool is_side(void) { return cell_is_side(cell); }
static inline void forget_all(void) { gl_cell_fresh(core, cell, 15); }

#endif
