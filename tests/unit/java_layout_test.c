/* SPDX-License-Identifier: Apache-2.0
 *
 * Long jumps and switches in rewritten code, what is too large, and bytes that are no class.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/java_policy.h"

/* ---- jumps --------------------------------------------------------------------------------------------------------------- */

static void loads(struct maker *m, int n) /* 3 bytes each, which become 8 */
{
    unsigned field = own_field(m, 8, "f", "I");
    for (int i = 0; i < n; i++)
        op2(m, 0xb2, field);
}

/* A jump at 0 over `n` loads and a return to a mark, `sipush 4711`; its target is checked after the rewriting. */
static void jump_over(unsigned major, unsigned opcode, int n)
{
    struct maker *m = make(major, 8, "m", "([I)V");
    op2(m, opcode, 3u * (unsigned)n + 4);
    loads(m, n);
    op(m, 0xb1);
    op2(m, 0x11, 4711);
    op(m, 0xb1);
    if (major >= 50) {
        struct bytes frames = {.n = 0};
        b2(&frames, 1);
        b1(&frames, 251);
        b2(&frames, 3u * (unsigned)n + 4);
        attribute(m, "StackMapTable", &frames);
    }
    struct gl_jbytes out = rewritten(m);
    assert_int_equal(now.skipped, 0);
    struct view *v = look(out.at, out.n, "m");
    const uint8_t *p = v->c.code;
    assert_int_equal(*p, opcode == 0xa7 ? 0xc8 : 0xc9);
    uint32_t to = gl_jget4(p + 1);
    assert_int_equal(p[to], 0x11);
    assert_int_equal(gl_jget2(p + to + 1), 4711);
    unlook(v);
    free(out.at);
}

static void test_long_goto(void **state)
{
    (void)state;
    jump_over(48, 0xa7, 5000);
    jump_over(48, 0xa8, 5000);
    jump_over(52, 0xa7, 5000);
}

/* There is a place behind a return; the return is near enough, since the jump's own end is not. */
static void test_long_conditional(void **state)
{
    (void)state;
    struct maker *m = make(52, 8, "m", "(Z)V");
    op(m, 3);
    op2(m, 0x99, 3 + 3 * 1500 + 1 + 3 * 3000); /* 1 */
    loads(m, 1500);
    op(m, 0xb1);        /* 4504 */
    loads(m, 3000);     /* 4505: dead without a frame, or another jump's target */
    op2(m, 0x11, 4711); /* 13505 */
    op(m, 0xb1);
    struct bytes frames = {.n = 0};
    b2(&frames, 2);
    b1(&frames, 251);
    b2(&frames, 4505);
    b1(&frames, 252); /* one variable more: so the trampoline's frame differs from the next one */
    b2(&frames, 13505 - 4505 - 1);
    b1(&frames, 2);
    attribute(m, "StackMapTable", &frames);
    struct gl_jbytes out = rewritten(m);
    assert_int_equal(now.skipped, 0);
    struct view *v = look(out.at, out.n, "m");
    const uint8_t *p = v->c.code;
    uint32_t to = 1 + gl_jget2(p + 2);
    assert_int_equal(p[to - 1], 0xb1); /* behind the return */
    assert_int_equal(p[to], 0xc8);
    uint32_t target = to + gl_jget4(p + to + 1);
    assert_int_equal(p[target], 0x11);
    char *text = frames_of(v), want[100];
    snprintf(want, sizeof want, "%u:12/ %u:1/ %u:12/", to, to + 5, target);
    assert_string_equal(text, want);
    free(text);
    unlook(v);
    free(out.at);
}

/* Where a frame is, a trampoline can lie, too; a goto leads over it. */
static void test_trampoline_in_the_way(void **state)
{
    (void)state;
    for (unsigned major = 48; major <= 52; major += 4) {
        struct maker *m = make(major, 8, "m", "(Z)V");
        op(m, 3);
        op2(m, 0x99, 3 + 3 * 1500 + 3 * 3000); /* 1 */
        loads(m, 1500);
        loads(m, 3000);     /* 4504: a frame */
        op2(m, 0x11, 4711); /* 13504 */
        op(m, 0xb1);
        if (major >= 50) {
            struct bytes frames = {.n = 0};
            b2(&frames, 2);
            b1(&frames, 251);
            b2(&frames, 4504);
            b1(&frames, 251);
            b2(&frames, 13504 - 4504 - 1);
            attribute(m, "StackMapTable", &frames);
        }
        struct gl_jbytes out = rewritten(m);
        assert_int_equal(now.skipped, 0);
        struct view *v = look(out.at, out.n, "m");
        const uint8_t *p = v->c.code;
        uint32_t jump =
            p[1] == 0x99 ? 1 : 9; /* without frames, the nearest place is before the jump itself */
        assert_int_equal(p[jump], 0x99);
        uint32_t to = jump + (uint32_t)(int16_t)gl_jget2(p + jump + 1);
        assert_int_equal(p[to - 3], 0xa7);
        assert_int_equal(gl_jget2(p + to - 2), 8); /* over itself and the trampoline */
        assert_int_equal(p[to], 0xc8);
        assert_int_equal(p[to + gl_jget4(p + to + 1)], 0x11);
        unlook(v);
        free(out.at);
    }
}

