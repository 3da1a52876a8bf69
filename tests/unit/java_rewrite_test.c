/* SPDX-License-Identifier: Apache-2.0
 *
 * What java/rewrite.c makes of classes made by hand: each kind of insertion, and the tables.  Whether virtual machines accept the result is asked by
 * tests/java/verify.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/java_policy.h"

/* ---- fields ---------------------------------------------------------------------------------------------------- */

static struct maker *accessing(unsigned opcode, unsigned access, const char *owner, const char *desc)
{
    struct maker *m = make(52, 0, "m", "()V");
    unsigned ref = strcmp(owner, "X") == 0 ? own_field(m, access, "f", desc)
                                           : member(m, 9, class_of(m, owner), "f", desc);
    op2(m, opcode, ref);
    op(m, 0xb1);
    return m;
}

#define FRESH "R.fresh(Ljava/lang/Object;Lgoldilocks/rt/T;I)V"

static void test_own_fields(void **state)
{
    (void)state;
    expect(accessing(0xb4, PLAIN, "X", "I"),
           "dup; " THREAD "bipush 7; invokestatic X.$glr$f(LX;Lgoldilocks/rt/T;I)V; getfield X.f; return");
    expect(accessing(0xb5, PLAIN, "X", "I"),
           "dup2; pop; " THREAD
           "bipush 7; invokestatic X.$glw$f(LX;Lgoldilocks/rt/T;I)V; putfield X.f; return");
    expect(accessing(0xb5, PLAIN, "X", "J"),
           "dup2_x1; pop2; dup_x2; " THREAD
           "bipush 7; invokestatic X.$glw$f(LX;Lgoldilocks/rt/T;I)V; putfield X.f; return");
    expect(accessing(0xb4, VOLATILE, "X", "[D"),
           "dup; " THREAD "bipush 7; invokestatic R.read(Ljava/lang/Object;Lgoldilocks/rt/T;I)V; "
           "getfield X.f; " THREAD "invokestatic R.post(Lgoldilocks/rt/T;)V; return");
    expect(accessing(0xb5, VOLATILE, "X", "D"),
           "dup2_x1; pop2; dup_x2; " THREAD
           "bipush 7; invokestatic R.write(Ljava/lang/Object;Lgoldilocks/rt/T;I)V; putfield X.f; " THREAD
           "invokestatic R.post(Lgoldilocks/rt/T;)V; return");
    expect_nothing(accessing(0xb4, FINAL, "X", "I"));
    expect(accessing(0xb2, STATIC, "X", "I"), "bipush 7; invokestatic R.sread(I)V; getstatic X.f; return");
    expect(accessing(0xb3, STATIC, "X", "I"), "bipush 7; invokestatic R.swrite(I)V; putstatic X.f; return");
    expect(accessing(0xb2, STATIC | FINAL, "X", "I"),
           "bipush 7; invokestatic R.sread(I)V; getstatic X.f; return");
    expect(accessing(0xb2, STATIC | VOLATILE, "X", "I"),
           "bipush 7; invokestatic R.sread(I)V; getstatic X.f; " THREAD
           "invokestatic R.post(Lgoldilocks/rt/T;)V; return");
    expect_nothing(
        accessing(0xb2, PLAIN | FINAL, "X", "I")); /* getstatic of what is not static: fails at run time */
}

