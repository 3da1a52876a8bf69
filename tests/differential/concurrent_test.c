/* SPDX-License-Identifier: Apache-2.0
 *
 * The core, called by 2..64 real threads at once, against the oracle.  The threads run random programs
 * over modelled objects: a real lock makes each synchronization and its event one step, and a global
 * counter stamps it inside; accesses are reported with nothing around them, often several of one
 * byte at the same time.  Afterwards the events are put in order and the oracle says which bytes race;
 * the core must have reported exactly those, and each report must be a race.
 *
 * Why that order will do, though it is not the one in which the core saw the accesses: happens-before is
 * the closure of program order and of the order on each synchronization object.  The stamps respect
 * both, so every order of events that respects the stamps has the same happens-before.  A byte
 * races if two conflicting accesses of it are unordered, which does not mention the order of events; and
 * a precise detector finds a first race of the byte in whatever order it sees the accesses: up to
 * there they were all ordered, and what it forgot is covered by what it kept.  Only ALLOC looks at the order
 * (it forgets what came earlier), so it is done between rounds, when no other thread runs.
 *
 * It is repeatable but for the scheduler: a seed fixes the programs, not how they interleave.
 *
 *     concurrent_test [runs [seed]]        or GL_RUNS, GL_SEED
 */
#include <inttypes.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/judge.h"
#include "tests/support/model.h"
#include "tests/support/world.h"

enum { BYTES = WORLD_BYTES + WORLD_SPAN };

/* The test's own mistakes: could the execution happen? */
static void check_serial(const struct execution *x, uint32_t threads)
{
    static struct model model;
    if (threads > MODEL_THREADS)
        return;
    model_reset(&model);
    for (size_t i = 0; i < x->n; i++)
        check(model_step(&model, &x->event[i]), "the serial execution is impossible");
}

struct tally {
    size_t events, reports, racy, calm; /* bytes, each life counted */
    uint64_t resumed;                   /* segments that went on */
};

/* Which bytes have raced, by the core's reports and by the oracle, must be the same in every life. */
static bool compare(const struct world *world, struct entry **order, const struct execution *x, const struct oracle *o,
                    struct tally *tally)
{
    bool touched[BYTES] = {false}, reported[BYTES] = {false}, racy[BYTES] = {false}, good = true;
    for (size_t i = 0; i <= x->n; i++) {
        const struct gl_event *e = i < x->n ? &x->event[i] : NULL;
        for (unsigned b = 0; b < BYTES; b++) {
            if (e && (e->op != GL_OP_ALLOC || WORLD_BASE + b - e->object >= e->size))
                continue; /* this life goes on */
            if (reported[b] != racy[b]) {
                printf("byte 0x%x up to event %zu: the core says %s, the oracle %s\n", WORLD_BASE + b, i,
                       reported[b] ? "race" : "no race", racy[b] ? "race" : "no race");
                good = false;
            }
            tally->racy += racy[b];
            tally->calm += touched[b] && !racy[b];
            touched[b] = reported[b] = racy[b] = false;
        }
        if (!e || e->op == GL_OP_ALLOC)
            continue;
        const struct gl_race *race = &order[i]->race;
        unsigned bits = e->op == GL_OP_COMMIT ? e->n_reads + e->n_writes : e->size;
        for (unsigned bit = 0; bit < bits; bit++) {
            uint64_t b = event_byte(e, bit) - WORLD_BASE;
            touched[b] = true;
            reported[b] |= race->bytes >> bit & 1;
            racy[b] |= oracle_verdict(o, i).races >> bit & 1;
        }
        if (!race->bytes)
            continue;
        tally->reports++;
        const struct entry *then = world_entry(world, race->then.site);
        if (race->now.site != e->site || !then || then->event.thread != race->then.thread ||
            !oracle_is_race(o, event_byte(e, (unsigned)__builtin_ctzll(race->bytes)), i, then->serial,
                            race->then.write, race->then.atomic)) {
            printf("not a race: site 0x%x with site 0x%x: ", e->site, race->then.site);
            event_print(e, stdout);
            good = false;
        }
    }
    tally->events += x->n;
    return good;
}

/* The engine doing what is usual with many threads: walks (core/column.h). */
static struct gl_detector as_with_many;

static struct gl_state *create_as_with_many(const struct gl_env *env)
{
    struct gl_state *s = gl_detector_goldilocks.create(env);
    if (s)
        gl_detector_goldilocks.set(s, "as-with-many", true);
    if (s)
        gl_detector_goldilocks.set(s, "lock-at-once", true);
    return s;
}

static bool play(uint32_t threads, uint64_t seed, struct tally *tally)
{
    struct world *world = world_play(seed / 8 % 2 ? &as_with_many : &gl_detector_goldilocks, threads, seed);
    struct execution x;
    struct entry **order = world_serialize(world, &x);
    check_serial(&x, world_threads(world));
    struct oracle *o = oracle_new(x.n);
    oracle_run(o, &x);
    bool good = compare(world, order, &x, o, tally);
    if (!good) {
        struct disagreement why;
        if (judge(&gl_detector_goldilocks, &x, o, &why))
            printf("one event after the other there is no difference: it is the concurrency\n");
        else
            printf("one event after the other fails too, at event %zu: %s\n", why.event + 1, why.what);
    }
    tally->resumed += world_count(world, "resumed");
    good &= world_end(world);
    if (!good)
        printf("FAILED: %u threads, %zu events\n", threads, x.n);
    oracle_delete(o);
    execution_fini(&x);
    free(order);
    return good;
}

int main(int argc, char **argv)
{
    static const uint32_t threads[] = {2, 2, 3, 4, 8, 16, 32, 64};
    uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 0) : env_number("GL_RUNS", 120);
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : env_number("GL_SEED", 1);
    uint64_t passed = 0, failed = 0;
    struct tally tally = {0};
    as_with_many = gl_detector_goldilocks;
    as_with_many.create = create_as_with_many;
    alarm(300); /* a thread that waits forever is a failure, not a test that never ends */
    for (uint64_t k = 0; k < runs; k++) {
        bool good = play(threads[(seed + k) % 8], seed + k, &tally);
        if (!good)
            printf("repeat (it depends on the scheduler): GL_SEED=%" PRIu64 " GL_RUNS=1 %s\n", seed + k, argv[0]);
        *(good ? &passed : &failed) += 1;
    }
    printf("%zu events, %zu reports, %zu bytes that race, %zu that do not; %" PRIu64 " segments went on\n", tally.events,
           tally.reports, tally.racy, tally.calm, tally.resumed);
    if (runs >= 20 && tally.resumed < 10 * runs) {
        printf("FAILED: too few segments went on to tell whether they may\n");
        failed++;
    }
    if (runs >= 20 && (tally.racy * 20 < tally.calm || tally.calm * 20 < tally.racy)) {
        printf("FAILED: the programs are too racy, or not racy enough, to tell a right core from a wrong one\n");
        failed++;
    }
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", passed, failed);
    return failed ? 1 : 0;
}
