/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the question "is this segment ordered before what the thread does now?" share: threads, one of which
 * takes no part, and which rule it was that answered.
 */
#ifndef GL_TESTS_CORE_ANSWERS_H
#define GL_TESTS_CORE_ANSWERS_H

#include "tests/unit/core_threads.h"

static struct gl_thread *other; /* after nothing; of this one nobody asks */

static int begin_with_other(void **state)
{
    int failed = begin(state);
    other = gl_thread_create(core, NULL, 4, NULL);
    return failed || !other ? -1 : 0;
}

/* All that t did, as the content of an object with a second source: a sink on it tells nothing by itself, the column
 * has to be asked. */
static inline void publish(struct gl_thread *t, struct gl_sync *s)
{
    gl_source(other, s, true, 0);
    gl_source(t, s, false, 0);
}

/* Somebody else holds the mutex in between: what a sink on it says by itself is about that thread. */
static inline void pass_on(struct gl_mutex *m)
{
    gl_mutex_acquired(other, m, 0);
    gl_mutex_releasing(other, m);
}

/* t's answer about the segment, by that rule. */
#define assert_answer(t, id, answer, rule)                                                        \
    do {                                                                                          \
        uint64_t was_ = (t)->count[GL_COUNT_##rule];                                              \
        uint64_t sum_ = answers(t);                                                               \
        assert_int_equal(gl_ordered(t, id), answer);                                              \
        assert_int_equal((t)->count[GL_COUNT_##rule], was_ + 1);                                  \
        assert_int_equal(answers(t), sum_ + 1);                                                   \
    } while (0)

static uint64_t answers(const struct gl_thread *t)
{
    return t->count[GL_COUNT_rule_own_thread] + t->count[GL_COUNT_rule_hint] + t->count[GL_COUNT_rule_lock_held] +
           t->count[GL_COUNT_rule_no_sink] + t->count[GL_COUNT_rule_column];
}

#define hb_test(f) cmocka_unit_test_setup_teardown(f, begin_with_other, end)

#endif