static void test_helpers(void **state)
{
    (void)state;
    struct gl_jbytes out = rewritten(accessing(0xb4, PLAIN, "X", "I"));
    expect_code(&out, "$glr$f",
                "aload_0; ifnull ->21; aload_0; getfield X.$w$f; aload_1; invokestatic "
                "R.readHit(JLgoldilocks/rt/T;)Z; ifne ->21; "
                "aload_0; aload_1; iload_2; "
                "invokestatic R.firstRead(Ljava/lang/Object;Lgoldilocks/rt/T;I)V; return");
    struct view *v = look(out.at, out.n, "$glr$f");
    char *frames = frames_of(v);
    assert_string_equal(frames, "21:771/");
    assert_int_equal(v->method->access, 0x100a);
    assert_int_equal(v->f.n_fields, 3);
    assert_int_equal(v->f.fields[1].access, 0x1082);
    assert_string_equal(gl_jfile_text(&v->f, v->f.fields[1].name), "$w$f");
    assert_string_equal(gl_jfile_text(&v->f, v->f.fields[2].name), "$s$f");
    assert_int_equal(v->f.n_methods, 2); /* no $glw$f: nobody calls it */
    free(frames);
    unlook(v);
    free(out.at);

    out = rewritten(accessing(0xb5, PLAIN, "X", "J"));
    expect_code(&out, "$glw$f",
                "aload_0; ifnull ->21; aload_0; getfield X.$w$f; aload_1; invokestatic "
                "R.writeHit(JLgoldilocks/rt/T;)Z; ifne ->21; "
                "aload_0; aload_1; iload_2; "
                "invokestatic R.firstWrite(Ljava/lang/Object;Lgoldilocks/rt/T;I)V; return");
    free(out.at);
}

static void test_shadow_names(void **state)
{
    (void)state;
    char name[32];
    assert_int_equal(gl_jshadow_name(name, sizeof name, 'w', "field", 12, false), 8);
    assert_string_equal(name, "$w$field");
    assert_int_equal(gl_jshadow_name(name, sizeof name, 's', "field", 120, true), 12);
    assert_string_equal(name, "$s$field$120");
    assert_int_equal(gl_jshadow_name(name, 8, 'w', "field", 0, false), 0);

    struct maker *m = make(52, 0, "m", "()V");
    own_field(m, PLAIN, "f", "I");
    unsigned ref = own_field(m, PLAIN, "f", "J"); /* two fields of one name */
    op2(m, 0xb4, ref);
    op(m, 0xb1);
    expect(m,
           "dup; " THREAD "bipush 7; invokestatic X.$glr$f$1(LX;Lgoldilocks/rt/T;I)V; getfield X.f; return");

    m = accessing(0xb4, PLAIN, "X", "I");
    own_field(m, PLAIN, "$w$other", "J");
    expect(m, "dup; " THREAD
              "bipush 7; invokestatic R.read(Ljava/lang/Object;Lgoldilocks/rt/T;I)V; getfield X.f; return");
    assert_int_equal(now.skipped, 1);
}

static void test_without_members(void **state)
{
    (void)state;
    policy.flags = GL_JR_DATA;
    struct gl_jbytes out = rewritten(accessing(0xb4, PLAIN, "X", "I"));
    expect_code(&out, "m",
                "dup; " THREAD
                "bipush 7; invokestatic R.read(Ljava/lang/Object;Lgoldilocks/rt/T;I)V; getfield X.f; return");
    struct view *v = look(out.at, out.n, "m");
    assert_int_equal(v->f.n_fields, 1);
    assert_int_equal(v->f.n_methods, 1);
    unlook(v);
    free(out.at);
    policy.flags = GL_JR_SYNC;
    expect_nothing(accessing(0xb4, PLAIN, "X", "I"));
    expect_nothing(accessing(0xb2, STATIC | FINAL, "X", "I"));
}

