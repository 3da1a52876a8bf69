/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules, by table; those for Unsafe are as many as U has methods.
 */
#include "java/jdk_rules.h"

#include <stdlib.h>
#include <string.h>

#include "java/agent.h"
#include "java/site.h"

#define R "goldilocks/rt/R"
#define U "goldilocks/rt/U"
#define RANGES "goldilocks/rt/Ranges"
#define STREAMS "goldilocks/rt/Streams"
#define REFLECT "goldilocks/rt/Reflect"
#define LINKS "goldilocks/rt/Links"
#define HANDLES "goldilocks/rt/Handles"
#define CLONES "goldilocks/rt/Clones"
#define HIDDEN "goldilocks/rt/Hidden"
#define UNSAFE "jdk/internal/misc/Unsafe"

/* ---- calls ---- */

#define OBJECT "Ljava/lang/Object;"
#define ENUM "Ljava/lang/Enum;"

#define LOOKUP "java/lang/invoke/MethodHandles$Lookup"
#define HANDLE "Ljava/lang/invoke/MethodHandle;"
#define FIND(name) \
    {LOOKUP, name, "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)" HANDLE, HANDLES, name, \
     "(L" LOOKUP ";Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;I)" HANDLE, GL_JCALL_VIRTUAL, true}
#define UNREFLECT(name) \
    {LOOKUP, name, "(Ljava/lang/reflect/Field;)" HANDLE, HANDLES, name, "(L" LOOKUP ";Ljava/lang/reflect/Field;I)" HANDLE, \
     GL_JCALL_VIRTUAL, true}
#define ELEMENT(name) \
    {"java/lang/invoke/MethodHandles", name, "(Ljava/lang/Class;)" HANDLE, HANDLES, name, "(Ljava/lang/Class;I)" HANDLE, \
     GL_JCALL_STATIC, true}

#define STREAM(owner, array) \
    {"java/util/stream/" owner, "of", "(" array ")Ljava/util/stream/" owner ";", STREAMS, "stream", \
     "(" array "I)Ljava/util/stream/" owner ";", GL_JCALL_STATIC, true}

static const struct gl_jcall_rule application_calls[] = {
    FIND("findGetter"),
    FIND("findSetter"),
    FIND("findStaticGetter"),
    FIND("findStaticSetter"),
    UNREFLECT("unreflectGetter"),
    UNREFLECT("unreflectSetter"),
    {"java/lang/Thread", "isAlive", "()Z", R, "isAlive", "(Ljava/lang/Thread;)Z", GL_JCALL_VIRTUAL, false},
    /* Who calls it matters to a security manager only. */
    {"java/lang/Class", "forName", "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;", R, "forName",
     "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;", GL_JCALL_STATIC, false},
};
/* With array elements; those of Ranges and Streams follow. */
static const struct gl_jcall_rule element_calls[] = {
    {"java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", R, "arraycopy",
     "(Ljava/lang/Object;ILjava/lang/Object;III)V", GL_JCALL_STATIC, true},
    ELEMENT("arrayElementGetter"),
    ELEMENT("arrayElementSetter"),
    STREAM("Stream", "[" OBJECT),
    STREAM("IntStream", "[I"),
    STREAM("LongStream", "[J"),
    STREAM("DoubleStream", "[D"),
};

#define FILTER "([Ljava/lang/reflect/Member;Ljava/util/Set;)[Ljava/lang/reflect/Member;"
static const struct gl_jcall_rule jdk_calls[] = {
    {"jdk/internal/reflect/Reflection", "filter", FILTER, HIDDEN, "filter", FILTER, GL_JCALL_STATIC, false},
    {"java/io/ObjectStreamClass", "hasStaticInitializer", "(Ljava/lang/Class;)Z", HIDDEN, "hasInitializer", "(Ljava/lang/Class;)Z",
     GL_JCALL_STATIC, false},
};

/* ---- calls that stay ---- */

