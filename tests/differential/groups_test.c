/* SPDX-License-Identifier: Apache-2.0
 *
 * The core engine with groups (core/group.h) and steps (core/step.c) made at the first wish = the brute-force oracle, on random
 * executions.  Usually a group is made when it is wanted again, which a short execution rarely comes to.  Two seeds of four also do
 * what is usual with many threads only: sets of segments are followed along the log (core/column.h).  One of five makes groups of
 * side records instead, after each access (gl_cell_fold()).  One of three looks after each segment for
 * ids that nothing names any more, and uses them again (core/sweep.h).
 *
 *     odd seeds     every event has a site of its own: a race has to name the very access
 *     even seeds    all events of a thread have the same site: lists of sites recur as in a loop, and so do steps
 *
 * Prints a line per profile, with how many groups and steps it took; a failure prints the execution, shrunk, and how to repeat it.
 *
 *     groups_test [runs [seed]]        or GL_RUNS, GL_SEED; GL_PROFILE=name for one profile only
 */
#include <inttypes.h>
#include <string.h>

#include "tests/support/generate.h"
#include "tests/support/judge.h"
#include "tests/support/shrink.h"

/* Of all executions of a profile. */
static struct used {
    uint64_t groups, stepped, split, walked, freed, joined;
} used;
static bool many, swept, folded; /* for the next execution */

static void add_count(void *ctx, const char *name, const char *sentence, uint64_t value)
{
    (void)sentence;
    struct used *u = ctx;
    u->groups += strcmp(name, "groups") ? 0 : value;
    u->stepped += strcmp(name, "stepped") ? 0 : value;
    u->walked += strcmp(name, "walked_records") ? 0 : value;
    u->split += strcmp(name, "cells_split") ? 0 : value;
    u->joined += strcmp(name, "cells_joined") ? 0 : value;
    u->freed += strcmp(name, "ids_freed") ? 0 : value;
}

static struct gl_state *create(const struct gl_env *env)
{
    static unsigned made;
    struct gl_state *s = gl_detector_goldilocks.create(env);
    if (s)
        gl_detector_goldilocks.set(s, folded ? "fold-at-once" : "groups-at-once", true);
    if (s)
        gl_detector_goldilocks.set(s, "as-with-many", many);
    if (s)
        gl_detector_goldilocks.set(s, "lock-at-once", ++made & 2); /* with and without many */
    if (s)
        gl_detector_goldilocks.set(s, "sweep-at-once", swept);
    return s;
}

/* In the way in which ids are swept. */
static gl_status event(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    gl_status status;
    if (!swept)
        return gl_detector_goldilocks.event(s, e, race);
    gl_detector_goldilocks.events(s, e, 1, race, &status);
    return status;
}

static void destroy(struct gl_state *s)
{
    gl_detector_goldilocks.counts(s, add_count, &used);
    gl_detector_goldilocks.destroy(s);
}

struct failing {
    struct gl_detector detector;
    struct oracle *oracle;
    struct disagreement why;
};

static bool disagrees(void *ctx, const struct execution *x)
{
    struct failing *f = ctx;
    oracle_run(f->oracle, x);
    return !judge(&f->detector, x, f->oracle, &f->why);
}

static void report(struct failing *f, struct execution *x, const struct profile *p, uint64_t seed, const char *program)
{
    size_t before = x->n;
    shrink(x, disagrees, f);
    disagrees(f, x); /* once more: f->why is of the shrunk one */
    printf("the engine with groups and the oracle disagree: profile %s, seed %" PRIu64 ", %zu events, shrunk to %zu:\n", p->name, seed,
           before, x->n);
    execution_print(x, stdout);
    printf("at event %zu: %s\nrepeat: GL_PROFILE=%s GL_SEED=%" PRIu64 " GL_RUNS=1 %s\n", f->why.event + 1, f->why.what, p->name, seed,
           program);
}

int main(int argc, char **argv)
{
    uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 0) : env_number("GL_RUNS", 6300);
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : env_number("GL_SEED", 1);
    const char *only = getenv("GL_PROFILE");
    if (only && !profile_named(only)) {
        fprintf(stderr, "GL_PROFILE=%s: there is no such profile (generate.c has the list)\n", only);
        return 2;
    }
    struct generator *g = generator_new();
    struct execution x;
    execution_init(&x, GENERATE_MAX);
    struct failing f = {.detector = gl_detector_goldilocks, .oracle = oracle_new(GENERATE_MAX)};
    f.detector.create = create;
    f.detector.destroy = destroy;
    f.detector.event = event;
    uint64_t passed = 0, failed = 0;
    for (size_t i = 0; i < n_profiles; i++) {
        const struct profile *p = &profiles[i];
        if (only && strcmp(p->name, only) != 0)
            continue;
        uint64_t share = only ? runs : (runs + n_profiles - 1) / n_profiles, good = 0;
        used = (struct used){0};
        for (uint64_t k = 0; k < share && good == k; k++) {
            generate(g, p, seed + k, &x);
            many = (seed + k) / 2 % 2;
            swept = (seed + k) % 3 == 0;
            folded = (seed + k) % 5 == 0;
            for (size_t e = 0; (seed + k) % 2 == 0 && e < x.n; e++)
                x.event[e].site = x.event[e].thread + 1;
            if (disagrees(&f, &x))
                report(&f, &x, p, seed + k, argv[0]);
            else
                good++;
        }
        printf("%-10s %6" PRIu64 " executions, %7" PRIu64 " groups, %6" PRIu64 " steps, %6" PRIu64 " side records, %6" PRIu64
               " records walked, %7" PRIu64 " ids used again\n", p->name, good, used.groups, used.stepped, used.split, used.walked, used.freed);
        passed += good;
        failed += good < share;
        bool enough = used.groups >= share && used.stepped >= share / 10 && used.walked >= share / 2 && used.freed >= 16 * share &&
                      used.joined >= share / 5;
        if (good == share && share >= 100 && !enough) {
            printf("profile %s: too few groups, steps, walks, records joined or ids used again\n", p->name);
            failed++;
        }
    }
    oracle_delete(f.oracle);
    execution_fini(&x);
    generator_delete(g);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", passed, failed);
    return failed ? 1 : 0;
}
