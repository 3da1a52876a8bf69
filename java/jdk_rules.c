/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules, by table; those for Unsafe are as many as U has methods.
 */
#include "java/jdk_rules.h"

#include <stdlib.h>
#include <string.h>

#include "java/site.h"

#define R "goldilocks/rt/R"
#define U "goldilocks/rt/U"
#define UNSAFE "jdk/internal/misc/Unsafe"

const struct gl_jfield_add gl_j_thread_fields[] = {{0x1081, "$gl", "Lgoldilocks/rt/T;"}}; /* public, for R; synthetic, transient */
const size_t gl_j_thread_field_count = 1;

static const struct gl_jinsn cur_code[] = {
    {0xb8, 0, "java/lang/Thread", "currentThread", "()Ljava/lang/Thread;"}, /* invokestatic */
    {0xb4, 0, "java/lang/Thread", "$gl", "Lgoldilocks/rt/T;"},              /* getfield */
    {.opcode = 0xb0},                                                       /* areturn */
};
const struct gl_jbody_rule gl_j_cur_body = {"cur", "()Lgoldilocks/rt/T;", cur_code, 3, 1};

/* ---- calls ---- */

static const struct gl_jcall_rule application_calls[] = {
    /* wait() gives the monitor up and takes it again; it is final in Object, so whatever class is named, it is that. */
    {NULL, "wait", "()V", R, "await", "(Ljava/lang/Object;)V", 0, false},
    {NULL, "wait", "(J)V", R, "await", "(Ljava/lang/Object;J)V", 0, false},
    {NULL, "wait", "(JI)V", R, "await", "(Ljava/lang/Object;JI)V", 0, false},
    {"java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", R, "arraycopy",
     "(Ljava/lang/Object;ILjava/lang/Object;III)V", GL_JCALL_STATIC, true},
    {"java/lang/Thread", "isAlive", "()Z", R, "isAlive", "(Ljava/lang/Thread;)Z", GL_JCALL_VIRTUAL, false},
};
const struct gl_jcall_rule *gl_j_application_calls = application_calls;
size_t gl_j_application_call_count = sizeof application_calls / sizeof application_calls[0];

static const struct gl_jcall_rule jdk_calls[] = {
    {NULL, "wait", "()V", R, "await", "(Ljava/lang/Object;)V", 0, false},
    {NULL, "wait", "(J)V", R, "await", "(Ljava/lang/Object;J)V", 0, false},
    {NULL, "wait", "(JI)V", R, "await", "(Ljava/lang/Object;JI)V", 0, false},
};
enum { JDK_CALLS = sizeof jdk_calls / sizeof jdk_calls[0] };
const struct gl_jcall_rule *gl_j_jdk_calls = jdk_calls;
size_t gl_j_jdk_call_count = JDK_CALLS;

struct making {
    struct gl_jcall_rule *rule;
    size_t n, room;
    bool failed;
};

static void on_method(void *ctx, const char *name, const char *desc, uint16_t access)
{
    static const char first[] = "(L" UNSAFE ";";
    struct making *m = ctx;
    char old_desc[512];
    size_t n = strlen(desc);
    if (m->failed || !(access & 0x0008) || strncmp(desc, first, sizeof first - 1) != 0 || n >= sizeof old_desc) return;
    old_desc[0] = '(';
    memcpy(old_desc + 1, desc + sizeof first - 1, n - (sizeof first - 1) + 1);
    if (m->n == m->room) {
        size_t room = m->room * 2;
        struct gl_jcall_rule *more = realloc(m->rule, room * sizeof *more);
        if (!more) {
            m->failed = true;
            return;
        }
        m->rule = more;
        m->room = room;
    }
    struct gl_jcall_rule rule = {UNSAFE, gl_j_intern(name), gl_j_intern(old_desc), U, NULL, gl_j_intern(desc), GL_JCALL_VIRTUAL, false};
    rule.to_name = rule.name;
    m->failed = !rule.name || !rule.desc || !rule.to_desc;
    m->rule[m->n++] = rule;
}

bool gl_j_rules_start(const unsigned char *u, size_t n)
{
    struct making m = {.room = 64, .n = JDK_CALLS};
    struct gl_jscan scan = {.ctx = &m, .method = on_method};
    char error[GL_JERROR_BYTES];
    m.rule = malloc(m.room * sizeof *m.rule);
    if (!m.rule) return false;
    memcpy(m.rule, jdk_calls, sizeof jdk_calls);
    if (gl_jclass_scan(u, n, &scan, error) != 0 || m.failed) {
        free(m.rule);
        return false;
    }
    gl_j_jdk_calls = m.rule; /* lives as long as the JVM */
    gl_j_jdk_call_count = m.n;
    return true;
}