/* Reads and writes are told the type that the method is for, or the value that is to be written: the call may refuse it. */
#define FIELD_GET(name, type) \
    {"java/lang/reflect/Field", name, "(" OBJECT ")" type, REFLECT, "read", "(Ljava/lang/reflect/Field;" OBJECT "II)" OBJECT, \
     "readDone", "(" OBJECT ")V", GL_JCALL_VIRTUAL, true, type}
#define FIELD_SET(name, type) \
    {"java/lang/reflect/Field", name, "(" OBJECT type ")V", REFLECT, "write", "(Ljava/lang/reflect/Field;" OBJECT "II)V", \
     NULL, NULL, GL_JCALL_VIRTUAL, true, type}
#define FIELD_SET_VALUE \
    {"java/lang/reflect/Field", "set", "(" OBJECT OBJECT ")V", REFLECT, "write", \
     "(Ljava/lang/reflect/Field;" OBJECT OBJECT "I)V", NULL, NULL, GL_JCALL_VIRTUAL, true, NULL}
#define ARRAY_GET(name, type) \
    {"java/lang/reflect/Array", name, "(" OBJECT "I)" type, REFLECT, "aread", "(" OBJECT "III)V", NULL, NULL, GL_JCALL_STATIC, \
     true, type}
#define ARRAY_SET(name, type) \
    {"java/lang/reflect/Array", name, "(" OBJECT "I" type ")V", REFLECT, "awrite", "(" OBJECT "III)V", NULL, NULL, \
     GL_JCALL_STATIC, true, type}
#define ARRAY_SET_VALUE \
    {"java/lang/reflect/Array", "set", "(" OBJECT "I" OBJECT ")V", REFLECT, "awrite", "(" OBJECT "I" OBJECT "I)V", NULL, NULL, \
     GL_JCALL_STATIC, true, NULL}
#define EACH_TYPE(GET, SET, SET_VALUE) \
    GET("get", OBJECT), GET("getBoolean", "Z"), GET("getByte", "B"), GET("getChar", "C"), GET("getShort", "S"), \
        GET("getInt", "I"), GET("getLong", "J"), GET("getFloat", "F"), GET("getDouble", "D"), SET_VALUE, \
        SET("setBoolean", "Z"), SET("setByte", "B"), SET("setChar", "C"), SET("setShort", "S"), SET("setInt", "I"), \
        SET("setLong", "J"), SET("setFloat", "F"), SET("setDouble", "D")
#define CLONE(owner, before, opcodes) \
    {owner, "clone", "()" OBJECT, CLONES, before, "(" OBJECT "I)V", "cloned", "(" OBJECT ")V", opcodes, true, NULL}

static const struct gl_jaround_rule application_arounds[] = {
    CLONE("[", "cloningArray", GL_JCALL_VIRTUAL),
    CLONE(NULL, "cloning", GL_JCALL_VIRTUAL | GL_JCALL_INTERFACE),
    CLONE(NULL, "cloningSuper", GL_JCALL_SPECIAL),
    {"java/lang/invoke/VarHandle", NULL, NULL, R, "at", "(I)V", "atDone", "()V", GL_JCALL_VIRTUAL, true, NULL},
    {"java/lang/ref/Reference", "reachabilityFence", "(" OBJECT ")V", R, "reachable", "(" OBJECT ")V", NULL, NULL, GL_JCALL_STATIC,
     false, NULL},
    {"java/lang/Class", "forName", "(Ljava/lang/String;)Ljava/lang/Class;", R, NULL, NULL, "initialized", "(Ljava/lang/Class;)V",
     GL_JCALL_STATIC, false, NULL},
    {"java/lang/Class", "getEnumConstants", "()[" OBJECT, R, NULL, NULL, "initialized", "([" OBJECT ")V", GL_JCALL_VIRTUAL, false, NULL},
    {LOOKUP, "ensureInitialized", "(Ljava/lang/Class;)Ljava/lang/Class;", R, NULL, NULL, "initialized", "(Ljava/lang/Class;)V",
     GL_JCALL_VIRTUAL, false, NULL},
    {"java/lang/Enum", "valueOf", "(Ljava/lang/Class;Ljava/lang/String;)" ENUM, R, NULL, NULL, "initialized", "(" ENUM ")V",
     GL_JCALL_STATIC, false, NULL},
    EACH_TYPE(FIELD_GET, FIELD_SET, FIELD_SET_VALUE),
    /* The rest: elements of arrays. */
    {NULL, "toArray", "([" OBJECT ")[" OBJECT, RANGES, "toArray", "(" OBJECT "[" OBJECT "I)V", NULL, NULL,
     GL_JCALL_VIRTUAL | GL_JCALL_INTERFACE, true, NULL},
    EACH_TYPE(ARRAY_GET, ARRAY_SET, ARRAY_SET_VALUE),
};
enum { ELEMENT_AROUNDS = 1 + 18 };

