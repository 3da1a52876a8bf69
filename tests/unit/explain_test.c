/* SPDX-License-Identifier: Apache-2.0
 *
 * The walk that explains: the sets of the papers' tables, event by event; every kind of element; what is said about
 * the pair of a race; and, on random executions, the same verdicts as the oracle's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "peers/explain.h"
#include "tests/support/fake_env.h"
#include "tests/support/generate.h"
#include "tests/support/oracle.h"

#define T(t, o, ...) {.op = GL_OP_##o, .thread = (t), __VA_ARGS__}
#define X(x) .object = (x)
#define AT(x) .object = (x), .size = 4
#define SYNC(x, o) .object = (x), .order = GL_##o
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- the story as text ---- */

enum { TEXT = 8192 };

/* One element: a letter for its kind, and its numbers. */
static size_t print_element(char *to, size_t room, struct gl_element x)
{
    static const char *const letters[] = {"?", "T", "m", "w", "r", "v", "a", "b", "s", "TX", "F", "A"};
    int n = x.kind == GL_ELEMENT_GENERATION
                ? snprintf(to, room, "%s%d.%d", letters[x.kind], (int)x.object, (int)x.part)
                : snprintf(to, room, "%s%d", letters[x.kind], (int)x.object);
    check(n > 0 && (size_t)n < room, "the text does not fit");
    return (size_t)n;
}

/* Appends a line per step that changes the followed set, is an access or a check: "record rule {set}". */
static void write_step(void *ctx, const struct gl_explain *w, const struct gl_explain_step *s)
{
    char *text = ctx;
    size_t n = strlen(text);
    assert_true(s->kind == GL_STEP_NOTHING || s->rule != GL_RULE_NONE);
    assert_true(s->change != GL_CHANGE_ADD || s->from_in);
    if (s->change == GL_CHANGE_NONE && s->kind != GL_STEP_ACCESS && s->kind != GL_STEP_CHECK)
        return;
    static const char *const verdicts[] = {"", " first", " ordered", " harmless", " race"};
    n += (size_t)snprintf(text + n, TEXT - n, "%d %s%u%s%s {", (int)s->record, s->kind == GL_STEP_CHECK ? "check " : "",
                          gl_rule_number(s->rule), verdicts[s->verdict],
                          s->kind == GL_STEP_ACCESS && !s->followed ? " beside" : "");
    for (size_t i = 0; s->set && i < gl_gls_size(s->set); i++) {
        if (i)
            text[n++] = ' ';
        n += print_element(text + n, TEXT - n, gl_gls_element(w, s->set, i, NULL));
    }
    check(n + 3 < TEXT, "the text does not fit");
    strcpy(text + n, "}\n");
}

struct told {
    struct fake_env env;
    struct gl_explain *w;
    char text[TEXT];
    gl_status last;
};

static void tell(struct told *t, struct gl_explain_plan plan, const struct gl_event *e, size_t n)
{
    fake_env_init(&t->env);
    t->text[0] = 0;
    plan.step = write_step;
    plan.ctx = t->text;
    t->w = gl_explain_create(&t->env.env, &plan);
    assert_non_null(t->w);
    for (size_t i = 0; i < n; i++)
        t->last = gl_explain_event(t->w, &e[i], i + 1);
}

static void told_free(struct told *t)
{
    gl_explain_destroy(t->w);
    assert_true(fake_env_is_clean(&t->env));
}

static void assert_story(struct gl_explain_plan plan, const struct gl_event *e, size_t n, const char *expected)
{
    struct told t;
    tell(&t, plan, e, n);
    assert_string_equal(t.text, expected);
    told_free(&t);
}

#define STORY(byte_, expected, ...)                                                                \
    do {                                                                                           \
        const struct gl_event events_[] = {__VA_ARGS__};                                           \
        assert_story((struct gl_explain_plan){.byte = (byte_)}, events_, COUNT(events_), expected); \
    } while (0)

