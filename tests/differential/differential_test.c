/* SPDX-License-Identifier: Apache-2.0
 *
 * Every precise detector = the brute-force oracle, on random executions.  For every byte and every life of
 * it: the same first race, at the same event, with an earlier access that it really races with.  The engine and
 * the eager reference are judged on each execution, every other detector of peers/registry.c that promises to be
 * precise on each second one, half of them at a time.  Prints a line per profile; a failure prints the execution, shrunk, and how
 * to repeat it.
 *
 *     differential_test [runs [seed]]        or GL_RUNS, GL_SEED
 *     GL_PROFILE=name                        one profile only
 *     GL_DETECTOR=name                       one detector only
 */
#include <inttypes.h>
#include <string.h>

#include "peers/eager.h"
#include "peers/registry.h"
#include "tests/support/generate.h"
#include "tests/support/judge.h"
#include "tests/support/shrink.h"

/* What one profile made: without races, or without some op, it would test little. */
struct made {
    uint64_t executions, events, racy, racing_accesses, of_op[GL_OP_COUNT];
};

enum { DETECTORS_MAX = 31 };

struct failing {
    const struct gl_detector *detector;
    struct oracle *oracle;
    struct disagreement why;
};

/* Those that are held to their promise: NULL ends the list.  `only`: its name, or NULL for all. */
static void choose_detectors(const struct gl_detector *judged[DETECTORS_MAX + 1], const char *only)
{
    size_t n = 0;
    for (const struct gl_detector *const *d = gl_detectors; *d; d++)
        if (((*d)->can & GL_CAN_PRECISE) && (!only || !strcmp(only, (*d)->name))) {
            check(n < DETECTORS_MAX, "more precise detectors than this test has room for");
            judged[n++] = *d;
        }
    judged[n] = NULL;
}

/* The engine and its judge always; half of the others at a time; who is alone, always. */
static bool is_its_turn(size_t d, uint64_t k, const struct gl_detector *const *judged)
{
    return judged[d] == &gl_detector_goldilocks || judged[d] == &gl_detector_eager || !judged[1] || (d + k) % 2 == 0;
}

static bool disagrees(void *ctx, const struct execution *x)
{
    struct failing *f = ctx;
    oracle_run(f->oracle, x);
    return !judge(f->detector, x, f->oracle, &f->why);
}

static void report(struct failing *f, struct execution *x, const struct profile *p, uint64_t seed, const char *program)
{
    size_t before = x->n;
    shrink(x, disagrees, f);
    disagrees(f, x); /* once more: f->why is of the shrunk one */
    printf("%s and the oracle disagree: profile %s, seed %" PRIu64 ", %zu events, shrunk to %zu:\n", f->detector->name,
           p->name, seed, before, x->n);
    execution_print(x, stdout);
    printf("at event %zu: %s\nrepeat: GL_DETECTOR=%s GL_PROFILE=%s GL_SEED=%" PRIu64 " GL_RUNS=1 %s\n",
           f->why.event + 1, f->why.what, f->detector->name, p->name, seed, program);
}

static void count(struct made *m, const struct execution *x, const struct oracle *o)
{
    uint64_t races = 0;
    for (size_t i = 0; i < x->n; i++) {
        races += oracle_verdict(o, i).first != 0;
        m->of_op[x->event[i].op]++;
    }
    m->executions++;
    m->events += x->n;
    m->racing_accesses += races;
    m->racy += races > 0;
}

/* Enough of everything that the profile promises (in a run long enough to tell). */
static bool mixture_is_good(const struct profile *p, const struct made *m)
{
    if (m->executions < 500)
        return true;
    for (enum gl_op op = 0; op < GL_OP_COUNT; op++)
        if (p->weight[op] && !m->of_op[op]) {
            printf("profile %s never made op %d\n", p->name, (int)op);
            return false;
        }
    if (m->racy * 10 < m->executions || m->racy * 10 > m->executions * 9) {
        printf("profile %s: too few executions with a race, or too few without one\n", p->name);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 0) : env_number("GL_RUNS", 21600);
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : env_number("GL_SEED", 1);
    const char *only = getenv("GL_PROFILE");
    if (only && !profile_named(only)) {
        fprintf(stderr, "GL_PROFILE=%s: there is no such profile (generate.c has the list)\n", only);
        return 2;
    }
    const struct gl_detector *judged[DETECTORS_MAX + 1];
    choose_detectors(judged, getenv("GL_DETECTOR"));
    if (!judged[0]) {
        fprintf(stderr, "GL_DETECTOR=%s: there is no such precise detector (peers/registry.c has the list)\n",
                getenv("GL_DETECTOR"));
        return 2;
    }
    printf("judged:");
    for (size_t d = 0; judged[d]; d++)
        printf(" %s", judged[d]->name);
    printf("\n");
    judge_watch("resumed");
    struct generator *g = generator_new();
    struct execution x;
    execution_init(&x, GENERATE_MAX);
    struct failing f = {.oracle = oracle_new(GENERATE_MAX)};
    uint64_t passed = 0, failed = 0;
    for (size_t i = 0; i < n_profiles; i++) {
        const struct profile *p = &profiles[i];
        if (only && strcmp(p->name, only) != 0)
            continue;
        struct made made = {0};
        uint64_t share = only ? runs : (runs + n_profiles - 1) / n_profiles, failed_here = 0;
        for (uint64_t k = 0; k < share && !failed_here; k++) {
            generate(g, p, seed + k, &x);
            oracle_run(f.oracle, &x);
            count(&made, &x, f.oracle);
            for (size_t d = 0; judged[d] && !failed_here; d++) {
                f.detector = judged[d];
                if (is_its_turn(d, k, judged) && !judge(f.detector, &x, f.oracle, &f.why)) {
                    report(&f, &x, p, seed + k, argv[0]);
                    failed_here = 1;
                }
            }
            passed += !failed_here;
        }
        printf("%-10s %6" PRIu64 " executions, %8" PRIu64 " events, %5" PRIu64 " with a race, %6" PRIu64
               " racing accesses\n", p->name, made.executions, made.events, made.racy, made.racing_accesses);
        failed_here += !mixture_is_good(p, &made);
        failed += failed_here;
    }
    printf("%" PRIu64 " segments went on\n", judge_watched());
    if (judged[0] == &gl_detector_goldilocks && !only && runs >= 500 && judge_watched() < runs / 4) {
        printf("too few to tell whether they may\n");
        failed++;
    }
    oracle_delete(f.oracle);
    execution_fini(&x);
    generator_delete(g);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", passed, failed);
    return failed ? 1 : 0;
}
