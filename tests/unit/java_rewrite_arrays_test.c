/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rewriter makes of methods made by hand that use arrays and monitors: probes, shadows and threads kept in variables, handlers that
 * unlock.  (Fields, constructors and tables: java_rewrite_test.c.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/java_policy.h"
/* ---- arrays, monitors ---------------------------------------------------------------------------------------------- */

static void expect_array(unsigned opcode, const char *want)
{
    struct maker *m = make(52, 0, "m", "()V");
    op(m, opcode);
    op(m, 0xb1);
    expect(m, want);
}

static void test_arrays(void **state)
{
    (void)state;
    expect_array(0x2e,
                 "dup2; " THREAD "bipush 7; invokestatic R.aread([IILgoldilocks/rt/T;I)V; iaload; return");
    expect_array(0x2f,
                 "dup2; " THREAD "bipush 7; invokestatic R.aread([JILgoldilocks/rt/T;I)V; laload; return");
    expect_array(0x33,
                 "dup2; " THREAD
                 "bipush 7; invokestatic R.areadB(Ljava/lang/Object;ILgoldilocks/rt/T;I)V; baload; return");
    expect_array(0x4f, "dup_x2; pop; dup2_x1; " THREAD
                       "bipush 7; invokestatic R.awrite([IILgoldilocks/rt/T;I)V; iastore; return");
    expect_array(0x50, "dup2_x2; pop2; dup2_x2; " THREAD
                       "bipush 7; invokestatic R.awrite([JILgoldilocks/rt/T;I)V; lastore; return");
    expect_array(0x53,
                 "dup_x2; pop; dup2_x1; dup2_x1; pop2; dup_x2; " THREAD
                 "bipush 7; invokestatic R.awrite([Ljava/lang/Object;ILjava/lang/Object;Lgoldilocks/rt/T;I)V; aastore; return");
    assert_string_equal(now.last.desc, "[Ljava/lang/Object;");
}

/* m([I int, [I): a loop in which an element is read; then a store to the array's variable and `after`. */
static struct maker *loop_over_array(unsigned after)
{
    struct maker *m = make(52, 8, "m", "([II[I)V");
    op(m, 0x2a);         /* 0: aload_0 */
    op(m, 0x1b);         /* iload_1 */
    op(m, 0x2e);         /* 2: iaload */
    op2(m, 0x99, 6);     /* ifeq 9 */
    op2(m, 0xa7, 65530); /* goto 0 */
    op(m, 0x2c);         /* 9: aload_2 */
    op(m, after);        /* 10 */
    op(m, 0xb1);
    struct bytes frames = {.n = 0};
    b2(&frames, 2);
    b1(&frames, 0); /* 0: same */
    b1(&frames, 8); /* 9: same */
    attribute(m, "StackMapTable", &frames);
    return m;
}

/* What finds the shadow of the array that is loaded so, and probes that use it. */
#define SHADOW     "aload 8; invokestatic R.shadow(Ljava/lang/Object;Lgoldilocks/rt/T;)[J; "
#define KEPT_READ  "dup2; aload 9; aload 8; bipush 7; invokestatic R.areadInner([II[JLgoldilocks/rt/T;I)V; iaload; "
#define NONE       "aconst_null; astore 9; "
#define KEPT_BEGIN THREAD "astore 8; aload 0; " SHADOW "astore 9; "

/* In a method with a loop the shadow of the array in variable 0 is kept in a variable behind all others, and those of arrays that get there. */
static void test_kept_shadows(void **state)
{
    (void)state;
    struct gl_jbytes out = rewritten(loop_over_array(0x4b));
    struct view *v = look(out.at, out.n, "m");
    char *text = text_of(v), *frames = frames_of(v);
    assert_string_equal(text, KEPT_BEGIN "aload 2; " SHADOW "astore 10; aload_0; iload_1; " KEPT_READ
                                         "ifeq ->42; goto ->23; aload_2; " NONE "astore_0; aload 10; astore 9; return");
    assert_int_equal(v->c.max_locals, 11);
    assert_string_equal(frames,
                        "23:71700000777/ 42:71700000777/"); /* the arguments, five that are not used, ours */
    free(text);
    free(frames);
    unlook(v);
    free(out.at);
    /* Another variable is stored to. */
    expect(loop_over_array(0x4c), KEPT_BEGIN "aload_0; iload_1; " KEPT_READ
                                             "ifeq ->33; goto ->14; aload_2; astore_1; return");
}

/* m([I int, [I): a loop in which an element is read from variable 0, and what `n` bytes of code make is stored there.  The frame behind them has
 * `types` on the stack. */
static struct maker *store_in_loop(const uint8_t *code, size_t n, const uint8_t *types, size_t n_types)
{
    struct maker *m = make(52, 8, "m", "([II[I)V");
    op(m, 0x2a); /* 0: aload_0 */
    op(m, 0x1b); /* iload_1 */
    op(m, 0x2e); /* iaload */
    op(m, 0x57); /* pop */
    for (size_t k = 0; k < n; k++)
        op(m, code[k]);
    op(m, 0x4b);                            /* 4 + n: astore_0 */
    op2(m, 0xa7, (uint16_t)(65536 - 5 - n)); /* goto 0 */
    struct bytes frames = {.n = 0};
    b2(&frames, n_types ? 2 : 1);
    b1(&frames, 0); /* 0: same */
    if (n_types) {
        b1(&frames, (unsigned)(64 + 3 + n)); /* 4 + n: one on the stack */
        for (size_t k = 0; k < n_types; k++)
            b1(&frames, types[k]);
    }
    attribute(m, "StackMapTable", &frames);
    return m;
}

#define STORE_BEGIN KEPT_BEGIN "aload_0; iload_1; " KEPT_READ "pop; "

/* What is stored there is looked up, but not what no method may get. */
static void test_kept_stores(void **state)
{
    (void)state;
    static const uint8_t element[] = {0x2c, 3, 0x32}, made[] = {0xbb, 0, 0}, joined[] = {0xbb, 0, 0, 0xa7, 0, 3},
                         raw[] = {8, 0, 4}, array[] = {6, 0xbc, 10};
    expect(store_in_loop(array, sizeof array, NULL, 0), STORE_BEGIN "iconst_3; bc; dup; " SHADOW "5f; " NONE "astore_0; astore 9; goto ->14");
    expect(store_in_loop(element, sizeof element, NULL, 0),
           KEPT_BEGIN "aload 2; " SHADOW "astore 10; aload_0; iload_1; " KEPT_READ
                      "pop; aload_2; iconst_0; dup2; aload 10; aload 8; bipush 7; invokestatic "
                      "R.areadInner([Ljava/lang/Object;I[JLgoldilocks/rt/T;I)V; 32; dup; " SHADOW "5f; " NONE "astore_0; astore 9; goto ->23");
    expect(store_in_loop(made, sizeof made, NULL, 0), STORE_BEGIN "new; " NONE "astore_0; goto ->14");
    /* It is on the stack where control joins: the frame says what it is. */
    expect(store_in_loop(joined, sizeof joined, raw, sizeof raw), STORE_BEGIN "new; goto ->34; " NONE "astore_0; goto ->14");
}

/* Each frame would name all variables below: of a method with very many, nothing is kept. */
static void test_kept_below(void **state)
{
    (void)state;
    for (unsigned locals = 255; locals <= 256; locals++) {
        struct maker *m = loop_over_array(0x4b);
        m->max_locals = locals;
        struct gl_jbytes out = rewritten(m);
        struct view *v = look(out.at, out.n, "m");
        assert_int_equal(v->c.max_locals, 256);
        unlook(v);
        free(out.at);
    }
}

/* A method that uses the thread twice keeps it in a variable, before those of shadows. */
static void test_kept_thread(void **state)
{
    (void)state;
    struct maker *m = make(52, 8, "m", "([II[I)V");
    op(m, 0x2a);         /* 0: aload_0 */
    op(m, 0x1b);         /* iload_1 */
    op(m, 0x2e);         /* 2: iaload */
    op(m, 0x2a);         /* aload_0 */
    op(m, 0x1b);         /* iload_1 */
    op(m, 0x2e);         /* 5: iaload */
    op(m, 0x58);         /* pop2 */
    op2(m, 0xa7, 65529); /* 7: goto 0 */
    struct bytes frames = {.n = 0};
    b2(&frames, 1);
    b1(&frames, 0); /* 0: same */
    attribute(m, "StackMapTable", &frames);
    struct gl_jbytes out = rewritten(m);
    struct view *v = look(out.at, out.n, "m");
    char *text = text_of(v), *types = frames_of(v);
    assert_string_equal(text, KEPT_BEGIN "aload_0; iload_1; " KEPT_READ "aload_0; iload_1; " KEPT_READ
                                         "pop2; goto ->14");
    assert_int_equal(v->c.max_locals, 10);
    assert_string_equal(types, "14:7170000077/");
    free(text);
    free(types);
    unlook(v);
    free(out.at);

    unsigned ref =
        own_field(m = make(52, 8, "m", "(LX;)V"), PLAIN, "f", "I"); /* not for a field that is not probed */
    op2(m, 0xb4, ref);
    op2(m, 0xb4, own_field(m, FINAL, "g", "I"));
    op(m, 0xb1);
    expect(m, "dup; " THREAD
              "bipush 7; invokestatic X.$glr$f(LX;Lgoldilocks/rt/T;I)V; getfield X.f; getfield X.g; return");
}

/* How often a probe's name is called in what the rewriter makes of the method. */
static unsigned calls(struct maker *m, const char *name)
{
    struct gl_jbytes out = rewritten(m);
    struct view *v = look(out.at, out.n, "m");
    char *text = text_of(v);
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, name)); at++)
        n++;
    free(text);
    unlook(v);
    free(out.at);
    return n;
}