static const struct gl_jaround_rule jdk_arounds[] = {
    {"jdk/internal/access/JavaLangAccess", "getEnumConstantsShared", "(Ljava/lang/Class;)[" ENUM, R, NULL, NULL, "initialized",
     "([" OBJECT ")V", GL_JCALL_INTERFACE, false, NULL},
    /* By ObjectInputStream; the class's map of its constants answers, which is no use of the class. */
    {"java/lang/Enum", "valueOf", "(Ljava/lang/Class;Ljava/lang/String;)" ENUM, R, NULL, NULL, "initialized", "(" ENUM ")V",
     GL_JCALL_STATIC, false, NULL},
    CLONE("java/lang/Object", "cloningSuper", GL_JCALL_SPECIAL),
};

/* ---- tables made from the runtime's classes ---- */

struct making {
    const char *owner, *to_owner, *first; /* first: what the descriptors begin with, or NULL */
    unsigned opcodes;
    struct gl_jcall_rule *rule;
    size_t n, room;
    bool failed;
    struct gl_jcall_filter filter; /* of these and of those around */
};

static struct making of_application, of_jdk; /* live as long as the JVM */

static void add(struct making *m, const struct gl_jcall_rule *rule)
{
    if (m->n == m->room) {
        size_t room = m->room ? m->room * 2 : 64;
        struct gl_jcall_rule *more = realloc(m->rule, room * sizeof *more);
        if (!more) {
            m->failed = true;
            return;
        }
        m->rule = more;
        m->room = room;
    }
    m->rule[m->n++] = *rule;
}

/* The method stands for owner.name, whose descriptor lacks `first` at the front, or the site at the end. */
static void on_method(void *ctx, const char *name, const char *desc, uint16_t access)
{
    struct making *m = ctx;
    char old_desc[512];
    size_t n = strlen(desc), first = m->first ? strlen(m->first) : 1;
    const char *end = strchr(desc, ')');
    if (m->failed || !(access & 0x0008) || !(access & 0x0001) || !end || n >= sizeof old_desc) return; /* static, public */
    if (m->first && strncmp(desc, m->first, first) != 0) return;
    size_t arguments = (size_t)(end - desc) - first - !m->first;
    old_desc[0] = '(';
    memcpy(old_desc + 1, desc + first, arguments);
    memcpy(old_desc + 1 + arguments, end, strlen(end) + 1);
    struct gl_jcall_rule rule = {m->owner, gl_j_intern(name), gl_j_intern(old_desc), m->to_owner, NULL, gl_j_intern(desc), m->opcodes,
                                 !m->first};
    rule.to_name = rule.name;
    if (!rule.name || !rule.desc || !rule.to_desc)
        m->failed = true;
    else
        add(m, &rule);
}

static bool add_methods(struct making *m, const char *class_name)
{
    struct gl_jscan scan = {.ctx = m, .method = on_method};
    char error[GL_JERROR_BYTES];
    size_t n;
    const unsigned char *bytes = gl_j_runtime_class(class_name, &n);
    return bytes && gl_jclass_scan(bytes, n, &scan, error) == 0 && !m->failed;
}