static void test_no_place_for_a_trampoline(void **state)
{
    (void)state;
    struct maker *m = make(52, 8, "m", "(Z)V");
    op(m, 3);
    op2(m, 0x99, 3 + 3 * 4500);
    loads(m, 4500);
    op(m, 0xb1);
    struct bytes frames = {.n = 0};
    b2(&frames, 1);
    b1(&frames, 251);
    b2(&frames, 4 + 3 * 4500);
    attribute(m, "StackMapTable", &frames);
    expect_nothing(m);
    assert_int_equal(now.skipped, 1);
}

static void test_switch_padding(void **state)
{
    (void)state;
    for (unsigned shift = 0; shift < 4; shift++)
        for (unsigned table = 0; table < 2; table++) {
            struct maker *m = make(48, 8, "m", "([I)V");
            for (unsigned i = 0; i < shift; i++)
                op(m, 0);
            loads(m, 1);
            uint32_t at = (uint32_t)m->code.n;
            op(m, table ? 0xaa : 0xab);
            while (m->code.n % 4)
                op(m, 0);
            uint32_t size = (uint32_t)m->code.n + 12 + (table ? 8 : 12) - at;
            b4(&m->code, size + 3); /* default */
            b4(&m->code, table ? 5 : 2);
            b4(&m->code, table ? 6 : 0);
            if (table) {
                b4(&m->code, size);
                b4(&m->code, size + 3);
            } else { /* the third number above was the first match; its jump, and the second pair */
                b4(&m->code, size);
                b4(&m->code, 9);
                b4(&m->code, size + 3);
            }
            loads(m, 1);
            op2(m, 0x11, 4711);
            op(m, 0xb1);
            struct gl_jbytes out = rewritten(m);
            struct view *v = look(out.at, out.n, "m"); /* which checks that the length is right */
            uint32_t pc = at + 5;
            const uint8_t *p = v->c.code, *n = p + ((pc + 4) & ~3u);
            assert_int_equal(p[pc], table ? 0xaa : 0xab);
            assert_int_equal(p[pc + gl_jget4(n)], 0x11);
            assert_int_equal(p[pc + gl_jget4(n + 12)], 0x10);
            assert_int_equal(p[pc + gl_jget4(n + (table ? 16 : 20))], 0x11);
            unlook(v);
            free(out.at);
        }
}

/* ---- limits ---------------------------------------------------------------------------------------------------------------- */

static void test_too_long(void **state)
{
    (void)state;
    struct maker *m = make(48, 8, "m", "([I)V");
    for (int i = 0; i < 8000; i++) {
        op(m, 0x2a);
        op(m, 3);
        op(m, 0x2e); /* becomes 9 bytes */
    }
    op(m, 0xb1);
    own_field(m, PLAIN, "f", "I");
    struct gl_jbytes out = rewritten(m);
    assert_int_equal(now.skipped, 1);
    struct view *v = look(out.at, out.n, "m");
    assert_int_equal(v->c.n, 24001); /* the method stays; the class has its shadows */
    assert_int_equal(v->f.n_fields, 3);
    assert_int_equal(v->f.n_pool, 16 + 3); /* nothing of what the method had added to the constants */
    unlook(v);
    free(out.at);
}

static void test_many_constants(void **state)
{
    (void)state;
    for (unsigned left = 0; left < 14; left++) {
        struct maker *m = make(52, 8, "m", "([I)V");
        unsigned ref = own_field(m, STATIC, "f", "I");
        while (m->n_pool < 65535 - 5 - left) /* made() adds five */
            utf8(m, "");
        op2(m, 0xb2, ref);
        op(m, 0xb1);
        now.skipped = 0;
        struct gl_jbytes out = rewritten(m);
        assert_int_equal(now.skipped, out.at ? 0 : 1);
        assert_int_equal(out.at != NULL, left >= 6); /* R, its class, sread, (I)V, the pair, the method */
        if (out.at)
            expect_code(&out, "m", "bipush 7; invokestatic R.sread(I)V; getstatic X.f; return");
        free(out.at);
    }
}

