/* SPDX-License-Identifier: Apache-2.0
 *
 * The agent's life: loaded before the VM is up, it hooks the loading of classes; when the VM is up it defines the runtime's
 * classes, instruments the JDK's synchronization, and from then on every class that comes.
 */
#include "java/agent.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/atomic.h"
#include "java/allocated.h"
#include "java/bridge.h"
#include "java/jdk_rules.h"
#include "java/jni_monitor.h"
#include "java/record.h"
#include "java/resources.h"
#include "java/rewrite.h"
#include "java/serial.h"
#include "java/site.h"
#include "java/wait.h"
#include "platform/platform.h"

struct gl_j_agent gl_j_agent = {.out = STDERR_FILENO};

enum { OLDEST = 17, FIRST_WITH_AOT_CACHE = 24, EXIT_REFUSED = 2 };

/* ---- output ---- */

void gl_j_write(void *ctx, const char *text, size_t n)
{
    static _Atomic bool complained;
    (void)ctx;
    long written = gl_os_write(gl_j_agent.out, text, n);
    bool before = false;
    if (written < 0 && atomic_compare_exchange_strong(&complained, &before, true))
        dprintf(STDERR_FILENO, "goldilocks: reports cannot be written (%s); check log_path and the space there\n",
                strerror((int)-written));
}

static void say(const char *format, va_list arguments)
{
    char line[1024];
    int n = snprintf(line, sizeof line, "goldilocks: ");
    int more = vsnprintf(line + n, sizeof line - (size_t)n - 1, format, arguments);
    n += more < (int)sizeof line - n - 1 ? more : (int)sizeof line - n - 2;
    line[n++] = '\n';
    gl_j_write(NULL, line, (size_t)n);
}

void gl_j_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void gl_j_refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    gl_j_agent.out = STDERR_FILENO;
    say(format, arguments);
    va_end(arguments);
    _exit(EXIT_REFUSED);
}

static void print_option(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    gl_os_write(STDOUT_FILENO, text, n);
}

static void open_log(void)
{
    const char *path = gl_j_agent.options.log_path;
    char full[GL_OPTION_TEXT_MAX + 16];
    if (strcmp(path, "stderr") == 0) return;
    if (strcmp(path, "stdout") == 0) {
        gl_j_agent.out = STDOUT_FILENO;
        return;
    }
    snprintf(full, sizeof full, "%s.%u", path, gl_os_pid());
    int fd = gl_os_open_append(full);
    if (fd < 0) gl_j_refuse("log_path: %s cannot be written (%s)", full, strerror(-fd));
    gl_j_agent.out = fd;
}

static void make_dump_folder(void)
{
    const char *folder = gl_j_agent.options.dump;
    if (folder[0] && mkdir(folder, 0777) != 0 && errno != EEXIST)
        gl_j_refuse("dump: the folder %s cannot be made (%s)", folder, strerror(errno));
}

bool gl_j_is_jdk_loader(JNIEnv *env, jobject loader)
{
    return !loader || (gl_j_agent.platform_loader && (*env)->IsSameObject(env, loader, gl_j_agent.platform_loader));
}

/* ---- events ---- */

static bool find_platform_loader(JNIEnv *env)
{
    jclass c = (*env)->FindClass(env, "java/lang/ClassLoader");
    jmethodID get = c ? (*env)->GetStaticMethodID(env, c, "getPlatformClassLoader", "()Ljava/lang/ClassLoader;") : NULL;
    jobject loader = get ? (*env)->CallStaticObjectMethod(env, c, get) : NULL;
    if (!(*env)->ExceptionCheck(env) && loader) gl_j_agent.platform_loader = (*env)->NewGlobalRef(env, loader);
    return gl_j_agent.platform_loader != NULL;
}

static void JNICALL reap(jvmtiEnv *ti, JNIEnv *env, void *method)
{
    (void)ti;
    (*env)->CallStaticVoidMethod(env, gl_j_agent.r, method);
    (void)(*env)->ExceptionCheck(env); /* for -Xcheck:jni: the JVM tells of one, and ends the thread */
}

/* A daemon thread of the JVM's own thread group that runs R.reap(): what dead objects leave behind is given back there.  Not started by
 * Thread.start(), which would load a dozen classes that a short program never needs. */