/* ---- the papers' tables ---- */

/* TR 2.3 and Fig. 2, the slides' table: GLS(o1.x). */
static void intbox(void **state)
{
    (void)state;
    enum { a = 0x100, b = 0x108, o1x = 0x200 };
    STORY(o1x,
          "1 8 {}\n"
          "3 1 first {T1}\n"
          "4 5 {T1 m1}\n"
          "5 4 {T1 m1 T2}\n"
          "12 5 {T1 m1 T2 m2}\n"
          "13 4 {T1 m1 T2 m2 T3}\n"
          "15 1 ordered {T3}\n"
          "16 5 {T3 m2}\n",
          T(1, ALLOC, AT(o1x)), T(1, ACQ, X(1)), T(1, WRITE, AT(o1x)), T(1, REL, X(1)), T(2, ACQ, X(1)),
          T(2, ACQ, X(2)), T(2, READ, AT(a)), T(2, READ, AT(b)), T(2, WRITE, AT(a)), T(2, WRITE, AT(b)),
          T(2, REL, X(1)), T(2, REL, X(2)), T(3, ACQ, X(2)), T(3, READ, AT(b)), T(3, WRITE, AT(o1x)), T(3, REL, X(2)));
}

/* TR appendix A: LS(oneTask.out), items 1 to 5. */
static void task_queue(void **state)
{
    (void)state;
    enum { Qlock = 1, Tlock = 2, out = 0x200 };
    STORY(out,
          "1 1 first {T1}\n"
          "3 5 {T1 m1}\n"
          "4 4 {T1 m1 T2}\n"
          "6 6 {T1 m1 T2 T3}\n"
          "7 6 {T1 m1 T2 T3 T4}\n"
          "9 1 ordered {T3}\n"
          "10 5 {T3 m2}\n"
          "11 4 {T3 m2 T4}\n"
          "12 1 ordered {T4}\n"
          "13 5 {T4 m2}\n"
          "15 7 {T4 m2 T2}\n"
          "16 1 ordered {T2}\n",
          T(1, WRITE, AT(out)), T(1, ACQ, X(Qlock)), T(1, REL, X(Qlock)), T(2, ACQ, X(Qlock)), T(2, REL, X(Qlock)),
          T(2, FORK, X(3)), T(2, FORK, X(4)), T(3, ACQ, X(Tlock)), T(3, WRITE, AT(out)), T(3, REL, X(Tlock)),
          T(4, ACQ, X(Tlock)), T(4, WRITE, AT(out)), T(4, REL, X(Tlock)), T(2, JOIN, X(3)), T(2, JOIN, X(4)),
          T(2, WRITE, AT(out)));
}

/* CACM Fig. 1a and 1b. */
static void cacm(void **state)
{
    (void)state;
    enum { x = 0x10, ti = 1, tj = 2, tk = 3 };
    STORY(x,
          "2 1 first {T1}\n"
          "3 5 {T1 m9}\n"
          "4 4 {T1 m9 T2}\n"
          "5 1 ordered {T2}\n"
          "6 5 {T2 m9}\n",
          T(ti, ACQ, X(9)), T(ti, WRITE, AT(x)), T(ti, REL, X(9)), T(tj, ACQ, X(9)), T(tj, WRITE, AT(x)),
          T(tj, REL, X(9)));
    STORY(x,
          "1 1 first {T1}\n"
          "2 3 {T1 v1}\n"
          "3 2 {T1 v1 T3}\n"
          "4 3 {T1 v1 T3 v2}\n"
          "5 2 {T1 v1 T3 v2 T2}\n"
          "6 1 ordered {T2}\n",
          T(ti, WRITE, AT(x)), T(ti, VOLWRITE, X(1)), T(tk, VOLREAD, X(1)), T(tk, VOLWRITE, X(2)),
          T(tj, VOLREAD, X(2)), T(tj, WRITE, AT(x)));
}

/* ---- every kind of element ---- */