/* m([I int, [J, [B): an outer loop that writes an element, and an inner one that reads `n` elements of each array. */
static struct maker *nested_loops(unsigned n)
{
    struct maker *m = make(52, 8, "m", "([II[J[B)V");
    op(m, 0x2a); /* 0: aload_0 */
    op(m, 0x1b); /* iload_1 */
    op(m, 0x1b); /* iload_1 */
    op(m, 0x4f); /* 3: iastore */
    uint32_t inner = 4;
    for (unsigned k = 0; k < n; k++) {
        op(m, 0x2c); /* aload_2 */
        op(m, 0x1b); /* iload_1 */
        op(m, 0x2f); /* laload */
        op(m, 0x58); /* pop2 */
        op(m, 0x2d); /* aload_3 */
        op(m, 0x1b); /* iload_1 */
        op(m, 0x33); /* baload */
        op(m, 0x57); /* pop */
    }
    op(m, 0x1b);                 /* iload_1 */
    op2(m, 0x99, 65535 - 8 * n); /* ifeq inner */
    op(m, 0x1b);
    op2(m, 0x99, 65527 - 8 * n); /* ifeq 0 */
    op(m, 0xb1);
    struct bytes frames = {.n = 0};
    b2(&frames, 2);
    b1(&frames, 0);         /* 0: same */
    b1(&frames, inner - 1); /* 4: same */
    attribute(m, "StackMapTable", &frames);
    return m;
}

