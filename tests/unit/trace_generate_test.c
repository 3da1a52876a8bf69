/* SPDX-License-Identifier: Apache-2.0
 *
 * The generator of recorded executions: what it makes can happen, has no race unless it was asked for, has the shares
 * that were asked for, and is the same each time.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#include "peers/registry.h"
#include "tests/support/check.h"
#include "tests/support/fake_env.h"
#include "tests/support/model.h"
#include "trace/generate.h"

enum { BATCH = 1000 };

struct run {
    struct fake_env fake;
    struct gl_names *names;
    struct gl_generator *g;
    struct gl_event events[BATCH];
};

static void begin(struct run *r, const struct gl_generate_options *o)
{
    assert_null(gl_generate_complaint(o));
    fake_env_init(&r->fake);
    r->names = gl_names_create(&r->fake.env);
    assert_non_null(r->names);
    r->g = gl_generator_create(&r->fake.env, o, r->names);
    assert_non_null(r->g);
}

static void end(struct run *r)
{
    gl_generator_destroy(r->g);
    gl_names_destroy(r->names);
    assert_true(fake_env_is_clean(&r->fake));
}

/* Every family, few threads and objects: as much as possible meets. */
static struct gl_generate_options everything(uint64_t seed)
{
    struct gl_generate_options o;
    gl_generate_usual(&o);
    o.events = 3000;
    o.seed = seed;
    o.threads = 40;
    o.alive = 6;
    o.variables = 48;
    o.locks = 3;
    o.objects = 2;
    o.party = 4;
    o.quantum = 4;
    for (int f = 0; f < GL_FAMILY_COUNT; f++)
        o.weight[f] = f <= GL_FAMILY_WRITE ? 20 : 5;
    return o;
}

struct outcome {
    uint64_t events, races;
    uint64_t of[GL_OP_COUNT];
    uint64_t sum; /* of all that was seen, in order */
};

static void mix(struct outcome *out, uint64_t value) { out->sum = (out->sum ^ value) * 0x100000001b3u; }

/* Plays it on the model of what can happen (when it is small enough) and on a detector. */
static struct outcome play(const struct gl_generate_options *o, const struct gl_detector *detector,
                           size_t batch)
{
    struct run *r = check_alloc(sizeof *r);
    struct model *m = check_alloc(sizeof *m);
    struct outcome out = {0};
    begin(r, o);
    model_reset(m);
    struct gl_state *s = detector->create(&r->fake.env);
    assert_non_null(s);
    for (size_t n; (n = gl_generator_next(r->g, r->events, batch)) > 0;) {
        assert_true(n <= batch);
        for (size_t i = 0; i < n; i++) {
            const struct gl_event *e = &r->events[i];
            if (o->threads <= MODEL_THREADS && o->locks + o->objects * 4 <= MODEL_OBJECTS)
                assert_true(e->op == GL_OP_WAIT || e->op == GL_OP_POST || model_step(m, e));
            gl_status status = detector->event(s, e, NULL);
            assert_true(status == GL_OK || status == GL_RACE);
            out.events++;
            out.races += status == GL_RACE;
            out.of[e->op]++;
            mix(&out, e->op | (uint64_t)e->order << 8 | (uint64_t)e->thread << 16);
            mix(&out, e->object);
            mix(&out, e->size | (uint64_t)e->site << 32);
            for (uint32_t k = 0; k < e->n_reads; k++)
                mix(&out, e->reads[k]);
            for (uint32_t k = 0; k < e->n_writes; k++)
                mix(&out, e->writes[k]);
        }
    }
    assert_int_equal(gl_generator_next(r->g, r->events, batch), 0);
    detector->destroy(s);
    end(r);
    free(m);
    free(r);
    return out;
}

static const struct gl_detector *eager(void) { return gl_detector_by_name("goldilocks-eager"); }
static const struct gl_detector *engine(void) { return gl_detector_by_name("goldilocks"); }

static void no_race_by_construction(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct gl_generate_options o = everything(seed);
        o.topology = seed % GL_TOPOLOGY_COUNT;
        o.addresses = seed % 3 == 0;
        struct outcome out = play(&o, seed % 4 ? engine() : eager(), BATCH);
        assert_int_equal(out.events, o.events);
        assert_int_equal(out.races, 0);
    }
}

/* Each family alone beside the accesses, so that no other one orders what it should have ordered. */
static void each_family_alone_has_no_race(void **state)
{
    (void)state;
    for (int f = GL_FAMILY_HEAP; f < GL_FAMILY_COUNT; f++)
        for (int topology = 0; topology < GL_TOPOLOGY_COUNT; topology++) {
            struct gl_generate_options o = everything((uint64_t)f);
            for (int k = GL_FAMILY_HEAP; k < GL_FAMILY_COUNT; k++)
                o.weight[k] = k == f ? 40 : 0;
            if (f == GL_FAMILY_FENCE)
                o.weight[GL_FAMILY_ATOMIC] = 40;
            o.topology = (enum gl_topology)topology;
            struct outcome out = play(&o, engine(), BATCH);
            assert_int_equal(out.events, o.events);
            assert_int_equal(out.races, 0);
        }
}