bool gl_j_rules_start(void)
{
    of_application = (struct making){.owner = "java/util/Arrays", .to_owner = RANGES, .opcodes = GL_JCALL_STATIC};
    of_jdk = (struct making){.owner = UNSAFE, .to_owner = U, .first = "(L" UNSAFE ";", .opcodes = GL_JCALL_VIRTUAL};
    for (size_t i = 0; i < sizeof application_calls / sizeof application_calls[0]; i++) add(&of_application, &application_calls[i]);
    for (size_t i = 0; i < sizeof element_calls / sizeof element_calls[0]; i++) add(&of_application, &element_calls[i]);
    for (size_t i = 0; i < sizeof jdk_calls / sizeof jdk_calls[0]; i++) add(&of_jdk, &jdk_calls[i]);
    bool made = add_methods(&of_application, RANGES) && add_methods(&of_application, RANGES "Two") &&
                add_methods(&of_application, RANGES "Deep") && add_methods(&of_application, RANGES "Search") &&
                add_methods(&of_application, RANGES "Small") && add_methods(&of_jdk, U) &&
                add_methods(&of_jdk, U "More") && add_methods(&of_jdk, U "Short") && add_methods(&of_jdk, U "Plain");
    of_application.to_owner = STREAMS;
    made = made && add_methods(&of_application, STREAMS);
    gl_jcall_filter_make(&of_application.filter, of_application.rule, of_application.n, application_arounds,
                         sizeof application_arounds / sizeof application_arounds[0]);
    gl_jcall_filter_make(&of_jdk.filter, of_jdk.rule, of_jdk.n, jdk_arounds, sizeof jdk_arounds / sizeof jdk_arounds[0]);
    return made;
}

struct gl_j_calls gl_j_application_calls(bool arrays)
{
    enum { ALL = sizeof application_calls / sizeof application_calls[0], AROUNDS = sizeof application_arounds / sizeof application_arounds[0] };
    return (struct gl_j_calls){of_application.rule, arrays ? of_application.n : ALL, application_arounds,
                               arrays ? AROUNDS : AROUNDS - ELEMENT_AROUNDS, &of_application.filter};
}

struct gl_j_calls gl_j_jdk_calls(void)
{
    return (struct gl_j_calls){of_jdk.rule, of_jdk.n, jdk_arounds, sizeof jdk_arounds / sizeof jdk_arounds[0], &of_jdk.filter};
}

/* ---- fields ---- */

/* Plain fields that are read with an acquireFence() or loadFence() behind, and published by a releaseFence(), an ordered operation, or
 * with what moved into the object; and a final one, by which ClassValue.get() hands on what computeValue() made: final fields pass on what they lead
 * to (JLS 17.5), and programs rest on it. */
static const struct {
    const char *owner, *name;
} volatile_fields[] = {
    {"java/util/concurrent/ConcurrentSkipListMap", "head"},
    {"java/util/concurrent/ConcurrentSkipListMap$Node", "val"},
    {"java/util/concurrent/ConcurrentSkipListMap$Node", "next"},
    {"java/util/concurrent/ConcurrentSkipListMap$Index", "right"},
    {"java/util/concurrent/LinkedTransferQueue$DualNode", "next"}, /* JDK 21 and later, also of SynchronousQueue; volatile before */
    {"java/util/concurrent/SubmissionPublisher$BufferedSubscription", "array"},
    {"java/util/concurrent/ForkJoinPool$WorkQueue", "array"},
    {"java/util/concurrent/ForkJoinPool", "queues"},
    {"java/lang/ClassValue$Entry", "value"},
};

bool gl_j_acts_volatile(const char *class_name, const char *field)
{
    if (strncmp(class_name, "java/", 5) != 0) return false;
    for (size_t i = 0; i < sizeof volatile_fields / sizeof volatile_fields[0]; i++)
        if (strcmp(volatile_fields[i].owner, class_name) == 0 && strcmp(volatile_fields[i].name, field) == 0) return true;
    return false;
}