/* More is put in place in loops that have none inside, of elements with cells of their own, if there are few. */
static void test_inner_loops(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 9; n++) {
        bool few = n <= 8;
        assert_int_equal(calls(nested_loops(n), "R.areadInner([J"), few ? n : 0);
        assert_int_equal(calls(nested_loops(n), "R.aread([JI[J"), few ? 0 : n);
        assert_int_equal(calls(nested_loops(n), "R.areadB(Ljava/lang/Object;I[J"), n);
        assert_int_equal(calls(nested_loops(n), "R.awrite([II[J"), 1);
        assert_int_equal(calls(nested_loops(n), "Inner"), few ? n : 0);
    }
}

/* What is not known to be the array in the variable is asked for in the old way. */
static void test_not_kept(void **state)
{
    (void)state;
    struct maker *m = make(52, 8, "m", "([II[I)V");
    op(m, 0x2a); /* 0: aload_0 */
    op(m, 0x2c); /* aload_2 */
    op(m, 0x4b); /* 2: astore_0: what lies on the stack is not in the variable any more */
    op(m, 0x1b);
    op(m, 0x2e); /* 4: iaload */
    op(m, 0x57);
    op2(m, 0xa7, 65530); /* 6: goto 0 */
    struct bytes frames = {.n = 0};
    b2(&frames, 1);
    b1(&frames, 0); /* 0: same */
    attribute(m, "StackMapTable", &frames);
    expect(m, "aload_0; aload_2; astore_0; iload_1; dup2; " THREAD
              "bipush 7; invokestatic R.aread([IILgoldilocks/rt/T;I)V; iaload; pop; goto ->0");

    m = make(52, 8, "m", "([II[I)V"); /* either of two arrays */
    op(m, 0x1b);         /* 0: iload_1 */
    op2(m, 0x99, 7);     /* 1: ifeq 8 */
    op(m, 0x2a);         /* 4: aload_0 */
    op2(m, 0xa7, 4);     /* 5: goto 9 */
    op(m, 0x2c);         /* 8: aload_2 */
    op(m, 0x1b);         /* 9: iload_1 */
    op(m, 0x2e);         /* 10: iaload */
    op(m, 0x57);         /* 11: pop */
    op2(m, 0xa7, 65524); /* 12: goto 0 */
    frames.n = 0;
    b2(&frames, 3);
    b1(&frames, 0);      /* 0: same */
    b1(&frames, 7);      /* 8: same */
    b1(&frames, 64);     /* 9: an array on the stack */
    b1(&frames, 7);
    b2(&frames, class_of(m, "[I"));
    attribute(m, "StackMapTable", &frames);
    expect(m, "iload_1; ifeq ->8; aload_0; goto ->9; aload_2; iload_1; dup2; " THREAD
              "bipush 7; invokestatic R.aread([IILgoldilocks/rt/T;I)V; iaload; pop; goto ->0");
}

