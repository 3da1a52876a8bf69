/* SPDX-License-Identifier: Apache-2.0
 *
 * Can the differential test fail?  For each mistake planted in the core (core/mutant.h) it runs random
 * executions until the oracle objects, and fails if it never does.  On the same executions without a
 * mistake the oracle must not object: otherwise being caught would mean nothing.
 *
 *     mutation_test [runs [seed]]        or GL_RUNS (at most so many per mistake), GL_SEED
 */
#ifndef GL_MUTANTS
#error "compile this file and the core that it is linked with with -DGL_MUTANTS"
#endif

#include <inttypes.h>

#include "core/mutant.h"
#include "tests/support/generate.h"
#include "tests/support/judge.h"
#include "tests/support/shrink.h"

static const char *const names[GL_MUTANT_COUNT] = {
    [GL_MUTANT_NONE] = "none",
    [GL_MUTANT_STALE_ALOCK] = "stale alock",
    [GL_MUTANT_NO_BUMP] = "missing epoch bump",
    [GL_MUTANT_MERGE_FOR_ASSIGN] = "merge where the record must assign",
    [GL_MUTANT_HINT_LEAK] = "hint leaks into replay state",
    [GL_MUTANT_DROP_READ] = "dropped read",
    [GL_MUTANT_RESUME_TAKEN] = "goes on after another's lock",
    [GL_MUTANT_RESUME_USED] = "goes on after an access",
    [GL_MUTANT_LOG_EARLY] = "a record before an earlier one",
    [GL_MUTANT_LOG_CLOSED] = "a record at a closed position",
};

struct hunt {
    struct generator *generator;
    struct oracle *oracle;
    struct execution x;
    struct disagreement why;
};

static bool disagrees(void *ctx, const struct execution *x)
{
    struct hunt *h = ctx;
    oracle_run(h->oracle, x);
    return !judge(&gl_detector_goldilocks, x, h->oracle, &h->why);
}

/* Executions, the profiles in turn, until one is judged wrongly: its number from 1, in h->x.  0: none. */
static uint64_t hunt(struct hunt *h, uint64_t runs, uint64_t seed)
{
    for (uint64_t k = 0; k < runs; k++) {
        generate(h->generator, &profiles[k % n_profiles], seed + k, &h->x);
        if (disagrees(h, &h->x))
            return k + 1;
    }
    return 0;
}

static void print_shrunk(struct hunt *h)
{
    shrink(&h->x, disagrees, h);
    disagrees(h, &h->x);
    execution_print(&h->x, stdout);
    printf("at event %zu: %s\n", h->why.event + 1, h->why.what);
}

int main(int argc, char **argv)
{
    uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 0) : env_number("GL_RUNS", 20000);
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : env_number("GL_SEED", 1);
    struct hunt h = {.generator = generator_new(), .oracle = oracle_new(GENERATE_MAX)};
    execution_init(&h.x, GENERATE_MAX);
    unsigned passed = 0, failed = 0;

    uint64_t most = 0; /* executions that it took to catch a mistake */
    for (int m = GL_MUTANT_NONE + 1; m < GL_MUTANT_COUNT; m++) {
        gl_mutant = (enum gl_mutant)m;
        const char *name = names[m] ? names[m] : "(no name in this test)";
        uint64_t caught = hunt(&h, runs, seed);
        if (caught) {
            printf("%-36s caught by execution %" PRIu64 ", for instance:\n", name, caught);
            print_shrunk(&h);
        } else {
            printf("%-36s NOT CAUGHT by %" PRIu64 " executions from seed %" PRIu64 "\n", name, runs, seed);
        }
        most = caught > most ? caught : most;
        *(caught ? &passed : &failed) += 1;
    }

    /* The same executions without a mistake, so that each of the catches above is one. */
    gl_mutant = GL_MUTANT_NONE;
    uint64_t wrong = hunt(&h, most, seed);
    if (wrong) {
        printf("without a planted mistake execution %" PRIu64 " is judged wrongly: %s, seed %" PRIu64 "\n", wrong,
               profiles[(wrong - 1) % n_profiles].name, seed + wrong - 1);
        print_shrunk(&h);
    }
    *(wrong ? &failed : &passed) += 1;
    oracle_delete(h.oracle);
    execution_fini(&h.x);
    generator_delete(h.generator);
    printf("%u passed, %u failed\n", passed, failed);
    return failed ? 1 : 0;
}