/* ---- methods ---- */

#define THREAD_ARG "(Ljava/lang/Thread;)V"

#define ALIVE {"isAlive", "()Z", GL_JWHEN_RETURN, GL_JPASS_RESULT | GL_JPASS_THIS, R, "alive", "(ZLjava/lang/Thread;)V"}
#define INTERRUPT {"interrupt", "()V", GL_JWHEN_ENTRY, GL_JPASS_THIS, R, "interrupt", THREAD_ARG}
#define IS_INTERRUPTED \
    {"isInterrupted", "()Z", GL_JWHEN_RETURN, GL_JPASS_RESULT | GL_JPASS_THIS, R, "interrupted", "(ZLjava/lang/Thread;)V"}
#define START {"start", "()V", GL_JWHEN_ENTRY, GL_JPASS_THIS, R, "fork", THREAD_ARG}
#define START_IN \
    {"start", "(Ljdk/internal/vm/ThreadContainer;)V", GL_JWHEN_ENTRY, GL_JPASS_THIS, R, "fork", THREAD_ARG}

static const struct gl_jmethod_rule thread_rules[] = {
    START,
    START_IN,
    ALIVE, /* native in JDK 17: see application_calls */
    INTERRUPT,
    IS_INTERRUPTED,
    {"join", "(J)V", GL_JWHEN_RETURN, GL_JPASS_THIS, R, "joinReturned", THREAD_ARG},
    {"join", "(Ljava/time/Duration;)Z", GL_JWHEN_RETURN, GL_JPASS_THIS, R, "joinReturned", THREAD_ARG},
    {"getState", "()Ljava/lang/Thread$State;", GL_JWHEN_RETURN, GL_JPASS_RESULT | GL_JPASS_THIS, R, "state",
     "(Ljava/lang/Thread$State;Ljava/lang/Thread;)V"},
    {"interrupted", "()Z", GL_JWHEN_RETURN, GL_JPASS_RESULT, R, "interrupted", "(Z)V"},
    {"setName", "(Ljava/lang/String;)V", GL_JWHEN_RETURN, GL_JPASS_THIS, R, "named", THREAD_ARG},
};
/* Between them the JDK's own scheduler works. */
#define QUIET(name, desc) \
    {name, desc, GL_JWHEN_ENTRY, 0, R, "quiet", "()V"}, {name, desc, GL_JWHEN_RETURN, 0, R, "loud", "()V"}

static const struct gl_jmethod_rule virtual_rules[] = {
    QUIET("submitRunContinuation", "()V"),
    QUIET("submitRunContinuation", "(Ljava/util/concurrent/Executor;Z)V"),
    QUIET("submitRunContinuation", "(Ljava/util/concurrent/ForkJoinPool;)V"),
    QUIET("lazySubmitRunContinuation", "(Ljava/util/concurrent/ForkJoinPool;)V"),
    QUIET("externalSubmitRunContinuation", "(Ljava/util/concurrent/ForkJoinPool;)V"),
    QUIET("externalSubmitRunContinuation", "()V"),
    QUIET("schedule", "(Ljava/lang/Runnable;JLjava/util/concurrent/TimeUnit;)Ljava/util/concurrent/Future;"),
    QUIET("cancelTimeoutTask", "()V"),
    QUIET("cancel", "(Ljava/util/concurrent/Future;)V"),
    START,
    START_IN,
    ALIVE,
    INTERRUPT,
    IS_INTERRUPTED,
    {"run", "(Ljava/lang/Runnable;)V", GL_JWHEN_RETURN, GL_JPASS_THIS, R, "ended", THREAD_ARG},
};

void gl_j_method_rules(const char *class_name, const struct gl_jmethod_rule **rules, size_t *n)
{
    *rules = NULL;
    *n = 0;
    if (strcmp(class_name, "java/lang/Thread") == 0) {
        *rules = thread_rules;
        *n = sizeof thread_rules / sizeof thread_rules[0];
    } else if (strcmp(class_name, "java/lang/VirtualThread") == 0) {
        *rules = virtual_rules;
        *n = sizeof virtual_rules / sizeof virtual_rules[0];
    }
}