/* A new array in variable `at`, of which an element is read; then `more`, and return. */
static struct maker *array_in(unsigned at, const uint8_t *more, size_t n)
{
    struct maker *m = make(52, 8, "m", "([I)V");
    op(m, 6);         /* iconst_3 */
    op1(m, 0xbc, 10); /* newarray int */
    op(m, 0x4b + at); /* astore */
    op(m, 0x2a + at); /* aload */
    op(m, 3);
    op(m, 0x2e); /* iaload */
    op(m, 0x57);
    for (size_t k = 0; k < n; k++)
        op(m, more[k]);
    op(m, 0xb1);
    return m;
}

#define NOT_ALONE                                                                                            \
    "iconst_3; bc; astore_1; aload_1; iconst_0; dup2; " THREAD                                               \
    "bipush 7; invokestatic R.aread([IILgoldilocks/rt/T;I)V; iaload; pop; "

/* Arrays that never leave the method need no probes. */
static void test_arrays_alone(void **state)
{
    (void)state;
    static const uint8_t length[] = {0x2b, 0xbe, 0x57}, copied[] = {0x2b, 0x4d}, mixed[] = {0x2a, 0x4c},
                         kept[] = {0x2a, 3, 0x2b, 0x53}, thrown[] = {0x2b, 0xbf};
    expect_nothing(array_in(1, NULL, 0));
    expect_nothing(array_in(1, length, sizeof length));
    expect(array_in(1, copied, sizeof copied), NOT_ALONE "aload_1; 4d; return");
    expect(array_in(1, mixed, sizeof mixed), NOT_ALONE "aload_0; astore_1; return");
    expect(array_in(1, thrown, sizeof thrown), NOT_ALONE "aload_1; athrow; return");
    expect(
        array_in(1, kept, sizeof kept), THREAD
        "astore 8; iconst_3; bc; astore_1; aload_1; iconst_0; dup2; aload 8; bipush 7; "
        "invokestatic R.aread([IILgoldilocks/rt/T;I)V; iaload; pop; aload_0; iconst_0; aload_1; dup_x2; pop; "
        "dup2_x1; dup2_x1; pop2; dup_x2; aload 8; bipush 7; "
        "invokestatic R.awrite([Ljava/lang/Object;ILjava/lang/Object;Lgoldilocks/rt/T;I)V; "
        "aastore; return");
    expect(array_in(0, NULL, 0), /* the caller's array was there */
           "iconst_3; bc; astore_0; aload_0; iconst_0; dup2; " THREAD
           "bipush 7; invokestatic R.aread([IILgoldilocks/rt/T;I)V; iaload; "
           "pop; return");

    struct maker *m = make(52, 8, "m", "()V"); /* its values are stored before it is in a variable */
    op(m, 4);
    op1(m, 0xbc, 10);
    op(m, 0x59);
    op(m, 3);
    op(m, 4);
    op(m, 0x4f);
    op(m, 0x4b);
    op(m, 0xb1);
    expect_nothing(m);
    m = make(52, 8, "m", "()[I"); /* or returned */
    op(m, 4);
    op1(m, 0xbc, 10);
    op(m, 0x59);
    op(m, 3);
    op(m, 4);
    op(m, 0x4f);
    op(m, 0xb0);
    expect(m, "iconst_1; bc; dup; iconst_0; iconst_1; dup_x2; pop; dup2_x1; " THREAD "bipush 7; invokestatic "
              "R.awrite([IILgoldilocks/rt/T;I)V; iastore; areturn");
}

