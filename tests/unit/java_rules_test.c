/* SPDX-License-Identifier: Apache-2.0
 *
 * What java/rewrite.c does by rules of its caller: calls that stay, the use of classes, dynamic constants, fields that act as volatile ones, no
 * arrays.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/java_policy.h"

/* A method that calls owner.name desc by the opcode. */
static struct maker *calling(unsigned opcode, const char *owner, const char *name, const char *desc)
{
    struct maker *m = make(52, 0, "m", "()V");
    op2(m, opcode, member(m, 10, class_of(m, owner), name, desc));
    op(m, 0xb1);
    return m;
}

static void nothing_changes(struct maker *m)
{
    struct gl_jbytes out = rewritten(m);
    assert_null(out.at);
}

static void test_around(void **state)
{
    (void)state;
    static const struct gl_jaround_rule around[] = {
        {"F", "get", "(Ljava/lang/Object;)J", "T", "read", "(LF;Ljava/lang/Object;I)V", "done", "()V", GL_JCALL_VIRTUAL, true, NULL},
        {"F", "set", "(Ljava/lang/Object;I)V", "T", "write", "(LF;Ljava/lang/Object;I)V", NULL, NULL, 0, true, NULL},
        {"F", "set", "(Ljava/lang/Object;J)V", "T", "write", "(LF;Ljava/lang/Object;I)V", NULL, NULL, 0, true, NULL},
        {"[", "clone", "()Ljava/lang/Object;", "T", "array", "(Ljava/lang/Object;)V", NULL, NULL, 0, false, NULL},
        {NULL, "clone", "()Ljava/lang/Object;", "T", "one", "(Ljava/lang/Object;I)V", "copy", "(Ljava/lang/Object;)V", 0, true, NULL},
        {"C", "twice", "()J", "T", NULL, NULL, "told", "(J)V", GL_JCALL_STATIC, false, NULL},
        {"V", NULL, NULL, "T", "at", "(I)V", "left", "()V", GL_JCALL_VIRTUAL, true, NULL},
        {"F", "far", "(JJJ)V", "T", "one", "(Ljava/lang/Object;)V", NULL, NULL, 0, false, NULL},
        {"F", "pair", "(I)V", "T", "first", "(LF;)V", NULL, NULL, 0, false, NULL},
        {"F", "typed", "(Ljava/lang/Object;)I", "T", "take", "(LF;Ljava/lang/Object;II)Ljava/lang/Object;", "taken",
         "(Ljava/lang/Object;)V", 0, true, "I"},
        {"F", "typed", "(Ljava/lang/Object;)J", "T", "take", "(LF;Ljava/lang/Object;II)Ljava/lang/Object;", "taken",
         "(Ljava/lang/Object;)V", 0, true, "J"},
        {"F", "value", "(Ljava/lang/Object;Ljava/lang/Object;)V", "T", "give", "(LF;Ljava/lang/Object;Ljava/lang/Object;I)V", NULL, NULL, 0,
         true, NULL},
    };
    policy.arounds = around;
    policy.n_arounds = sizeof around / sizeof around[0];
    expect(calling(0xb6, "F", "get", "(Ljava/lang/Object;)J"),
           "dup2; bipush 7; invokestatic T.read(LF;Ljava/lang/Object;I)V; invokevirtual F.get(Ljava/lang/Object;)J; "
           "invokestatic T.done()V; return");
    assert_int_equal(now.last.op, GL_JOP_CALL);
    nothing_changes(calling(0xb7, "F", "get", "(Ljava/lang/Object;)J")); /* not for invokespecial */
    expect(calling(0xb6, "F", "set", "(Ljava/lang/Object;I)V"),
           "dup_x2; pop; dup2_x1; bipush 7; invokestatic T.write(LF;Ljava/lang/Object;I)V; "
           "invokevirtual F.set(Ljava/lang/Object;I)V; return");
    expect(calling(0xb6, "F", "set", "(Ljava/lang/Object;J)V"),
           "dup2_x2; pop2; dup2_x2; bipush 7; invokestatic T.write(LF;Ljava/lang/Object;I)V; "
           "invokevirtual F.set(Ljava/lang/Object;J)V; return");
    expect(calling(0xb6, "[I", "clone", "()Ljava/lang/Object;"),
           "dup; invokestatic T.array(Ljava/lang/Object;)V; invokevirtual [I.clone()Ljava/lang/Object;; return");
    expect(calling(0xb7, "Q", "clone", "()Ljava/lang/Object;"),
           "dup; bipush 7; invokestatic T.one(Ljava/lang/Object;I)V; invokespecial Q.clone()Ljava/lang/Object;; dup; "
           "invokestatic T.copy(Ljava/lang/Object;)V; return");
    expect(calling(0xb8, "C", "twice", "()J"), "invokestatic C.twice()J; dup2; invokestatic T.told(J)V; return");
    struct gl_jbytes out = rewritten(calling(0xb8, "C", "twice", "()J"));
    struct view *v = look(out.at, out.n, "m");
    assert_int_equal(v->c.max_stack, 8 + 2); /* the result is there twice */
    unlook(v);
    free(out.at);
    expect(calling(0xb6, "V", "anything", "(JDI)V"),
           "bipush 7; invokestatic T.at(I)V; invokevirtual V.anything(JDI)V; invokestatic T.left()V; return");
    expect(calling(0xb6, "F", "pair", "(I)V"), "dup2; pop; invokestatic T.first(LF;)V; invokevirtual F.pair(I)V; return");
    expect(calling(0xb6, "F", "typed", "(Ljava/lang/Object;)I"),
           "dup2; bipush 73; bipush 7; invokestatic T.take(LF;Ljava/lang/Object;II)Ljava/lang/Object;; dup_x2; pop; "
           "invokevirtual F.typed(Ljava/lang/Object;)I; 5f; invokestatic T.taken(Ljava/lang/Object;)V; return");
    expect(calling(0xb6, "F", "typed", "(Ljava/lang/Object;)J"),
           "dup2; bipush 74; bipush 7; invokestatic T.take(LF;Ljava/lang/Object;II)Ljava/lang/Object;; dup_x2; pop; "
           "invokevirtual F.typed(Ljava/lang/Object;)J; dup2_x1; pop2; invokestatic T.taken(Ljava/lang/Object;)V; return");
    expect(calling(0xb6, "F", "value", "(Ljava/lang/Object;Ljava/lang/Object;)V"),
           "dup_x2; pop; dup2_x1; dup2_x1; pop2; dup_x2; bipush 7; invokestatic T.give(LF;Ljava/lang/Object;Ljava/lang/Object;I)V; "
           "invokevirtual F.value(Ljava/lang/Object;Ljava/lang/Object;)V; return");
    nothing_changes(calling(0xb6, "F", "far", "(JJJ)V")); /* what is wanted lies too deep */
    assert_int_equal(now.skipped, 0);
}