static void elements(void **state)
{
    (void)state;
    STORY(8, "2 1 first {T1}\n3 0 {T1 w7}\n4 0 {T1 w7 T2}\n5 0 {T1 w7 T2 r7}\n6 0 {T1 w7 T2 r7 T3}\n",
          T(1, WRLOCK, X(7)), T(1, WRITE, AT(8)), T(1, WRUNLOCK, X(7)), T(2, RDLOCK, X(7)), T(2, RDUNLOCK, X(7)),
          T(3, WRLOCK, X(7)));
    /* the second generation of a barrier is another element; who comes out of the first late is not ordered by it */
    STORY(8, "6 1 first {T1}\n7 0 {T1 b5.1}\n9 0 {T1 b5.1 T2}\n11 1 race {T3}\n", T(1, BAR_IN, X(5)), T(2, BAR_IN, X(5)),
          T(3, BAR_IN, X(5)), T(1, BAR_OUT, X(5)), T(2, BAR_OUT, X(5)), T(1, WRITE, AT(8)), T(1, BAR_IN, X(5)),
          T(2, BAR_IN, X(5)), T(2, BAR_OUT, X(5)), T(3, BAR_OUT, X(5)), T(3, WRITE, AT(8)));
    STORY(8, "1 1 first {T1}\n2 0 {T1 s4}\n3 0 {T1 s4 T2}\n", T(1, WRITE, AT(8)), T(1, POST, X(4)), T(2, WAIT, X(4)));
    /* a condition wait is a release and an acquire, at any depth; inner releases order nothing */
    STORY(8, "3 1 first {T1}\n5 5 {T1 m6}\n6 4 {T1 m6 T2}\n", T(1, ACQ, X(6)), T(1, ACQ, X(6)), T(1, WRITE, AT(8)),
          T(2, VOLREAD, X(1)), T(1, CWAIT_BEGIN, X(6)), T(2, ACQ, X(6)), T(2, REL, X(6)), T(1, CWAIT_END, X(6)),
          T(1, REL, X(6)), T(1, REL, X(6)));
    /* release store, relaxed rmw in between, acquire load; another store ends the release sequence */
    STORY(8, "1 1 first {T1}\n2 0 {T1 a3}\n3 0 {T1 a3 A3}\n4 0 {T1 a3 A3 T2}\n5 0 {T1 A3 T2}\n",
          T(1, WRITE, AT(8)), T(1, STORE, SYNC(3, REL)),
          T(3, RMW, SYNC(3, RLX)), T(2, LOAD, SYNC(3, ACQ)), T(3, STORE, SYNC(3, RLX)), T(4, LOAD, SYNC(3, SC)));
    /* fences publish and claim */
    STORY(8, "1 1 first {T1}\n2 0 {T1 F1}\n3 0 {T1 F1 a3}\n4 0 {T1 F1 a3 A2}\n5 0 {T1 F1 a3 A2 T2}\n", T(1, WRITE, AT(8)),
          T(1, FENCE, SYNC(0, REL)), T(1, STORE, SYNC(3, RLX)), T(2, LOAD, SYNC(3, RLX)), T(2, FENCE, SYNC(0, ACQ)));
    const uint64_t x[] = {8}, y[] = {64};
    STORY(8, "1 1 first {T1}\n1 0 {T1 TX64}\n1 0 {T1 TX64 TX8}\n2 0 {T1 TX64 TX8 T2}\n3 1 ordered {T2}\n",
          T(1, COMMIT, .writes = x, .n_writes = 1, .reads = y, .n_reads = 1), T(2, COMMIT, .reads = y, .n_reads = 1),
          T(2, WRITE, AT(8)));
    /* an atomic access is one between its acquire and its release side, and does not race with others of its kind */
    STORY(8, "1 1 first {T1}\n1 0 {T1 a8}\n2 1 harmless {T2}\n3 check 1 race {T1}\n3 1 race {T3}\n",
          T(1, STORE, SYNC(8, REL), .size = 4),
          T(2, STORE, SYNC(8, RLX), .size = 4), T(3, WRITE, AT(8)));
    STORY(8, "1 1 first {T1}\n3 8 {}\n4 1 first {T2}\n", T(1, WRITE, AT(8)), T(2, ALLOC, AT(12)), T(2, ALLOC, AT(8)),
          T(2, READ, AT(8)));
    /* events without a rule are steps all the same, without effect */
    STORY(8, "", T(1, BEGIN), T(1, READ, AT(16)), T(1, END));
}

