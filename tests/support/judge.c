/* SPDX-License-Identifier: Apache-2.0
 *
 * See judge.h.
 */
#include "tests/support/judge.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/fake_env.h"

static bool differ(struct disagreement *d, size_t event, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool differ(struct disagreement *d, size_t event, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    d->event = event;
    vsnprintf(d->what, sizeof d->what, format, ap);
    va_end(ap);
    return false;
}

static bool judge_race(const struct execution *x, const struct oracle *o, size_t i, const struct gl_race *race,
                       struct disagreement *d)
{
    const struct gl_event *e = &x->event[i];
    unsigned lowest = (unsigned)__builtin_ctzll(race->bytes);
    bool atomic = e->op == GL_OP_LOAD || e->op == GL_OP_STORE || e->op == GL_OP_RMW;
    bool write = !(e->op == GL_OP_READ || e->op == GL_OP_LOAD || (e->op == GL_OP_COMMIT && lowest < e->n_reads));
    if (race->now.thread != e->thread || race->now.site != e->site || race->now.atomic != atomic ||
        race->now.write != write || (e->op != GL_OP_COMMIT && race->object != e->object))
        return differ(d, i, "the race does not name the access that was checked");
    uint64_t address = event_byte(e, lowest);
    bool site = false, thread = false, races = false;
    for (size_t then = 0; then < i && !races; then++)
        if (x->event[then].site == race->then.site) {
            site = true;
            thread |= x->event[then].thread == race->then.thread;
            races = x->event[then].thread == race->then.thread &&
                    oracle_is_race(o, address, i, then, race->then.write, race->then.atomic);
        }
    if (!site)
        return differ(d, i, "the earlier access has site %u, which no earlier event has", race->then.site);
    if (!thread)
        return differ(d, i, "site %u is not of thread %u", race->then.site, race->then.thread);
    if (!races)
        return differ(d, i, "byte %u does not race with the %s%s of site %u", lowest,
                      race->then.atomic ? "atomic " : "", race->then.write ? "write" : "read", race->then.site);
    if (race->then_bytes && !(race->then_bytes >> (address & 3) & 1))
        return differ(d, i, "then_bytes 0x%x leaves out the racing byte", race->then_bytes);
    return true;
}

static bool judge_event(const struct gl_detector *detector, struct gl_state *s, const struct execution *x,
                        const struct oracle *o, size_t i, struct disagreement *d)
{
    struct gl_race race = {0};
    struct oracle_verdict v = oracle_verdict(o, i);
    gl_status status = detector->event(s, &x->event[i], &race);
    if (status != GL_OK && status != GL_RACE)
        return differ(d, i, "status %d, where the oracle says that the event is possible", (int)status);
    if ((status == GL_RACE) != (race.bytes != 0))
        return differ(d, i, "status %d with racing bytes 0x%" PRIx64, (int)status, race.bytes);
    if (v.first & ~race.bytes)
        return differ(d, i, "missed: bytes 0x%" PRIx64 " race for the first time, reported are 0x%" PRIx64, v.first,
                      race.bytes);
    if (race.bytes & ~v.races)
        return differ(d, i, "invented: bytes 0x%" PRIx64 " do not race (0x%" PRIx64 " do)", race.bytes & ~v.races,
                      v.races);
    return !race.bytes || judge_race(x, o, i, &race, d);
}

static struct {
    const char *name;
    uint64_t value;
} watched;

void judge_watch(const char *counter)
{
    watched.name = counter;
    watched.value = 0;
}

uint64_t judge_watched(void) { return watched.value; }

static void watch(void *ctx, const char *name, const char *sentence, uint64_t value)
{
    (void)ctx, (void)sentence;
    watched.value += strcmp(name, watched.name) ? 0 : value;
}

bool judge(const struct gl_detector *detector, const struct execution *x, const struct oracle *o,
           struct disagreement *d)
{
    static _Atomic unsigned judged;
    struct fake_env env;
    if (judged++ % 32 == 0)
        fake_env_init(&env); /* where a use of what was unmapped is a fault */
    else
        fake_env_init_keeping(&env);
    struct gl_state *s = detector->create(&env.env);
    check(s, "no memory for a detector");
    bool agree = true;
    for (size_t i = 0; agree && i < x->n; i++)
        agree = judge_event(detector, s, x, o, i, d);
    if (watched.name && detector->counts)
        detector->counts(s, watch, NULL);
    detector->destroy(s);
    if (agree && !fake_env_is_clean(&env))
        return differ(d, x->n, "memory was not given back, or not as it was mapped");
    return agree;
}