static void test_monitors(void **state)
{
    (void)state;
    struct maker *m = make(52, 0, "m", "()V");
    op(m, 0x2b);
    op(m, 0xc2);
    op(m, 0); /* 2: the range begins here, as javac's does */
    op(m, 0x2b);
    op(m, 0xc3); /* 4 */
    op(m, 0xb1); /* 5: the end */
    op(m, 0xbf);
    handler(m, 2, 5, 6);
    struct gl_jbytes out = rewritten(m);
    expect_code(&out, "m",
                "aload_1; dup; invokestatic R.entering(Ljava/lang/Object;)V; monitorenter; "
                "invokestatic R.enter()V; nop; aload_1; dup; "
                "invokestatic R.exit(Ljava/lang/Object;)V; monitorexit; return; athrow");
    struct view *v = look(out.at, out.n, "m");
    assert_int_equal(gl_jget2(v->c.handlers), 6);      /* R.enter is inside */
    assert_int_equal(gl_jget2(v->c.handlers + 2), 16); /* ends behind monitorexit */
    assert_int_equal(gl_jget2(v->c.handlers + 4), 17);
    unlook(v);
    free(out.at);
}

static void frame_full(struct bytes *b, unsigned delta, unsigned n_locals, const unsigned *locals, unsigned thrown)
{
    b1(b, 255);
    b2(b, delta);
    b2(b, n_locals);
    for (unsigned k = 0; k < n_locals; k++) {
        b1(b, locals[k] ? 7 : 1); /* an object, or an int */
        if (locals[k])
            b2(b, locals[k]);
    }
    b2(b, 1);
    b1(b, 7);
    b2(b, thrown);
}