static void test_replaced_rather_than_around(void **state)
{
    (void)state;
    static const struct gl_jcall_rule calls[] = {{"F", "get", "()V", "T", "got", "(LF;)V", 0, false}};
    static const struct gl_jaround_rule around[] = {{"F", "get", "()V", "T", "read", "(LF;)V", NULL, NULL, 0, false, NULL}};
    policy.calls = calls;
    policy.n_calls = 1;
    policy.arounds = around;
    policy.n_arounds = 1;
    expect(calling(0xb6, "F", "get", "()V"), "invokestatic T.got(LF;)V; return");
    expect(calling(0xb7, "F", "get", "()V"), "dup; invokestatic T.read(LF;)V; invokespecial F.get()V; return");
}

static struct maker *in_class(unsigned access, const char *method, bool clinit)
{
    struct maker *m = make(52, access, method, "()V");
    m->clinit = clinit;
    op(m, 0xb1);
    return m;
}

static void test_class_use(void **state)
{
    (void)state;
    nothing_changes(in_class(STATIC, "m", true)); /* not asked for */
    policy.flags |= GL_JR_CLASS_USE;
    expect(in_class(STATIC, "m", true), THREAD "bipush 99; invokestatic R.classUse(Lgoldilocks/rt/T;I)V; return");
    expect(in_class(0, "<init>", true), THREAD "bipush 99; invokestatic R.classUse(Lgoldilocks/rt/T;I)V; return");
    nothing_changes(in_class(0, "m", true));
    nothing_changes(in_class(STATIC, "m", false)); /* there is no initializer */
    expect(in_class(STATIC, "<clinit>", false), "bipush 99; invokestatic R.clinitBegins(I)V; bipush 99; invokestatic R.clinitDone(I)V; return");
}