static void every_operation_occurs(void **state)
{
    (void)state;
    struct gl_generate_options o = everything(7);
    o.events = 60000;
    o.threads = MODEL_THREADS;
    struct outcome out = play(&o, engine(), BATCH);
    for (int op = 0; op < GL_OP_COUNT; op++)
        assert_true(out.of[op] > 0);
    /* what is taken is given back, and who was forked is joined, at the end at the latest */
    assert_int_equal(out.of[GL_OP_ACQ] + out.of[GL_OP_CWAIT_END],
                     out.of[GL_OP_REL] + out.of[GL_OP_CWAIT_BEGIN]);
    assert_int_equal(out.of[GL_OP_CWAIT_BEGIN], out.of[GL_OP_CWAIT_END]);
    assert_int_equal(out.of[GL_OP_RDLOCK], out.of[GL_OP_RDUNLOCK]);
    assert_int_equal(out.of[GL_OP_WRLOCK], out.of[GL_OP_WRUNLOCK]);
    assert_int_equal(out.of[GL_OP_BAR_IN], out.of[GL_OP_BAR_OUT]);
    assert_int_equal(out.of[GL_OP_FORK], out.of[GL_OP_JOIN]);
    assert_int_equal(out.of[GL_OP_FORK], out.of[GL_OP_END]);
    assert_int_equal(out.of[GL_OP_FORK], o.threads - 1);
}

static void a_race_rate_makes_races(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct gl_generate_options o = everything(seed);
        o.races_per_million = 20000;
        o.topology = seed % GL_TOPOLOGY_COUNT;
        uint64_t few = play(&o, eager(), BATCH).races;
        assert_true(few > 0);
        o.races_per_million = 500000;
        assert_true(play(&o, eager(), BATCH).races > few);
    }
}

static void shares_are_as_asked(void **state)
{
    (void)state;
    struct gl_generate_options o;
    gl_generate_usual(&o);
    o.events = 200000;
    o.weight[GL_FAMILY_READ] = 50;
    o.weight[GL_FAMILY_WRITE] = 20;
    o.weight[GL_FAMILY_LOCK] = 20;
    o.weight[GL_FAMILY_CWAIT] = 2;
    o.weight[GL_FAMILY_BARRIER] = 8;
    o.locks = 4; /* busy most of the time */
    struct outcome out = play(&o, engine(), BATCH);
    struct {
        enum gl_op a, b;
        uint32_t percent;
    } want[] = {{GL_OP_READ, GL_OP_READ, 50},
                {GL_OP_WRITE, GL_OP_WRITE, 20},
                {GL_OP_ACQ, GL_OP_REL, 20},
                {GL_OP_CWAIT_BEGIN, GL_OP_CWAIT_END, 2},
                {GL_OP_BAR_IN, GL_OP_BAR_OUT, 8}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        uint64_t n = out.of[want[i].a] + (want[i].a == want[i].b ? 0 : out.of[want[i].b]);
        assert_in_range(n * 100, (want[i].percent * 100 - 100) * o.events / 100,
                        (want[i].percent * 100 + 100) * o.events / 100);
    }
}

static void the_same_seed_makes_the_same(void **state)
{
    (void)state;
    struct gl_generate_options o = everything(3), other = everything(4);
    o.events = other.events = 20000;
    struct outcome a = play(&o, engine(), BATCH), b = play(&o, engine(), 7),
                   c = play(&other, engine(), BATCH);
    assert_int_equal(a.sum, b.sum); /* however it is fetched */
    assert_int_not_equal(a.sum, c.sum);
}

static void any_length_comes_to_an_end(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 200; n++) {
        struct gl_generate_options o = everything(n);
        o.events = n;
        struct outcome out = play(&o, engine(), BATCH);
        assert_int_equal(out.events, n);
        assert_int_equal(out.of[GL_OP_FORK], out.of[GL_OP_JOIN]);
    }
}

static void a_tree_of_many_threads(void **state)
{
    (void)state;
    struct gl_generate_options o;
    gl_generate_usual(&o);
    o.events = 200000;
    o.threads = 20000;
    o.alive = 500;
    o.topology = GL_TOPOLOGY_TREE;
    o.weight[GL_FAMILY_THREAD] = 40;
    struct outcome out = play(&o, engine(), BATCH);
    assert_int_equal(out.races, 0);
    assert_in_range(out.of[GL_OP_FORK], 10000, 19999);
}

