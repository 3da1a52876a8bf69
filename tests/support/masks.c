/* SPDX-License-Identifier: Apache-2.0
 *
 * See masks.h.
 */
#include "tests/support/masks.h"

#include <string.h>

#include "tests/support/fake_env.h"
#include "tests/support/generate.h"
#include "tests/support/held.h"

enum { BYTES = 1 << 12 }; /* generated addresses are different modulo this */

static const uint64_t transactions = (uint64_t)1 << 63;

static unsigned bytes_of(const struct gl_event *e)
{
    if (e->op == GL_OP_COMMIT)
        return e->n_reads + e->n_writes;
    return gl_op_class(e->op) == GL_CLASS_DATA && e->op != GL_OP_ALLOC ? e->size : 0;
}

static uint64_t expected(struct masks_byte *bytes, const struct held *h, const struct gl_event *e, masks_fn *definition)
{
    uint64_t reported = 0;
    for (unsigned i = 0; i < bytes_of(e); i++) {
        bool commit = e->op == GL_OP_COMMIT, write = commit ? i >= e->n_reads : e->op != GL_OP_READ;
        uint64_t held = held_mask(h, e->thread, !write) | (commit ? transactions : 0);
        if (definition(&bytes[event_byte(e, i) % BYTES], e->thread, write, held))
            reported |= (uint64_t)1 << i;
    }
    return reported;
}

/* Is the earlier access of a report one of the execution, before event i, and does it touch the lowest reported byte? */
static bool names_an_access(const struct execution *x, size_t i, const struct gl_race *race)
{
    uint64_t byte = event_byte(&x->event[i], (unsigned)__builtin_ctzll(race->bytes));
    for (size_t k = 0; k <= i; k++) {
        const struct gl_event *e = &x->event[k];
        if (e->site != race->then.site || e->thread != race->then.thread)
            continue;
        for (unsigned b = 0; b < bytes_of(e); b++)
            if (event_byte(e, b) == byte)
                return true;
    }
    return false;
}

static bool agrees(const struct gl_detector *d, masks_fn *definition, const struct execution *x, uint64_t *reports)
{
    static struct masks_byte bytes[BYTES];
    static struct held h;
    memset(bytes, 0, sizeof bytes);
    held_reset(&h);
    struct fake_env env;
    fake_env_init(&env);
    struct gl_state *s = d->create(&env.env);
    bool good = s;
    for (size_t i = 0; good && i < x->n; i++) {
        const struct gl_event *e = &x->event[i];
        held_step(&h, e);
        struct gl_race race = {0};
        gl_status status = d->event(s, e, &race);
        if (e->op == GL_OP_ALLOC)
            for (unsigned k = 0; k < e->size; k++)
                bytes[(e->object + k) % BYTES] = (struct masks_byte){0};
        uint64_t want = expected(bytes, &h, e, definition);
        *reports += want != 0;
        good = status == (want ? GL_RACE : GL_OK) && race.bytes == want && (!want || names_an_access(x, i, &race));
        if (!good) {
            execution_print(x, stdout);
            printf("%s, event %zu: bytes %llx, and by its definition %llx\n", d->name, i + 1,
                   (unsigned long long)race.bytes, (unsigned long long)want);
        }
    }
    if (s)
        d->destroy(s);
    return good && fake_env_is_clean(&env);
}

bool masks_agree(const struct gl_detector *d, masks_fn *definition, unsigned executions, uint64_t *reports)
{
    struct generator *g = generator_new();
    struct execution x;
    execution_init(&x, GENERATE_MAX);
    *reports = 0;
    bool good = true;
    for (size_t p = 0; good && p < n_profiles; p++)
        for (uint64_t seed = 1; good && seed <= executions; seed++) {
            generate(g, &profiles[p], seed, &x);
            good = agrees(d, definition, &x, reports);
        }
    execution_fini(&x);
    generator_delete(g);
    return good;
}