/* What is initialized under a lock although there is nothing to do. */
static void test_made_initializer(void **state)
{
    (void)state;
    static const unsigned major[] = {49, 52};
    for (unsigned i = 0; i < 2; i++) {
        policy.flags |= GL_JR_CLASS_USE | GL_JR_MAKE_CLINIT;
        struct maker *m = make(major[i], STATIC, "m", "()V");
        op(m, 0xb1);
        struct gl_jbytes out = rewritten(m);
        expect_code(&out, "m", THREAD "bipush 99; invokestatic R.classUse(Lgoldilocks/rt/T;I)V; return");
        expect_code(&out, "<clinit>", "ldc_w 99; invokestatic R.clinitOnly(I)V; return; pop; return");
        struct view *v = look(out.at, out.n, "<clinit>");
        char *frames = frames_of(v);
        assert_string_equal(frames, major[i] < 50 ? "" : "7:/7");
        free(frames);
        unlook(v);
        /* What has one gets no second one. */
        struct gl_jbytes twice = {0};
        char error[GL_JERROR_BYTES];
        assert_int_equal(gl_jrewrite(out.at, out.n, &policy, &twice, error), GL_JR_REWRITTEN);
        expect_code(&twice, "<clinit>", "bipush 99; invokestatic R.clinitBegins(I)V; ldc_w 99; invokestatic R.clinitOnly(I)V; bipush 99; "
                                        "invokestatic R.clinitDone(I)V; return; pop; bipush 99; invokestatic R.clinitDone(I)V; return");
        free(twice.at);
        free(out.at);
    }
}

static void test_made_initializer_few_constants(void **state)
{
    (void)state;
    unsigned made_one = 0, left_alone = 0;
    policy.flags |= GL_JR_CLASS_USE | GL_JR_MAKE_CLINIT;
    for (unsigned room = 0; room < 30; room++) {
        struct maker *m = make(52, STATIC, "m", "()V");
        op(m, 0xb1);
        bool fits = fits_with_room(m, room, "<clinit>");
        made_one += fits;
        left_alone += !fits;
    }
    assert_true(made_one > 0 && left_alone > 0);
}

static bool not_of_jdk(void *ctx, const char *class_name)
{
    (void)ctx;
    return strncmp(class_name, "jdk/", 4) != 0;
}

/* A loader is asked for what is ours before its own code is, which is thrown and then returned. */
static void test_loader(void **state)
{
    (void)state;
#define ASKS "aload_1; invokestatic R.ours(Ljava/lang/String;)V; aconst_null; "
#define FOUND "invokestatic R.found(Ljava/lang/Throwable;)Ljava/lang/Class;; areturn"
#define MONITOR "aload_0; invokestatic R.enterLoader(Ljava/lang/Object;)V; "
#define LEAVES "invokestatic R.exitSync()V; "
    static const struct {
        const char *desc, *alone, *with_monitors; /* NULL: nothing */
    } loaders[] = {
        {"(Ljava/lang/String;)Ljava/lang/Class;", ASKS "areturn; " FOUND, MONITOR ASKS LEAVES "areturn; " LEAVES FOUND},
        {"(Ljava/lang/String;Z)Ljava/lang/Class;", ASKS "areturn; " FOUND, ASKS "areturn; " FOUND},
        {"(Ljava/lang/Object;)Ljava/lang/Class;", NULL, NULL},
    };
    for (unsigned i = 0; i < 3; i++)
        for (unsigned monitors = 0; monitors < 2; monitors++)
            for (unsigned is_static = 0; is_static < 2; is_static++) {
                const char *want = is_static ? NULL : monitors ? loaders[i].with_monitors : loaders[i].alone;
                struct maker *m = make(49 + monitors, is_static ? STATIC : 0, "loadClass", loaders[i].desc);
                op(m, 1); /* aconst_null; areturn */
                op(m, 0xb0);
                policy.flags = GL_JR_LOADERS | (monitors ? GL_JR_MONITORS : 0);
                struct gl_jbytes out = rewritten(m);
                assert_int_equal(out.at != NULL, want != NULL);
                if (want) {
                    expect_code(&out, "loadClass", want);
                    struct view *v = look(out.at, out.n, "loadClass");
                    uint32_t from = i == 0 && monitors ? 4 : 0; /* what is thrown by R.ours is within the handler's range */
                    assert_int_equal(v->c.n_handlers, 1);
                    assert_int_equal(gl_jget2(v->c.handlers), from);
                    unlook(v);
                }
                free(out.at);
            }
}

/* What initializes a class before arguments are computed that may have to do with it. */
static void test_new(void **state)
{
    (void)state;
#define MADE THREAD "bipush 7; invokestatic R.made(Lgoldilocks/rt/T;I)V; "
    static const struct {
        const char *class_name;
        unsigned argument; /* an opcode of one byte; 0: getstatic */
        bool told;
    } made[] = {{"Y", 0, true}, {"Y", 0x1a /* iload_0 */, false}, {"Y", 0x04 /* iconst_1 */, false}, {"X", 0, false}, {"jdk/Y", 0, false}};
    for (unsigned i = 0; i < sizeof made / sizeof made[0]; i++) {
        struct maker *m = make(52, STATIC, "m", "(I)V");
        unsigned type = class_of(m, made[i].class_name), field = member(m, 9, class_of(m, "jdk/Z"), "f", "I");
        op2(m, 0xbb, type);
        op(m, 0x59); /* dup */
        if (made[i].argument)
            op(m, made[i].argument);
        else
            op2(m, 0xb2, field);
        op2(m, 0xb7, member(m, 10, type, "<init>", "(I)V"));
        op(m, 0x57); /* pop */
        op(m, 0xb1);
        policy.flags = GL_JR_DATA | GL_JR_CLASS_USE;
        policy.checked = not_of_jdk;
        if (!made[i].told) {
            nothing_changes(m);
            continue;
        }
        expect(m, "new; " MADE "dup; getstatic jdk/Z.f; invokespecial Y.<init>(I)V; pop; return");
        assert_int_equal(now.last.op, GL_JOP_NEW);
    }
}