/* ---- hostile ------------------------------------------------------------------------------------------------------------------ */

static void try_it(const uint8_t *at, size_t n)
{
    uint8_t *exact = malloc(n ? n : 1); /* so that a sanitizer sees the end */
    memcpy(exact, at, n);
    struct gl_jbytes out = {0};
    char error[GL_JERROR_BYTES];
    int result = gl_jrewrite(exact, n, &policy, &out, error);
    assert_true(result != GL_JR_MALFORMED || error[0]);
    if (result == GL_JR_REWRITTEN) {
        struct gl_jscan scan = {0};
        assert_int_equal(gl_jclass_scan(out.at, out.n, &scan, error), 0);
    }
    free(out.at);
    free(exact);
}

/* Rewrites; it must be malformed, and say this. */
static void refused(struct maker *m, const char *sentence)
{
    struct bytes *in = made(m);
    struct gl_jbytes out = {0};
    char error[GL_JERROR_BYTES];
    assert_int_equal(gl_jrewrite(in->at, in->n, &policy, &out, error), GL_JR_MALFORMED);
    if (!strstr(error, sentence))
        fail_msg("%s", error);
    free(in);
}

static struct maker *reading(const char *desc, unsigned max_locals)
{
    struct maker *m = make(52, 8, "m", desc);
    m->max_locals = max_locals;
    op2(m, 0xb2, own_field(m, STATIC, "f", "I"));
    op(m, 0xb1);
    return m;
}

/* What no virtual machine takes, and what would make what is written malformed or its own second reading another one. */
static void test_refused(void **state)
{
    (void)state;
    struct maker *m = reading("()V", 0);
    m->this_class = class_of(m, "X;Y");
    refused(m, "a name that no descriptor can hold");
    static const uint8_t of_one_long[64] = {0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 2, 5}; /* it takes indices 1 and 2, of 0 and 1 */
    struct gl_jscan scan = {0};
    char error[GL_JERROR_BYTES];
    assert_int_equal(gl_jclass_scan(of_one_long, sizeof of_one_long, &scan, error), -1);
    assert_non_null(strstr(error, "takes an index too many"));
    free(rewritten(reading("(JI)V", 3)).at);
    refused(reading("(JI)V", 2), "more arguments than variables");
    m = reading("()V", 0);
    struct bytes *table = &m->attributes;
    b2(table, utf8(m, "StackMapTable"));
    b4(table, 2 + 4);
    b2(table, 1);
    b1(table, 252); /* one more variable */
    b2(table, 0);
    b1(table, 1);
    m->n_attributes = 1;
    refused(m, "more variables than the method");
}

static void test_hostile(void **state)
{
    (void)state;
    policy.skipped = NULL;
    policy.checked = NULL;
    policy.class_id = NULL;
    struct bytes *in = made(constructor(52));
    for (size_t n = 0; n < in->n; n++) {
        struct gl_jbytes out = {0};
        char error[GL_JERROR_BYTES];
        uint8_t *exact = malloc(n ? n : 1);
        memcpy(exact, in->at, n);
        assert_int_equal(gl_jrewrite(exact, n, &policy, &out, error), GL_JR_MALFORMED);
        assert_true(strlen(error) > 10);
        assert_null(out.at);
        free(exact);
    }
    for (size_t i = 0; i < in->n; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            in->at[i] ^= (uint8_t)(1u << bit);
            try_it(in->at, in->n);
            in->at[i] ^= (uint8_t)(1u << bit);
        }
    for (size_t i = 0; i < in->n; i++)
        for (unsigned value = 0; value < 256; value += 51) {
            uint8_t old = in->at[i];
            in->at[i] = (uint8_t)value;
            try_it(in->at, in->n);
            in->at[i] = old;
        }
    free(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, set_up)
        TEST(test_long_goto),
        TEST(test_long_conditional),
        TEST(test_trampoline_in_the_way),
        TEST(test_no_place_for_a_trampoline),
        TEST(test_switch_padding),
        TEST(test_too_long),
        TEST(test_many_constants),
        TEST(test_refused),
        TEST(test_hostile),
#undef TEST
    };
    return cmocka_run_group_tests_name("java_layout", tests, NULL, NULL);
}