/* ---- several sets ---- */

static const struct gl_event readers[] = {
    T(0, WRITE, AT(8)), T(0, FORK, X(1)), T(0, FORK, X(2)), T(1, READ, AT(8)), T(2, READ, AT(8)),
    T(2, REL, X(5)) /* impossible, and left out */, T(1, POST, X(5)), T(0, WAIT, X(5)), T(0, WRITE, AT(8)),
};

static void unordered_reads(void **state)
{
    (void)state;
    assert_story((struct gl_explain_plan){.byte = 8}, readers, COUNT(readers),
                 "1 1 first {T0}\n2 6 {T0 T1}\n3 6 {T0 T1 T2}\n4 1 ordered {T1}\n5 check 1 ordered {T0 T1 T2}\n"
                 "5 1 harmless {T2}\n9 check 1 ordered {T1 s5 T0}\n9 1 race {T0}\n");
    /* the same, with the set of T2's read followed: nothing else comes after it */
    assert_story((struct gl_explain_plan){.byte = 8, .then = 5, .now = 9, .then_thread = 2}, readers, COUNT(readers),
                 "1 1 first {T0}\n2 6 {T0 T1}\n3 6 {T0 T1 T2}\n4 1 ordered {T1}\n5 check 1 ordered {T0 T1 T2}\n"
                 "5 1 harmless {T2}\n9 check 1 ordered {T1 s5 T0}\n9 1 race {T0}\n");
    /* an access that comes after `then` leaves the followed set alone */
    const struct gl_event late[] = {T(1, READ, AT(8)), T(1, POST, X(1)), T(2, READ, AT(8)), T(2, POST, X(2)),
                                    T(0, WAIT, X(2)), T(0, WRITE, AT(8))};
    assert_story((struct gl_explain_plan){.byte = 8, .then = 1, .now = 6, .then_thread = 1}, late, COUNT(late),
                 "1 1 first {T1}\n2 0 {T1 s1}\n3 1 harmless beside {T1 s1}\n6 check 1 ordered {T2 s2 T0}\n6 1 race {T0}\n");
}

/* ---- the pair of a race ---- */

