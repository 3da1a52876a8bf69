/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a failing execution small: events go, accesses become narrow, as long as it can still happen
 * (model.h) and still fails.
 */
#ifndef GL_TESTS_SUPPORT_SHRINK_H
#define GL_TESTS_SUPPORT_SHRINK_H

#include "tests/support/execution.h"

typedef bool shrink_fails(void *ctx, const struct execution *x);

/* *x fails; afterwards it is a part of itself that fails too, and no single event of it can go.  Sites stay
 * what they were. */
void shrink(struct execution *x, shrink_fails *fails, void *ctx);

#endif