static void names_and_places(void **state)
{
    (void)state;
    struct run *r = check_alloc(sizeof *r);
    struct gl_generate_options o = everything(1);
    begin(r, &o);
    assert_int_equal(gl_names_count(r->names, GL_NAME_THREAD), o.threads);
    assert_string_equal(gl_name_of(r->names, GL_NAME_THREAD, 39), "T39");
    assert_string_equal(gl_name_of(r->names, GL_NAME_MUTEX, 2), "L2");
    assert_string_equal(gl_name_of(r->names, GL_NAME_RWLOCK, 1), "R1");
    assert_string_equal(gl_name_of(r->names, GL_NAME_BARRIER, 0), "B0");
    size_t n = gl_generator_next(r->g, r->events, BATCH);
    for (size_t i = 0; i < n; i++) {
        const struct gl_event *e = &r->events[i];
        assert_non_null(gl_name_of(r->names, GL_NAME_LOCATION, e->site));
        assert_int_not_equal(e->site, 0);
        if (gl_op_class(e->op) == GL_CLASS_DATA || gl_op_class(e->op) == GL_CLASS_ATOMIC)
            assert_true(e->object < gl_data_end(r->names));
    }
    end(r);

    o.addresses = true;
    begin(r, &o);
    bool sizes[9] = {false};
    n = gl_generator_next(r->g, r->events, BATCH);
    for (size_t i = 0; i < n; i++)
        if (r->events[i].op == GL_OP_READ) {
            char text[32];
            gl_data_name(r->names, r->events[i].object, text, sizeof text);
            assert_int_equal(strncmp(text, "0x100001", 8) && strncmp(text, "0x100000", 8), 0);
            sizes[r->events[i].size] = true;
        }
    assert_true(sizes[1] && sizes[2] && sizes[4] && sizes[8]);
    end(r);
    free(r);
}

static void complaints(void **state)
{
    (void)state;
    struct gl_generate_options o, usual;
    gl_generate_usual(&usual);
    assert_null(gl_generate_complaint(&usual));
#define REFUSED(field, value, words)                                                                         \
    do {                                                                                                     \
        o = usual;                                                                                           \
        o.field = (value);                                                                                   \
        assert_non_null(gl_generate_complaint(&o));                                                          \
        assert_non_null(strstr(gl_generate_complaint(&o), words));                                           \
    } while (0)
    REFUSED(events, 0, "number of events");
    REFUSED(events, UINT64_MAX, "number of events");
    REFUSED(threads, 0, "number of threads");
    REFUSED(threads, (1u << 24) + 1, "number of threads");
    REFUSED(alive, 0, "alive");
    REFUSED(alive, 17, "alive");
    REFUSED(variables, 15, "variables");
    REFUSED(variables, (1u << 28) + 1, "variables");
    REFUSED(locks, 0, "locks");
    REFUSED(locks, (1u << 24) + 1, "locks");
    REFUSED(objects, 0, "objects");
    REFUSED(objects, (1u << 20) + 1, "objects");
    REFUSED(party, 1, "barrier");
    REFUSED(party, (1u << 16) + 1, "barrier");
    REFUSED(quantum, 0, "turn");
    REFUSED(quantum, (1u << 20) + 1, "turn");
    REFUSED(locations, (1u << 20) + 1, "locations");
    REFUSED(races_per_million, 1000001, "race rate");
    REFUSED(weight[GL_FAMILY_LOCK], 1000001, "weight");
    REFUSED(weight[GL_FAMILY_READ], 0, "weight of read");
    usual.weight[GL_FAMILY_BARRIER] = 1;
    usual.party = 1u << 16;
    REFUSED(objects, 1u << 20, "times the barriers");
}

static void no_memory(void **state)
{
    (void)state;
    struct gl_generate_options o = everything(1);
    bool made = false;
    for (unsigned long at = 1; !made; at++) {
        struct fake_env fake;
        fake_env_init(&fake);
        struct gl_names *names = gl_names_create(&fake.env);
        assert_non_null(names);
        fake.fail_at = atomic_load(&fake.maps) + at;
        fake.fail_from = true;
        struct gl_generator *g = gl_generator_create(&fake.env, &o, names);
        made = g != NULL;
        if (g)
            gl_generator_destroy(g);
        gl_names_destroy(names);
        assert_true(fake_env_is_clean(&fake));
        assert_true(at < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_race_by_construction),
        cmocka_unit_test(each_family_alone_has_no_race),
        cmocka_unit_test(every_operation_occurs),
        cmocka_unit_test(a_race_rate_makes_races),
        cmocka_unit_test(shares_are_as_asked),
        cmocka_unit_test(the_same_seed_makes_the_same),
        cmocka_unit_test(any_length_comes_to_an_end),
        cmocka_unit_test(a_tree_of_many_threads),
        cmocka_unit_test(names_and_places),
        cmocka_unit_test(complaints),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