static void pair(void **state)
{
    (void)state;
    /* T1 writes under m1; T2 takes m2, which T1 released before, and m1 only too early */
    const struct gl_event e[] = {
        T(1, ACQ, X(2)), T(1, REL, X(2)),   T(1, ACQ, X(1)), T(1, RDLOCK, X(7)), T(1, WRITE, AT(8)), T(1, RDUNLOCK, X(7)),
        T(1, REL, X(1)), T(1, VOLWRITE, X(3)), T(2, ACQ, X(2)), T(2, VOLREAD, X(4)), T(2, RDLOCK, X(7)), T(2, WRITE, AT(8)),
    };
    struct gl_explain_plan quiet = {.byte = 9};
    struct told t;
    tell(&t, quiet, e, COUNT(e));
    struct gl_access_at now, then, last;
    assert_int_equal(t.last, GL_RACE);
    assert_true(gl_explain_race(t.w, &now, &then));
    assert_int_equal(now.record, 12);
    assert_int_equal(now.thread, 2);
    assert_int_equal(then.record, 5);
    assert_true(now.write && then.write && !now.atomic);
    assert_int_equal(gl_explain_accesses(t.w, &last), 2);
    assert_int_equal(last.record, 12);
    told_free(&t);

    tell(&t, (struct gl_explain_plan){.byte = 9, .now = 12, .then = 5, .now_thread = 2, .then_thread = 1}, e, COUNT(e));
    char text[TEXT] = "";
    size_t n = 0;
    for (size_t i = 0; i < gl_explain_chance_count(t.w); i++) {
        struct gl_chance c = gl_explain_chance(t.w, i);
        n += print_element(text + n, sizeof text - n, c.element);
        n += (size_t)snprintf(text + n, sizeof text - n, " %d %d %d\n", (int)c.joined, (int)c.sourced, (int)c.sunk);
    }
    assert_string_equal(text, "T1 5 0 0\nr7 6 6 0\nm1 7 7 0\nv3 8 8 0\nm2 0 2 9\nw7 0 0 11\nv4 0 0 10\n");
    assert_int_equal(gl_explain_held_count(t.w, false), 2);
    assert_int_equal(gl_explain_held(t.w, false, 0).kind, GL_ELEMENT_MUTEX);
    assert_int_equal(gl_explain_held(t.w, false, 1).kind, GL_ELEMENT_RW_READERS);
    assert_int_equal(gl_explain_held_count(t.w, true), 2);
    assert_int_equal(gl_explain_held(t.w, true, 0).object, 2);
    assert_int_equal(gl_explain_held(t.w, true, 1).object, 7);
    told_free(&t);
}

/* ---- against the oracle ---- */

/* Walks one byte of the execution: its first race in each life is found, and none is invented. */
static size_t judge_byte(const struct execution *x, const struct oracle *o, uint64_t byte)
{
    struct fake_env env;
    fake_env_init(&env);
    struct gl_explain_plan plan = {.byte = byte};
    struct gl_explain *w = gl_explain_create(&env.env, &plan);
    size_t races = 0;
    for (size_t i = 0; i < x->n; i++) {
        const struct gl_event *e = &x->event[i];
        gl_status status = gl_explain_event(w, e, i + 1);
        struct oracle_verdict v = oracle_verdict(o, i);
        bool first = false, possible = false;
        for (unsigned bit = 0; bit < 64; bit++)
            if ((v.races >> bit & 1) && event_byte(e, bit) == byte) {
                possible = true;
                first = first || (v.first >> bit & 1);
            }
        if ((first && status != GL_RACE) || (status == GL_RACE && !possible) || (status != GL_OK && status != GL_RACE)) {
            execution_print(x, stderr);
            fail_msg("byte 0x%lx, event %zu: status %d, oracle says %s", (unsigned long)byte, i + 1, (int)status,
                     first ? "first race" : possible ? "may race" : "no race");
        }
        struct gl_access_at now, then;
        if (status == GL_RACE) {
            races++;
            assert_true(gl_explain_race(w, &now, &then));
            assert_int_equal(now.record, i + 1);
            assert_true(oracle_is_race(o, byte, i, then.record - 1, then.write, then.atomic));
        }
    }
    gl_explain_destroy(w);
    assert_true(fake_env_is_clean(&env));
    return races;
}

static void random_executions(void **state)
{
    (void)state;
    struct generator *g = generator_new();
    struct oracle *o = oracle_new(GENERATE_MAX);
    struct execution x;
    execution_init(&x, GENERATE_MAX);
    uint64_t runs = env_number("GL_RUNS", 40), races = 0;
    for (size_t p = 0; p < n_profiles; p++)
        for (uint64_t seed = 1; seed <= runs; seed++) {
            generate(g, &profiles[p], seed, &x);
            oracle_run(o, &x);
            uint64_t seen[64], n = 0;
            for (size_t i = 0; i < x.n && n < 64; i++) { /* the lowest bytes of accesses, each once */
                const struct gl_event *e = &x.event[i];
                bool access = (gl_op_class(e->op) == GL_CLASS_DATA || gl_op_class(e->op) == GL_CLASS_ATOMIC) && e->size;
                if (!access && e->op != GL_OP_COMMIT)
                    continue;
                uint64_t byte = event_byte(e, 0);
                bool known = e->op == GL_OP_COMMIT && !(e->n_reads + e->n_writes);
                for (uint64_t k = 0; k < n; k++)
                    known = known || seen[k] == byte;
                if (!known)
                    seen[n++] = byte;
            }
            for (uint64_t k = 0; k < n; k++)
                races += judge_byte(&x, o, seen[k]);
        }
    assert_true(races > runs);
    execution_fini(&x);
    oracle_delete(o);
    generator_delete(g);
}