static bool start_reaper(jvmtiEnv *ti, JNIEnv *env)
{
    jint n = 0;
    jthreadGroup *group = NULL;
    jmethodID method = (*env)->GetStaticMethodID(env, gl_j_agent.r, "reap", "()V");
    jclass c = (*env)->FindClass(env, "java/lang/Thread");
    jmethodID make = c ? (*env)->GetMethodID(env, c, "<init>", "(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;Ljava/lang/String;JZ)V") : NULL;
    jstring name = make ? (*env)->NewStringUTF(env, "Goldilocks reaper") : NULL;
    if (!method || !name || (*ti)->GetTopThreadGroups(ti, &n, &group) != JVMTI_ERROR_NONE) return false;
    jobject thread = n ? (*env)->NewObject(env, c, make, group[0], NULL, name, (jlong)0, JNI_FALSE) : NULL;
    gl_j_free(group);
    return thread && (*ti)->RunAgentThread(ti, thread, reap, method, JVMTI_THREAD_NORM_PRIORITY) == JVMTI_ERROR_NONE;
}

static _Noreturn void cannot_start(JNIEnv *env, const char *what)
{
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionDescribe(env);
    gl_j_refuse("%s; the program was not started", what);
}

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *env, jthread thread)
{
    (void)thread;
    if (!find_platform_loader(env)) cannot_start(env, "the platform class loader is not found");
    jclass r = gl_j_define_runtime(env);
    gl_j_agent.r = r;
    if (!r) cannot_start(env, "the agent's Java classes cannot be defined");
    if ((*env)->RegisterNatives(env, r, gl_jbridge_natives, gl_jbridge_native_count) != 0)
        cannot_start(env, "the agent's native methods do not fit its Java classes");
    static const JNINativeMethod others[] = {{"watchWait", "()Z", (void *)gl_j_watch_wait},
                                             {"defineElements", "()Z", (void *)gl_j_define_elements}};
    if ((*env)->RegisterNatives(env, r, others, sizeof others / sizeof others[0]) != 0)
        cannot_start(env, "the agent's native methods do not fit its Java classes");
    jclass sweep = (*env)->FindClass(env, "goldilocks/rt/Sweep");
    if (!sweep || (*env)->RegisterNatives(env, sweep, gl_jsweep_natives, gl_jsweep_native_count) != 0)
        cannot_start(env, "the agent's native methods do not fit its Java classes");
    jfieldID stacks = (*env)->GetStaticFieldID(env, r, "stacks", "Z");
    if (stacks) (*env)->SetStaticBooleanField(env, r, stacks, gl_j_agent.options.history == GL_J_STACK);
    char error[512];
    bool serially;
    if (!gl_j_record_begin(&serially, error, sizeof error)) cannot_start(env, error);
    jfieldID serial = (*env)->GetStaticFieldID(env, r, "serial", "Z");
    if (serial) (*env)->SetStaticBooleanField(env, r, serial, serially);
    jfieldID stopping = (*env)->GetStaticFieldID(env, r, "stopping", "I");
    if (stopping) (*env)->SetStaticIntField(env, r, stopping, gl_j_agent.options.stop_checking);
    if (!stacks || !serial || !stopping || !gl_jbridge_start(env, r)) cannot_start(env, "the detector cannot be started");
    gl_jbridge_sweep_every((uint64_t)gl_j_agent.options.sweep_segments);
    if (gl_j_agent.feature < GL_J_WAIT_IS_JAVA && !gl_j_wait_begin(env, r)) cannot_start(env, "Object.wait() cannot be watched");
    if (!gl_j_monitors_begin(env, r)) cannot_start(env, "monitors that native code enters cannot be watched");
    gl_j_resources_begin(env);
    gl_j_agent.up = true;
    /* Not before: for each class from its archive the JVM would look for the file. */
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    if (!gl_j_transform_loaded(env)) cannot_start(env, "without it, order between threads would be missed");
    gl_j_allocated_up();
    if (!start_reaper(ti, env)) cannot_start(env, "a thread of the agent cannot be started");
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, NULL);
    if (gl_j_agent.options.verbosity > 0)
        gl_j_say("watching JDK %d, pid %u", gl_j_agent.feature, gl_os_pid());
}

static void JNICALL on_thread_end(jvmtiEnv *ti, JNIEnv *env, jthread thread)
{
    (void)ti;
    gl_jthread_end(gl_jthread_of(env, thread));
}

static void JNICALL on_collected(jvmtiEnv *ti)
{
    (void)ti;
    gl_jbridge_collected();
}