/* ---- methods ---- */

#define THREAD_ARG "(Ljava/lang/Thread;)V"
#define CATCHER "Ljava/lang/Thread$UncaughtExceptionHandler;"
#define CATCHER_ARG "(" CATCHER ")V"

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
    {"getThreadGroup", "()Ljava/lang/ThreadGroup;", GL_JWHEN_RETURN, GL_JPASS_RESULT | GL_JPASS_THIS, R, "grouped",
     "(Ljava/lang/ThreadGroup;Ljava/lang/Thread;)V"},
    {"interrupted", "()Z", GL_JWHEN_RETURN, GL_JPASS_RESULT, R, "interrupted", "(Z)V"},
    {"setName", "(Ljava/lang/String;)V", GL_JWHEN_RETURN, GL_JPASS_THIS, R, "named", THREAD_ARG},
    /* Both are volatile variables; whoever calls a handler gets it so. */
    {"setUncaughtExceptionHandler", CATCHER_ARG, GL_JWHEN_ENTRY, GL_JPASS_THIS, R, "givesHandler", THREAD_ARG},
    {"getUncaughtExceptionHandler", "()" CATCHER, GL_JWHEN_RETURN, GL_JPASS_THIS, R, "takesHandler", THREAD_ARG},
    {"setDefaultUncaughtExceptionHandler", CATCHER_ARG, GL_JWHEN_ENTRY, 0, R, "givesHandler", "()V"},
    {"getDefaultUncaughtExceptionHandler", "()" CATCHER, GL_JWHEN_RETURN, 0, R, "takesHandler", "()V"},
    {"exit", "()V", GL_JWHEN_ENTRY, GL_JPASS_THIS, R, "lastAct", THREAD_ARG}, /* called by the JVM */
};
/* Called by the JVM when it has found that the last thread that is no daemon has ended; not by System.exit(). */
static const struct gl_jmethod_rule shutdown_rules[] = {
    {"shutdown", "()V", GL_JWHEN_ENTRY, 0, R, "lastEnded", "()V"},
};
/* From JDK 19 on; before, wait() is native (java/wait.c).  The InterruptedException that it may throw is made when the monitor is held
 * again. */
