/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for readers and writers of traces that must come back: setup() and teardown() of a test.
 */
#ifndef GL_TESTS_UNIT_TRACE_ENV_H
#define GL_TESTS_UNIT_TRACE_ENV_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/fake_env.h"

static struct fake_env fake;
static const struct gl_env *env;

static int setup(void **state)
{
    (void)state;
    fake_env_init(&fake);
    env = &fake.env;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    return fake_env_is_clean(&fake) ? 0 : -1;
}

#endif