static void print_count(void *ctx, const char *name, const char *sentence, uint64_t value)
{
    (void)ctx;
    gl_j_say("%12llu  %s: %s", (unsigned long long)value, name, sentence);
}
static void print_number(const char *name, uint64_t value)
{
    gl_j_say("%12llu  %s", (unsigned long long)value, name);
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *env)
{
    (void)ti;
    (void)env;
    gl_jbridge_stop();
    gl_j_found_closing();
    uint64_t lost = gl_jbridge_count(GL_JCOUNT_LOST);
    if (lost) gl_j_say("memory ran out: %llu accesses were not recorded, races with them were missed", (unsigned long long)lost);
    gl_j_record_end();
    if (gl_jbridge_core() && gl_core_stopped(gl_jbridge_core()) && !gl_jserial_complaint())
        gl_j_say("%s: checking stopped there, later races were missed",
                 gl_j_sites_lacking() ? "there was no room for the places of more accesses" : "memory ran out at a synchronization");
    if (!gl_j_agent.options.stats) return;
    gl_j_transform_counts(print_number);
    print_number("threads", gl_jbridge_count(GL_JCOUNT_THREADS));
    print_number("synchronization-objects", gl_jbridge_count(GL_JCOUNT_SYNCS));
    if (gl_jbridge_core()) gl_core_counts(gl_jbridge_core(), print_count, NULL);
}

/* ---- loading ---- */

static int feature_of(jvmtiEnv *ti)
{
    char *text = NULL;
    if ((*ti)->GetSystemProperty(ti, "java.vm.specification.version", &text) != JVMTI_ERROR_NONE) return 0;
    int feature = atoi(text);
    (*ti)->Deallocate(ti, (unsigned char *)text);
    return feature;
}

static void demand(jvmtiEnv *ti)
{
    jvmtiCapabilities c = {0};
    c.can_generate_all_class_hook_events = 1;
    c.can_retransform_classes = 1;
    c.can_get_source_file_name = 1;
    c.can_get_line_numbers = 1;
    c.can_get_source_debug_extension = 1;
    c.can_generate_garbage_collection_events = 1;
    c.can_set_native_method_prefix = 1;
    /* The JVM takes no cache then whose classes it would load and link before any agent sees them (-XX:AOTCache). */
    if (gl_j_agent.feature >= FIRST_WITH_AOT_CACHE) c.can_generate_early_vmstart = 1;
    if ((*ti)->AddCapabilities(ti, &c) != JVMTI_ERROR_NONE)
        gl_j_refuse("this JVM does not let an agent transform classes; it may be loaded by -agentpath only, and by itself");
    if ((*ti)->SetNativeMethodPrefix(ti, GL_JNATIVE_PREFIX) != JVMTI_ERROR_NONE) gl_j_refuse("this JVM does not let an agent wrap native methods");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *text, void *reserved)
{
    (void)reserved;
    char error[256];
    jvmtiEnv *ti = NULL;
    if (gl_j_agent.vm) gl_j_refuse("the agent is loaded twice; give -agentpath once");
    if (!gl_j_options_parse(getenv("GOLDILOCKS_JAVA_OPTIONS"), text, &gl_j_agent.options, error, sizeof error))
        gl_j_refuse("%s", error);
    if (gl_j_agent.options.help) {
        gl_options_print(&gl_j_option_set, "", print_option, NULL);
        _exit(0);
    }
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
        gl_j_refuse("this JVM has no tool interface (JVMTI 11); use JDK %d to %d", OLDEST, GL_J_NEWEST);
    gl_j_agent.vm = vm;
    gl_j_agent.ti = ti;
    gl_j_agent.feature = feature_of(ti);
    if (gl_j_agent.feature < OLDEST)
        gl_j_refuse("this is Java %d; the agent needs JDK %d to %d", gl_j_agent.feature, OLDEST, GL_J_NEWEST);
    open_log();
    make_dump_folder();
    if (gl_j_agent.feature > GL_J_NEWEST)
        gl_j_say("JDK %d is newer than what the agent was tested with (%d)", gl_j_agent.feature, GL_J_NEWEST);
    demand(ti);
    if (gl_j_agent.options.allocations && !gl_j_allocated_begin(vm)) gl_j_refuse("allocations: this JVM does not tell what is allocated");
    if (!gl_j_rules_start()) gl_j_refuse("there is no memory for the agent's tables");
    jvmtiEventCallbacks on = {.VMInit = on_vm_init, .VMDeath = on_vm_death, .ClassFileLoadHook = gl_j_on_class,
                              .ThreadEnd = on_thread_end, .GarbageCollectionFinish = on_collected};
    (*ti)->SetEventCallbacks(ti, &on, sizeof on);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
    return JNI_OK;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *text, void *reserved)
{
    (void)vm;
    (void)text;
    (void)reserved;
    gl_j_say("cannot be attached to a running JVM: synchronization before the attachment would be unknown, and every answer"
             " could be a false alarm; start the program with -agentpath");
    return JNI_ERR;
}

JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm)
{
    (void)vm;
    if (gl_j_races() && gl_j_agent.options.exitcode) {
        fflush(NULL);
        _exit(gl_j_agent.options.exitcode);
    }
}