static void test_fields_of_others(void **state)
{
    (void)state;
    const char *read =
        "dup; " THREAD
        "bipush 7; invokestatic R.read(Ljava/lang/Object;Lgoldilocks/rt/T;I)V; getfield Y.f; return";
    const char *read_post =
        "dup; " THREAD
        "bipush 7; invokestatic R.read(Ljava/lang/Object;Lgoldilocks/rt/T;I)V; getfield Y.f; " THREAD
        "invokestatic R.post(Lgoldilocks/rt/T;)V; return";
    expect(accessing(0xb4, PLAIN, "Y", "I"), read_post);
    now.kind = GL_JKIND_PLAIN;
    expect(accessing(0xb4, PLAIN, "Y", "I"), read);
    now.kind = GL_JKIND_VOLATILE;
    expect(accessing(0xb4, PLAIN, "Y", "I"), read_post);
    now.kind = GL_JKIND_FINAL;
    expect_nothing(accessing(0xb4, PLAIN, "Y", "I"));
    expect(accessing(0xb2, PLAIN, "Y", "I"), "bipush 7; invokestatic R.sread(I)V; getstatic Y.f; return");
    now.kind = GL_JKIND_UNKNOWN;
    now.checked = false;
    expect_nothing(accessing(0xb4, PLAIN, "Y", "I"));

    struct maker *m =
        make(52, 0, "m", "()V"); /* inherited: named as of this class, which does not declare it */
    op2(m, 0xb4, member(m, 9, m->this_class, "g", "I"));
    op(m, 0xb1);
    now.kind = GL_JKIND_PLAIN;
    expect(m, "dup; " THREAD
              "bipush 7; invokestatic R.read(Ljava/lang/Object;Lgoldilocks/rt/T;I)V; getfield X.g; return");
}

static void test_places(void **state)
{
    (void)state;
    struct maker *m = make(52, 0, "m", "()V");
    struct bytes lines = {.n = 0};
    unsigned ref = member(m, 9, class_of(m, "a/B"), "f", "J");
    op(m, 0);
    op2(m, 0xb5, ref);
    op(m, 0xb1);
    b2(&lines, 2);
    b2(&lines, 1);
    b2(&lines, 43);
    b2(&lines, 0);
    b2(&lines, 42);
    attribute(m, "LineNumberTable", &lines);
    struct bytes *in = made(m);
    struct gl_jbytes out = {0};
    char error[GL_JERROR_BYTES], name[4];
    assert_int_equal(gl_jrewrite(in->at, in->n, &policy, &out, error), GL_JR_REWRITTEN);
    assert_int_equal(now.sites, 1);
    assert_int_equal(now.last.line, 43);
    assert_int_equal(now.last.bci, 1);
    assert_int_equal(now.last.op, GL_JOP_PUTFIELD);
    struct view *v = look(out.at, out.n, "m");
    uint32_t at = v->c.attributes;
    struct gl_jattribute a = gl_jfile_attribute(&v->f, &at);
    assert_int_equal(gl_jget2(v->f.in + a.at + 2), 1); /* a line begins with what is before its instruction */
    assert_int_equal(gl_jget2(v->f.in + a.at + 6), 0);
    unlook(v);
    memset(name, '?', sizeof name);
    assert_int_equal(gl_jclass_name(in->at, in->n, name, sizeof name), 1);
    assert_string_equal(name, "X");
    free(out.at);
    free(in);
}