/* ---- bad input, no memory ---- */

static void impossible(void **state)
{
    (void)state;
    struct told t;
    const struct gl_event e[] = {T(1, ACQ, X(1)), T(2, ACQ, X(1)), T(2, REL, X(1)), T(2, BAR_OUT, X(1)), T(1, READ, X(1))};
    tell(&t, (struct gl_explain_plan){.byte = 8}, e, 1);
    assert_int_equal(t.last, GL_OK);
    for (size_t i = 1; i < COUNT(e); i++)
        assert_int_equal(gl_explain_event(t.w, &e[i], i + 1), GL_INVALID);
    assert_string_equal(t.text, "");
    told_free(&t);
}

static void no_memory(void **state)
{
    (void)state;
    enum { EVENTS = 1500 };
    unsigned long failed = 0;
    for (unsigned long fail_at = 1;; fail_at++) {
        struct fake_env env;
        fake_env_init(&env);
        env.fail_at = fail_at;
        env.fail_from = true;
        struct gl_explain_plan plan = {.byte = 8};
        struct gl_explain *w = gl_explain_create(&env.env, &plan);
        gl_status status = w ? GL_OK : GL_NOMEM;
        for (uint32_t i = 0; i < EVENTS && status == GL_OK; i++) {
            const struct gl_event e[] = {T(1, WRITE, AT(8)), T(1, POST, X(i)), T(1, ACQ, X(i))};
            status = gl_explain_event(w, &e[i == 0 ? 0 : 1 + i % 2], i + 1);
        }
        if (w)
            gl_explain_destroy(w);
        assert_true(fake_env_is_clean(&env));
        if (status == GL_OK)
            break;
        assert_int_equal(status, GL_NOMEM);
        failed++;
    }
    assert_true(failed > 4);
}

/* A set of thousands keeps its order of joining. */
static void large_set(void **state)
{
    (void)state;
    enum { N = 5000 };
    struct fake_env env;
    fake_env_init(&env);
    struct gl_explain_plan plan = {.byte = 8, .now = N + 2, .then = 1, .now_thread = 2, .then_thread = 1};
    struct gl_explain *w = gl_explain_create(&env.env, &plan);
    const struct gl_event first = T(1, WRITE, AT(8)), last = T(2, WRITE, AT(8));
    assert_int_equal(gl_explain_event(w, &first, 1), GL_OK);
    for (uint32_t i = 0; i < N; i++) {
        const struct gl_event e = T(1, POST, X(N - i));
        assert_int_equal(gl_explain_event(w, &e, i + 2), GL_OK);
    }
    assert_int_equal(gl_explain_event(w, &last, N + 2), GL_RACE);
    assert_int_equal(gl_explain_chance_count(w), N + 1);
    for (size_t i = 1; i <= N; i++) {
        assert_int_equal(gl_explain_chance(w, i).element.object, N - i + 1);
        assert_int_equal(gl_explain_chance(w, i).joined, i + 1);
    }
    gl_explain_destroy(w);
    assert_true(fake_env_is_clean(&env));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intbox),     cmocka_unit_test(task_queue),      cmocka_unit_test(cacm),
        cmocka_unit_test(elements),   cmocka_unit_test(unordered_reads), cmocka_unit_test(pair),
        cmocka_unit_test(random_executions), cmocka_unit_test(impossible), cmocka_unit_test(no_memory),
        cmocka_unit_test(large_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