static const struct gl_jmethod_rule object_rules[] = {
    {"wait", "(J)V", GL_JWHEN_ENTRY, GL_JPASS_THIS | GL_JPASS_ARGS | GL_JPASS_NATIVE, R, "waits", "(" OBJECT "J)V"},
    {"wait", "(J)V", GL_JWHEN_RETURN, 0, R, "waited", "()V"},
};
/* Whoever makes one has found out that it is interrupted: the JVM and the JDK make them in the interrupted thread. */
static const struct gl_jmethod_rule interrupted_rules[] = {
    {"<init>", "()V", GL_JWHEN_RETURN, 0, R, "interrupted", "()V"},
    {"<init>", "(Ljava/lang/String;)V", GL_JWHEN_RETURN, 0, R, "interrupted", "()V"},
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

/* JLS 12.6.2: the end of a constructor comes before the finalizer. */
static const struct gl_jmethod_rule finalizer_rules[] = {
    {"<init>", NULL, GL_JWHEN_RETURN, GL_JPASS_THIS, R, "constructed", "(" OBJECT ")V"},
    {"finalize", "()V", GL_JWHEN_ENTRY, GL_JPASS_THIS, R, "finalizing", "(" OBJECT ")V"},
};

void gl_j_finalizer_rules(const struct gl_jmethod_rule **rules, size_t *n)
{
    *rules = finalizer_rules;
    *n = sizeof finalizer_rules / sizeof finalizer_rules[0];
}

/* Package java.lang.ref, "Memory Consistency Properties": what comes before a reachabilityFence(x) comes before a reference to x
 * leaves its queue. */
#define DEQUEUED(name, desc) \
    {name, desc "Ljava/lang/ref/Reference;", GL_JWHEN_RETURN, GL_JPASS_RESULT, R, "dequeued", "(Ljava/lang/ref/Reference;)V"}
static const struct gl_jmethod_rule queue_rules[] = {DEQUEUED("poll", "()"), DEQUEUED("remove", "()"), DEQUEUED("remove", "(J)")};

/* JLS 12.4.1: an instance is created, without a constructor of its class. */
static const struct gl_jmethod_rule stream_class_rules[] = {
    {"newInstance", "()" OBJECT, GL_JWHEN_RETURN, GL_JPASS_RESULT, R, "instantiated", "(" OBJECT ")V"},
};

/* The constructor ends before anybody has the entry, and get() reads its field `value` (volatile_fields). */
static const struct gl_jmethod_rule class_value_rules[] = {
    {"<init>", "(Ljava/lang/ClassValue$Version;" OBJECT ")V", GL_JWHEN_RETURN, GL_JPASS_THIS, R, "holdsValue", "(" OBJECT ")V"},
};

/* Package java.util.concurrent, "Memory Consistency Properties": what comes before a task is submitted comes before its execution.  The queue
 * of those that come from outside of the pool gets them by a plain store and an unlocking at which who takes them does not look.  (JDK 17; 21 and later.
 * With JDK 21 that of a worker, too.) */
static const struct gl_jmethod_rule work_queue_rules[] = {
    {"lockedPush", "(Ljava/util/concurrent/ForkJoinTask;)Z", GL_JWHEN_ENTRY, GL_JPASS_ARGS, R, "submitted", "(" OBJECT ")V"},
    {"push", "(Ljava/util/concurrent/ForkJoinTask;Ljava/util/concurrent/ForkJoinPool;Z)V", GL_JWHEN_ENTRY, GL_JPASS_ARGS, R, "submitted",
     "(" OBJECT OBJECT "Z)V"},
};
static const struct gl_jmethod_rule task_rules[] = {{"doExec", NULL, GL_JWHEN_ENTRY, GL_JPASS_THIS, R, "executes", "(" OBJECT ")V"}};

/* The owner of a flock awaits its threads by a count; the carrier of a virtual thread that has ended counts for it. */
static const struct gl_jmethod_rule flock_rules[] = {
    {"onExit", THREAD_ARG, GL_JWHEN_ENTRY, GL_JPASS_ARGS, R, "counted", THREAD_ARG},
};

/* These are synchronized, but for setStackTrace(), which has a block, and do nothing with the program's data.  The monitor that
 * fillInStackTrace() takes in constructors is left alone: nobody else has the object, and every exception would take four times as long. */
#define UNDER_MONITOR(name, desc, when) {name, desc, when, GL_JPASS_THIS, R, "passes", "(" OBJECT ")V"}
static const struct gl_jmethod_rule throwable_rules[] = {
    UNDER_MONITOR("addSuppressed", "(Ljava/lang/Throwable;)V", GL_JWHEN_ENTRY),
    UNDER_MONITOR("getSuppressed", "()[Ljava/lang/Throwable;", GL_JWHEN_ENTRY),
    UNDER_MONITOR("initCause", "(Ljava/lang/Throwable;)Ljava/lang/Throwable;", GL_JWHEN_ENTRY),
    UNDER_MONITOR("getCause", "()Ljava/lang/Throwable;", GL_JWHEN_ENTRY),
    UNDER_MONITOR("getOurStackTrace", "()[Ljava/lang/StackTraceElement;", GL_JWHEN_ENTRY),
    UNDER_MONITOR("setStackTrace", "([Ljava/lang/StackTraceElement;)V", GL_JWHEN_ENTRY),
    UNDER_MONITOR("setStackTrace", "([Ljava/lang/StackTraceElement;)V", GL_JWHEN_RETURN),
};

/* What the JVM calls to link a call site or a dynamic constant: what a bootstrap method of the application has done comes before the site
 * calls its target, and before the constant is got.  And the write of a VolatileCallSite; getTargetVolatile() reads by Unsafe. */
#define BINDS "Ljava/lang/invoke/MethodHandle;Ljava/lang/String;"
#define SITE "Ljava/lang/invoke/CallSite;"
static const struct gl_jmethod_rule call_site_rules[] = {
    {"makeSite", "(" BINDS "Ljava/lang/invoke/MethodType;" OBJECT "Ljava/lang/Class;)" SITE, GL_JWHEN_RETURN, GL_JPASS_RESULT | GL_JPASS_ARGS,
     LINKS, "linked", "(" SITE BINDS "Ljava/lang/invoke/MethodType;" OBJECT "Ljava/lang/Class;)" SITE},
    {"setTargetVolatile", "(Ljava/lang/invoke/MethodHandle;)V", GL_JWHEN_ENTRY, GL_JPASS_THIS, LINKS, "setsTarget", "(" SITE ")V"},
};
static const struct gl_jmethod_rule constant_rules[] = {
    {"makeConstant", NULL, GL_JWHEN_RETURN, GL_JPASS_RESULT, LINKS, "made", "(" OBJECT ")V"},
};

void gl_j_method_rules(const char *class_name, const struct gl_jmethod_rule **rules, size_t *n)
{
    *rules = NULL;
    *n = 0;
    if (strcmp(class_name, "java/lang/Thread") == 0) {
        *rules = thread_rules;
        *n = sizeof thread_rules / sizeof thread_rules[0];
    } else if (strcmp(class_name, "java/lang/Shutdown") == 0) {
        *rules = shutdown_rules;
        *n = sizeof shutdown_rules / sizeof shutdown_rules[0];
    } else if (strcmp(class_name, "java/lang/Object") == 0) {
        *rules = object_rules;
        *n = sizeof object_rules / sizeof object_rules[0];
    } else if (strcmp(class_name, "jdk/internal/misc/ThreadFlock") == 0) {
        *rules = flock_rules;
        *n = sizeof flock_rules / sizeof flock_rules[0];
    } else if (strcmp(class_name, "java/lang/ref/ReferenceQueue") == 0) {
        *rules = queue_rules;
        *n = sizeof queue_rules / sizeof queue_rules[0];
    } else if (strcmp(class_name, "java/lang/InterruptedException") == 0) {
        *rules = interrupted_rules;
        *n = sizeof interrupted_rules / sizeof interrupted_rules[0];
    } else if (strcmp(class_name, "java/lang/ClassValue$Entry") == 0) {
        *rules = class_value_rules;
        *n = sizeof class_value_rules / sizeof class_value_rules[0];
    } else if (strcmp(class_name, "java/util/concurrent/ForkJoinPool$WorkQueue") == 0) {
        *rules = work_queue_rules;
        *n = sizeof work_queue_rules / sizeof work_queue_rules[0];
    } else if (strcmp(class_name, "java/util/concurrent/ForkJoinTask") == 0) {
        *rules = task_rules;
        *n = sizeof task_rules / sizeof task_rules[0];
    } else if (strcmp(class_name, "java/lang/Throwable") == 0) {
        *rules = throwable_rules;
        *n = sizeof throwable_rules / sizeof throwable_rules[0];
    } else if (strcmp(class_name, "java/lang/invoke/CallSite") == 0) {
        *rules = call_site_rules;
        *n = sizeof call_site_rules / sizeof call_site_rules[0];
    } else if (strcmp(class_name, "java/lang/invoke/ConstantBootstraps") == 0) {
        *rules = constant_rules;
        *n = sizeof constant_rules / sizeof constant_rules[0];
    } else if (strcmp(class_name, "java/io/ObjectStreamClass") == 0) {
        *rules = stream_class_rules;
        *n = sizeof stream_class_rules / sizeof stream_class_rules[0];
    } else if (strcmp(class_name, "java/lang/VirtualThread") == 0) {
        *rules = virtual_rules;
        *n = sizeof virtual_rules / sizeof virtual_rules[0];
    }
}