static void test_site_numbers(void **state)
{
    (void)state;
    static const struct {
        uint32_t site;
        const char *text;
    } cases[] = {
        {0, "iconst_0"},     {2, "iconst_2"},         {6, "bipush 6"},      {127, "bipush 127"},
        {128, "sipush 128"}, {32767, "sipush 32767"}, {32768, "ldc 32768"}, {4000000000u, "ldc 4000000000"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char want[200];
        now.site = cases[i].site;
        snprintf(want, sizeof want, "%s; invokestatic R.sread(I)V; getstatic X.f; return", cases[i].text);
        expect(accessing(0xb2, STATIC, "X", "I"), want);
    }
    now.site = 50000;
    struct maker *m = make(52, 0, "m", "()V");
    for (int i = 0; i < 300; i++)
        utf8(m, "filler");
    op2(m, 0xb2, own_field(m, STATIC, "f", "I"));
    op(m, 0xb1);
    expect(m, "ldc_w 50000; invokestatic R.sread(I)V; getstatic X.f; return");
}

/* ---- class initialization, rules ------------------------------------------------------------------------------------- */

static void test_clinit(void **state)
{
    (void)state;
    struct maker *m = make(52, 8, "<clinit>", "()V");
    unsigned ref = own_field(m, STATIC | FINAL, "f", "I");
    op2(m, 0xb3, ref);
    op2(m, 0xb2, ref);
    op(m, 0xb1);
    expect(m, "bipush 99; invokestatic R.clinitBegins(I)V; putstatic X.f; getstatic X.f; bipush 99; invokestatic R.clinitDone(I)V; return");
}

static void test_call_rules(void **state)
{
    (void)state;
    static const struct gl_jcall_rule calls[] = {
        {NULL, "wait", "()V", "goldilocks/rt/R", "await", "(Ljava/lang/Object;)V", 0, false},
        {"S", "copy", "(IJ)V", "T", "copied", "(IJI)V", GL_JCALL_STATIC, true},
    };
    policy.calls = calls;
    policy.n_calls = 2;
    struct maker *m = make(52, 0, "m", "()V");
    unsigned wait = member(m, 10, class_of(m, "Z"), "wait", "()V"),
             copy = member(m, 10, class_of(m, "S"), "copy", "(IJ)V");
    unsigned other = member(m, 10, class_of(m, "Q"), "copy", "(IJ)V");
    op2(m, 0xb6, wait);
    op2(m, 0xb7, wait); /* super.wait(): not by default */
    op2(m, 0xb8, wait); /* static: another number of arguments */
    op2(m, 0xb9, wait);
    b2(&m->code, 0x100);
    op2(m, 0xb8, copy);
    op2(m, 0xb6, copy);
    op2(m, 0xb8, other);
    op(m, 0xb1);
    expect(m, "invokestatic R.await(Ljava/lang/Object;)V; invokespecial Z.wait()V; invokestatic Z.wait()V; "
              "invokestatic R.await(Ljava/lang/Object;)V; bipush 7; invokestatic T.copied(IJI)V; "
              "invokevirtual S.copy(IJ)V; "
              "invokestatic Q.copy(IJ)V; return");
    assert_int_equal(now.sites, 1);
    assert_int_equal(now.last.op, GL_JOP_CALL);
}

static void test_method_rules(void **state)
{
    (void)state;
    static const struct gl_jmethod_rule rules[] = {
        {"m", "(JI)J", GL_JWHEN_ENTRY, GL_JPASS_THIS | GL_JPASS_ARGS, "T", "entered", "(LX;JI)V"},
        {"m", "(JI)J", GL_JWHEN_RETURN, GL_JPASS_RESULT | GL_JPASS_THIS, "T", "told", "(JLX;)V"},
        {"m", "(JI)J", GL_JWHEN_RETURN, GL_JPASS_RESULT, "T", "changed", "(J)J"},
        {"k", "()V", GL_JWHEN_RETURN, GL_JPASS_THIS, "T", "gone", "(LX;)V"},
        {"k", "()V", GL_JWHEN_ENTRY, GL_JPASS_RESULT, "T", "gone", "(LX;)V"},
    };
    policy.methods = rules;
    policy.n_methods = 5;
    struct maker *m = make(52, 0, "m", "(JI)J");
    op1(m, 0x16, 1);
    op(m, 0xad);
    struct gl_jbytes out = rewritten(m);
    expect_code(&out, "m",
                "aload_0; lload 1; iload 3; invokestatic T.entered(LX;JI)V; lload 1; dup2; aload_0; "
                "invokestatic T.told(JLX;)V; "
                "invokestatic T.changed(J)J; lreturn");
    struct view *v = look(out.at, out.n, "m");
    assert_true(v->c.max_stack >= 8 + 4);
    unlook(v);
    free(out.at);

    m = make(52, 0, "k", "()V"); /* `this` is overwritten, and there is no result at the entry */
    op(m, 1);
    op(m, 0x4b);
    op(m, 0xb1);
    expect_nothing(m);
    assert_int_equal(now.skipped, 2);

    /* A jump to the return, where the frame has `this` no longer; where it has. */
    for (unsigned chops = 0; chops < 2; chops++) {
        m = make(52, 0, "k", "()V");
        op(m, 3);            /* 0 */
        op2(m, 0x99, 4);     /* 1: to 5 */
        op(m, 0);            /* 4 */
        op(m, 0xb1);         /* 5 */
        struct bytes frames = {.n = 0};
        b2(&frames, 1);
        if (chops)
            b1(&frames, 250);
        if (chops)
            b2(&frames, 5);
        else
            b1(&frames, 5);
        attribute(m, "StackMapTable", &frames);
        policy.n_methods = 4;
        if (chops)
            expect_nothing(m);
        else
            expect(m, "iconst_0; ifeq ->5; nop; aload_0; invokestatic T.gone(LX;)V; return");
    }
}

/* ---- constructors ---------------------------------------------------------------------------------------------------- */

static void test_before_super(void **state)
{
    (void)state;
    for (unsigned major = 48; major <= 52; major += 4) {
        char want[400];
        snprintf(want, sizeof want,
                 "aload_0; iload_1; putfield X.f; iload_1; ifeq ->10; nop; aload_0; invokespecial "
                 "java/lang/Object.<init>()V; aload_0; iload_1; dup2; pop; " THREAD
                 "bipush 7; invokestatic %s; putfield X.f; return",
                 major == 48 ? "X.$glw$f(LX;Lgoldilocks/rt/T;I)V"
                             : FRESH); /* without frames nothing is known where control joins */
        expect(constructor(major), want);
    }
}

/* X(X other): super(); `n` bytes; return. */
static struct maker *behind_super(const uint8_t *code, size_t n, const char *super)
{
    struct maker *m = make(52, 0, "<init>", "(LX;)V");
    unsigned field = own_field(m, PLAIN, "f", "I"), link = own_field(m, PLAIN, "g", "LX;"),
             call = member(m, 10, class_of(m, "Y"), "take", "(LX;)V"),
             init = member(m, 10, class_of(m, super), "<init>", "()V");
    op(m, 0x2a);
    op2(m, 0xb7, init);
    for (size_t k = 0; k < n; k++)
        if (code[k] == 0xb5 || code[k] == 0xb8)
            op2(m, code[k], code[k] == 0xb8 ? call : k > 1 && code[k - 1] == 0x2a ? link : field);
        else
            op(m, code[k]);
    op(m, 0xb1);
    return m;
}

#define SET(name) "; dup2; pop; aload 8; bipush 7; invokestatic " name "; putfield X."

/* What a constructor writes into `this` before anybody else can have it. */
static void test_fresh(void **state)
{
    (void)state;
    static const uint8_t set[] = {0x2a, 3, 0xb5, 0x2a, 3, 0xb5},
                         copied[] = {0x2a, 0x4c, 0x2b, 3, 0xb5, 0x2a, 3, 0xb5},
                         given[] = {0x2a, 0xb8, 0x2a, 3, 0xb5, 0x2a, 3, 0xb5},
                         linked[] = {0x2b, 0x2a, 0xb5, 0x2a, 3, 0xb5},
                         other[] = {0x2b, 3, 0xb5, 0x2a, 3, 0xb5},
                         locked[] = {0x2a, 0xc2, 0x2a, 3, 0xb5, 0x2a, 3, 0xb5};
    policy.flags = GL_JR_DATA | GL_JR_MEMBERS;
#define BEGIN        THREAD "astore 8; aload_0; invokespecial java/lang/Object.<init>()V; "
#define THIS_F(name) "aload_0; iconst_0" SET(name) "f; "
#define OLD_F        "X.$glw$f(LX;Lgoldilocks/rt/T;I)V"
    expect(behind_super(set, sizeof set, "java/lang/Object"), BEGIN THIS_F(FRESH) THIS_F(FRESH) "return");
    expect(behind_super(copied, sizeof copied, "java/lang/Object"),
           BEGIN "aload_0; astore_1; aload_1; iconst_0" SET(FRESH) "f; " THIS_F(FRESH) "return");
    expect(behind_super(given, sizeof given, "java/lang/Object"),
           BEGIN "aload_0; invokestatic Y.take(LX;)V; " THIS_F(OLD_F) THIS_F(OLD_F) "return");
    expect(behind_super(linked, sizeof linked, "java/lang/Object"),
           BEGIN "aload_1; aload_0" SET("X.$glw$g(LX;Lgoldilocks/rt/T;I)V") "g; " THIS_F(OLD_F) "return");
    expect(behind_super(other, sizeof other, "java/lang/Object"),
           BEGIN "aload_1; iconst_0" SET(OLD_F) "f; " THIS_F(FRESH) "return");
    expect(behind_super(locked, sizeof locked, "java/lang/Object"),
           BEGIN "aload_0; monitorenter; " THIS_F(OLD_F) THIS_F(OLD_F) "return");
    /* Who knows what another superclass did with it? */
    expect(behind_super(set, sizeof set, "Y"),
           THREAD "astore 8; aload_0; invokespecial Y.<init>()V; " THIS_F(OLD_F) THIS_F(OLD_F) "return");
}

static void test_raw_monitor(void **state)
{
    (void)state;
    struct maker *m = make(48, 8, "m", "()V");
    op2(m, 0xbb, m->object);
    op(m, 0xc2);
    op(m, 0xb1);
    expect_nothing(m);
    assert_int_equal(now.skipped, 1);
}

/* Members that are called as ours would be: any one of them is enough. */
static void test_names_taken(void **state)
{
    (void)state;
    static const char *const methods[] = {"m", "$glr$x", "$glw$x", "m", "m"}, *const fields[] = {"g", "g", "g", "$w$x", "$s$x"};
    for (unsigned i = 0; i < 5; i++) {
        struct maker *m = make(52, 0, methods[i], "()V");
        own_field(m, PLAIN, fields[i], "I");
        op(m, 0xb1);
        now.skipped = 0;
        struct gl_jbytes out = rewritten(m);
        assert_int_equal(now.skipped, i > 0);
        assert_int_equal(out.at != NULL, i == 0); /* it gets a shadow */
        if (i > 0)
            assert_non_null(strstr(now.why, "it has members of the names"));
        free(out.at);
    }
}

/* A class that has room for so few constants gets what it has room for, or nothing. */
static void test_few_constants_left(void **state)
{
    (void)state;
    unsigned changed = 0, left_alone = 0;
    for (unsigned room = 0; room < 50; room++) {
        struct maker *m = make(52, 0, "m", "()V");
        unsigned ref = own_field(m, PLAIN, "f", "I");
        op(m, 0x2a); /* aload_0; iconst_1; putfield f; return */
        op(m, 0x04);
        op2(m, 0xb5, ref);
        op(m, 0xb1);
        bool fits = fits_with_room(m, room, "m");
        changed += fits;
        left_alone += !fits;
    }
    assert_true(changed > 0 && left_alone > 0);
}

/* ---- tables and frames ------------------------------------------------------------------------------------------------- */

static void test_frames_move(void **state)
{
    (void)state;
    struct maker *m = make(52, 8, "m", "([I)V");
    op(m, 3);                /* 0 */
    op2(m, 0x99, 6);         /* 1: to 7 */
    op(m, 0x2a);             /* 4 */
    op(m, 3);                /* 5 */
    op(m, 0x2e);             /* 6: iaload */
    op2(m, 0xbb, m->object); /* 7: new */
    op(m, 3);                /* 10 */
    op2(m, 0x99, 3);         /* 11: to 14 */
    op(m, 0xb1);             /* 14 */
    struct bytes frames = {.n = 0};
    b2(&frames, 2);
    b1(&frames, 7);      /* same, at 7 */
    b1(&frames, 64 + 6); /* one stack item, at 14: the object of `new` at 7 */
    b1(&frames, 8);
    b2(&frames, 7);
    attribute(m, "StackMapTable", &frames);
    struct gl_jbytes out = rewritten(m);
    struct view *v = look(out.at, out.n, "m");
    char *text = frames_of(v);
    assert_string_equal(text, "16:7/ 23:7/8@16");
    free(text);
    unlook(v);
    free(out.at);
}

/* same and same_locals_1 pass 63 and take their long forms */
static void test_delta_grows(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 2; kind++)
        for (unsigned nops = 48; nops < 60; nops++) {
            struct maker *m = make(52, 8, "m", "([I)V");
            char want[32];
            op(m, 0x2a);
            op(m, 3);
            op(m, 0x2e);
            for (unsigned i = 0; i < nops; i++)
                op(m, 0);
            op(m, 0xb1);
            struct bytes frames = {.n = 0};
            b2(&frames, 1);
            b1(&frames, 3 + nops + 64 * kind);
            if (kind)
                b1(&frames, 1);
            attribute(m, "StackMapTable", &frames);
            struct gl_jbytes out = rewritten(m);
            struct view *v = look(out.at, out.n, "m");
            char *text = frames_of(v);
            snprintf(want, sizeof want, "%u:7/%s", 12 + nops, kind ? "1" : "");
            assert_string_equal(text, want);
            free(text);
            unlook(v);
            free(out.at);
        }
}