static bool acts_volatile(void *ctx, const char *owner, const char *name)
{
    (void)ctx;
    return strcmp(owner, "X") == 0 && strcmp(name, "f") == 0;
}

static struct maker *writing(const char *method)
{
    struct maker *m = make(52, 0, method, "()V");
    unsigned ref = own_field(m, PLAIN, "f", "I");
    op(m, 0x2a);
    op(m, 0x04);
    op2(m, 0xb5, ref);
    op(m, 0xb1);
    return m;
}

static void test_acts_volatile(void **state)
{
    (void)state;
    policy.flags = GL_JR_VOLATILE;
    nothing_changes(writing("m"));
    policy.acts_volatile = acts_volatile;
    expect(writing("m"),
           "aload_0; iconst_1; dup2; pop; invokestatic R.thread()Lgoldilocks/rt/T;; bipush 7; "
           "invokestatic R.write(Ljava/lang/Object;Lgoldilocks/rt/T;I)V; putfield X.f; "
           "invokestatic R.thread()Lgoldilocks/rt/T;; invokestatic R.post(Lgoldilocks/rt/T;)V; return");
    nothing_changes(writing("<init>"));
}

static void test_no_arrays(void **state)
{
    (void)state;
    policy.flags |= GL_JR_NO_ARRAYS;
    struct maker *m = make(52, 0, "m", "()V");
    unsigned ref = own_field(m, STATIC, "f", "I");
    op(m, 0x2e);
    op2(m, 0xb2, ref);
    op(m, 0xb1);
    expect(m, "iaload; bipush 7; invokestatic R.sread(I)V; getstatic X.f; return");
}

/* A dynamic constant of the type, loaded. */
static struct maker *loading(unsigned opcode, const char *type)
{
    struct maker *m = make(55, 0, "m", "()V");
    unsigned constant = member(m, 17, 0, "c", type);
    if (opcode == 0x12)
        op1(m, opcode, constant);
    else
        op2(m, opcode, constant);
    op(m, 0xb1);
    return m;
}

static void test_constants(void **state)
{
    (void)state;
    nothing_changes(loading(0x12, "Ljava/lang/Object;")); /* not asked for */
    policy.flags |= GL_JR_CONSTANTS;
    struct gl_jbytes out = rewritten(loading(0x12, "Ljava/lang/Object;"));
    struct view *v = look(out.at, out.n, "m");
    assert_int_equal(v->c.max_stack, 8 + 1);
    unlook(v);
    free(out.at);
    expect(loading(0x12, "[I"), "ldc dynamic; dup; invokestatic R.constant(Ljava/lang/Object;)V; return");
    expect(loading(0x13, "LX;"), "ldc_w dynamic; dup; invokestatic R.constant(Ljava/lang/Object;)V; return");
    nothing_changes(loading(0x12, "I"));
    struct maker *m = loading(0x12, "Ljava/lang/Object;"); /* others are left alone */
    m->code.n = 0;
    op1(m, 0x12, m->this_class);
    op(m, 0xb1);
    nothing_changes(m);
}

static void test_any_descriptor(void **state)
{
    (void)state;
    static const struct gl_jmethod_rule rules[] = {{"m", NULL, GL_JWHEN_ENTRY, 0, "T", "entered", "()V"}};
    policy.methods = rules;
    policy.n_methods = 1;
    struct maker *m = make(52, 0, "m", "(JI)V");
    op(m, 0xb1);
    expect(m, "invokestatic T.entered()V; return");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, set_up)
        TEST(test_around),
        TEST(test_replaced_rather_than_around),
        TEST(test_class_use), TEST(test_made_initializer), TEST(test_made_initializer_few_constants), TEST(test_loader), TEST(test_new),
        TEST(test_acts_volatile),
        TEST(test_no_arrays),
        TEST(test_constants),
        TEST(test_any_descriptor),
#undef TEST
    };
    return cmocka_run_group_tests_name("java_rules", tests, NULL, NULL);
}
