/* SPDX-License-Identifier: Apache-2.0
 *
 * A core and three threads of it that nothing orders: begin() and end() are a test's set-up and tear-down.
 */
#ifndef GL_TESTS_UNIT_CORE_THREADS_H
#define GL_TESTS_UNIT_CORE_THREADS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/state.h"
#include "tests/support/fake_env.h"

static struct fake_env env;
static struct gl_core *core;
static struct gl_thread *t1, *t2, *t3; /* after nothing, each */

static int begin(void **state)
{
    (void)state;
    fake_env_init(&env);
    core = gl_core_create(&env.env);
    t1 = gl_thread_create(core, NULL, 1, NULL);
    t2 = gl_thread_create(core, NULL, 2, NULL);
    t3 = gl_thread_create(core, NULL, 3, NULL);
    return t3 ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    gl_core_destroy(core);
    return fake_env_is_clean(&env) ? 0 : -1;
}

/* The segment of an access that t makes now. */
static uint32_t segment(struct gl_thread *t)
{
    assert_true(t->segment || gl_segment_begin(t));
    return t->segment;
}

#endif