static void test_variables_and_annotations(void **state)
{
    (void)state;
    struct maker *m = make(52, 8, "m", "([I)V");
    op(m, 0x2a);
    op(m, 3);
    op(m, 0x2e);             /* 2 becomes 2..12 */
    op2(m, 0xbb, m->object); /* 3: new, becomes 12 */
    op(m, 0xb1);             /* 6, becomes 15 */
    struct bytes variables = {.n = 0}, annotations = {.n = 0};
    b2(&variables, 1);
    b2(&variables, 2);
    b2(&variables, 4); /* 2 to 6 */
    b2(&variables, 1);
    b2(&variables, 1);
    b2(&variables, 1);
    attribute(m, "LocalVariableTable", &variables);
    b2(&annotations, 2);
    b1(&annotations, 0x44); /* names an instruction: not what is inserted before it */
    b2(&annotations, 2);
    b1(&annotations, 0);
    b2(&annotations, 1);
    b2(&annotations, 0);
    b1(&annotations, 0x40); /* local variable */
    b2(&annotations, 1);
    b2(&annotations, 2);
    b2(&annotations, 4);
    b2(&annotations, 1);
    b1(&annotations, 0);
    b2(&annotations, 1);
    b2(&annotations, 1);
    b2(&annotations, 1);
    b1(&annotations, 'I');
    b2(&annotations, 1);
    attribute(m, "RuntimeVisibleTypeAnnotations", &annotations);
    struct gl_jbytes out = rewritten(m);
    struct view *v = look(out.at, out.n, "m");
    uint32_t at = v->c.attributes;
    struct gl_jattribute a = gl_jfile_attribute(&v->f, &at);
    assert_int_equal(gl_jget2(v->f.in + a.at + 2), 2);
    assert_int_equal(gl_jget2(v->f.in + a.at + 4), 13);
    a = gl_jfile_attribute(&v->f, &at);
    assert_int_equal(gl_jget2(v->f.in + a.at + 3), 11);
    assert_int_equal(gl_jget2(v->f.in + a.at + 13), 2);
    assert_int_equal(gl_jget2(v->f.in + a.at + 15), 13);
    unlook(v);
    free(out.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, set_up)
        TEST(test_own_fields),
        TEST(test_helpers),
        TEST(test_shadow_names),
        TEST(test_without_members),
        TEST(test_fields_of_others),
        TEST(test_places),
        TEST(test_site_numbers),
        TEST(test_clinit),
        TEST(test_call_rules),
        TEST(test_method_rules),
        TEST(test_before_super),
        TEST(test_fresh),
        TEST(test_raw_monitor),
        TEST(test_names_taken),
        TEST(test_few_constants_left),
        TEST(test_frames_move),
        TEST(test_delta_grows),
        TEST(test_variables_and_annotations),
#undef TEST
    };
    return cmocka_run_group_tests_name("java_rewrite", tests, NULL, NULL);
}