/* The call before the monitorexit of javac's handler has a handler of its own, around which is what is around the block. */
static void test_handler_that_unlocks(void **state)
{
    (void)state;
    struct maker *m = make(52, 0, "m", "()V");
    unsigned thrown = class_of(m, "java/lang/Throwable"), locals[3] = {m->this_class, m->object, 0};
    op(m, 0x2b);
    op(m, 0xc2); /* 1 */
    op(m, 0);
    op(m, 0x2b);
    op(m, 0xc3); /* 4 */
    op(m, 0xb1);
    op(m, 0x4d); /* 6: the handler: astore_2 */
    op(m, 0x2b);
    op(m, 0xc3); /* 8 */
    op(m, 0x2c);
    op(m, 0xbf);
    op(m, 0x57); /* 11: the outer one */
    op(m, 0xb1);
    handler(m, 2, 5, 6);
    handler(m, 6, 9, 6);
    handler(m, 0, 11, 11);
    struct bytes frames = {.n = 0};
    b2(&frames, 2);
    frame_full(&frames, 6, 3, locals, thrown); /* an int in the variable of the exception */
    frame_full(&frames, 4, 1, locals, thrown);
    attribute(m, "StackMapTable", &frames);
    struct gl_jbytes out = rewritten(m);
    expect_code(&out, "m",
                "aload_1; dup; invokestatic R.entering(Ljava/lang/Object;)V; monitorenter; "
                "invokestatic R.enter()V; nop; aload_1; dup; "
                "invokestatic R.exit(Ljava/lang/Object;)V; monitorexit; return; "
                "4d; aload_1; dup; invokestatic R.exit(Ljava/lang/Object;)V; monitorexit; aload_2; athrow; "
                "pop; return; aload_1; monitorexit; athrow");
    struct view *v = look(out.at, out.n, "m");
    static const unsigned want[][3] = {{6, 16, 17}, {17, 19, 17}, {19, 23, 28}, {23, 24, 17}, {28, 31, 26}, {0, 26, 26}};
    assert_int_equal(v->c.n_handlers, sizeof want / sizeof want[0]);
    for (unsigned k = 0; k < v->c.n_handlers; k++)
        for (unsigned j = 0; j < 3; j++)
            assert_int_equal(gl_jget2(v->c.handlers + 8 * k + 2 * j), want[k][j]);
    char *text = frames_of(v);
    assert_string_equal(text, "17:771/7 26:7/7 28:770/7");
    free(text);
    unlook(v);
    free(out.at);
}

static void test_synchronized(void **state)
{
    (void)state;
    struct maker *m = make(52, 0x20, "m", "()I");
    op(m, 3);
    op(m, 0xac);
    struct gl_jbytes out = rewritten(m);
    expect_code(&out, "m",
                "aload_0; invokestatic R.enterSync(Ljava/lang/Object;)V; iconst_0; invokestatic "
                "R.exitSync()V; ireturn; "
                "invokestatic R.exitSync()V; athrow");
    struct view *v = look(out.at, out.n, "m");
    assert_int_equal(v->c.n_handlers, 1);
    assert_int_equal(gl_jget2(v->c.handlers), 4);
    assert_int_equal(gl_jget2(v->c.handlers + 2), 9);
    assert_int_equal(gl_jget2(v->c.handlers + 4), 9);
    char *frames = frames_of(v);
    assert_string_equal(frames, "9:/7");
    free(frames);
    unlook(v);
    free(out.at);

    m = make(52, 0x28, "m", "()V");
    op(m, 0xb1);
    expect(m, "ldc X; invokestatic R.enterSync(Ljava/lang/Object;)V; invokestatic R.exitSync()V; return; "
              "invokestatic R.exitSync()V; athrow");
    m = make(48, 0x28, "m", "()V");
    op(m, 0xb1);
    expect(m, "ldc \"X\"; invokestatic java/lang/Class.forName(Ljava/lang/String;)Ljava/lang/Class;; "
              "invokestatic R.enterSync(Ljava/lang/Object;)V; invokestatic R.exitSync()V; return; "
              "invokestatic R.exitSync()V; athrow");
    expect_nothing(make(52, 0x120, "m", "()V")); /* native */
    assert_int_equal(now.skipped, 1);
}

static void test_entry_runs_once(void **state)
{
    (void)state;
    struct maker *m = make(49, 0x20, "m", "()V"); /* a loop to position 0 must not enter again */
    op2(m, 0xa7, 0);
    struct gl_jbytes out = rewritten(m);
    expect_code(&out, "m",
                "aload_0; invokestatic R.enterSync(Ljava/lang/Object;)V; goto ->4; invokestatic "
                "R.exitSync()V; athrow");
    free(out.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, set_up)
        TEST(test_arrays),
        TEST(test_kept_shadows),
        TEST(test_kept_stores),
        TEST(test_kept_below),
        TEST(test_kept_thread),
        TEST(test_inner_loops),
        TEST(test_not_kept),
        TEST(test_arrays_alone),
        TEST(test_monitors),
        TEST(test_handler_that_unlocks),
        TEST(test_synchronized),
        TEST(test_entry_runs_once),
#undef TEST
    };
    return cmocka_run_group_tests_name("java_rewrite_arrays", tests, NULL, NULL);
}
