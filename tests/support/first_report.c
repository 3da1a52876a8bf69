/* SPDX-License-Identifier: Apache-2.0
 *
 * See first_report.h.
 */
#include "tests/support/first_report.h"

#include "tests/support/check.h"
#include "tests/support/fake_env.h"

size_t first_report(const struct gl_detector *d, const struct gl_event *e, size_t n)
{
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = d->create(&env.env);
    size_t first = 0;
    for (size_t i = 0; i < n; i++) {
        gl_status status = d->event(s, &e[i], NULL);
        check(status == GL_OK || status == GL_RACE, "the detector refuses an event of a possible execution");
        if (status == GL_RACE && !first)
            first = i + 1;
    }
    d->destroy(s);
    check(fake_env_is_clean(&env), "the detector keeps memory after its end");
    return first;
}
