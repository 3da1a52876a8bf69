/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages, locks, waiting, files and the process, against the real kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "platform/platform.h"

static void pages_are_zero_and_writable(void **state)
{
    (void)state;
    unsigned char *p = gl_os_map(3 * 4096);
    assert_non_null(p);
    for (int i = 0; i < 3 * 4096; i++)
        assert_int_equal(p[i], 0);
    memset(p, 7, 3 * 4096);
    gl_os_discard((uintptr_t)p + 4096, 4096);
    assert_int_equal(p[4095], 7);
    assert_int_equal(p[4096], 0);
    assert_int_equal(p[8191], 0);
    assert_int_equal(p[8192], 7);
    gl_os_unmap(p, 3 * 4096);
    unsigned char resident;
    assert_int_equal(mincore(p, 4096, &resident), -1); /* no longer mapped */
    assert_null(gl_os_map(SIZE_MAX & ~4095ul));
}

static void pages_get_memory_ahead(void **state)
{
    (void)state;
    unsigned char *p = gl_os_map(4 * 4096), resident[4];
    assert_non_null(p);
    p[4096] = 7;
    bool supported = madvise(p + 3 * 4096, 4096, 23 /* MADV_POPULATE_WRITE */) == 0; /* from Linux 5.14 on */
    gl_os_populate((uintptr_t)p, 2 * 4096);
    assert_int_equal(mincore(p, 4 * 4096, resident), 0);
    assert_int_equal(resident[0] & 1, supported);
    assert_int_equal(p[4096], 7);
    for (int i = 0; i < 4 * 4096; i++)
        assert_int_equal(p[i], i == 4096 ? 7 : 0);
    gl_os_populate((uintptr_t)p + (1ul << 46), 4096); /* nothing there: advice, no more */
    gl_os_unmap(p, 4 * 4096);
}

static void locked_pages_are_cleared_too(void **state)
{
    (void)state;
    unsigned char *p = gl_os_map(4096);
    if (mlock(p, 4096) != 0)
        skip();
    p[5] = 1;
    gl_os_discard((uintptr_t)p, 4096);
    assert_int_equal(p[5], 0);
    gl_os_unmap(p, 4096);
}

static void an_address_is_taken_exactly_or_not_at_all(void **state)
{
    (void)state;
    size_t huge = 1ul << 40; /* a terabyte of address space costs nothing */
    uintptr_t at = 0x200000000000;
    assert_true(gl_os_map_at(at, huge));
    volatile char *p = (char *)at;
    assert_int_equal(p[huge - 1], 0);
    p[huge - 1] = 1;
    assert_false(gl_os_map_at(at + huge - 4096, 4096)); /* taken */
    assert_int_equal(p[huge - 1], 1);
    gl_os_huge_pages(at, huge, false);
    char line[256];
    bool dump_off = false, inside = false, small = false;
    FILE *f = fopen("/proc/self/smaps", "r");
    while (fgets(line, sizeof line, f)) {
        unsigned long from;
        if (sscanf(line, "%lx-", &from) == 1 && strchr(line, '-'))
            inside = from == at;
        if (inside && strncmp(line, "VmFlags:", 8) == 0) {
            dump_off = strstr(line, " dd") != NULL;
            small = strstr(line, " nh") != NULL;
        }
    }
    fclose(f);
    assert_true(dump_off);
    assert_true(small || access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0);
    gl_os_unmap((void *)at, huge);
}

static struct gl_spin lock;
static long counter; /* guarded by lock */

static void *count(void *arg)
{
    (void)arg;
    for (int i = 0; i < 50000; i++) {
        gl_spin_lock(&lock);
        counter++;
        gl_spin_unlock(&lock);
    }
    return NULL;
}

static void the_lock_excludes(void **state)
{
    (void)state;
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&t[i], NULL, count, NULL), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert_int_equal(counter, 200000);
    assert_int_equal(lock.word, 0);
    assert_true(gl_spin_is_free(&lock));
    assert_true(gl_spin_try(&lock));
    assert_false(gl_spin_try(&lock));
    assert_false(gl_spin_is_free(&lock));
    gl_spin_unlock(&lock);
    assert_true(gl_spin_try(&lock));
    gl_spin_unlock(&lock);
}

static jmp_buf left;
static void leave(void) { longjmp(left, 1); }

static void *hold_a_while(void *arg)
{
    gl_spin_lock(arg);
    gl_os_sleep_ms(50);
    gl_spin_unlock(arg);
    return NULL;
}

static void who_is_in_a_hurry_leaves(void **state)
{
    (void)state;
    static struct gl_spin other;
    gl_spin_hurry(gl_os_tid(), leave);
    if (setjmp(left) == 0) { /* a lock that comes free is waited for */
        pthread_t t;
        assert_int_equal(pthread_create(&t, NULL, hold_a_while, &other), 0);
        while (gl_spin_is_free(&other))
            gl_os_sleep_ms(1);
        gl_spin_lock(&other);
        gl_spin_unlock(&other);
        pthread_join(t, NULL);
    } else {
        fail_msg("left a lock that was not its own");
    }
    assert_true(gl_spin_try(&other)); /* and one that we hold ourselves is not */
    if (setjmp(left) == 0) {
        gl_spin_lock(&other);
        fail_msg("got what it had");
    }
    gl_spin_hurry(0, NULL);
}

static _Atomic uint32_t sleeper_tid;

static void *sleeper(void *arg)
{
    (void)arg;
    sleeper_tid = gl_os_tid();
    gl_spin_lock(&lock);
    gl_spin_unlock(&lock);
    return NULL;
}

/* Waits until the waiter sleeps in the kernel, so that the unlock has somebody to wake. */
static void a_sleeping_waiter_is_woken(void **state)
{
    (void)state;
    gl_spin_lock(&lock);
    pthread_t t;
    assert_int_equal(pthread_create(&t, NULL, sleeper, NULL), 0);
    while (!sleeper_tid)
        gl_os_pause(100);
    char path[64], stat[512];
    snprintf(path, sizeof path, "/proc/self/task/%u/stat", sleeper_tid);
    do {
        assert_true(gl_os_read_file(path, stat, sizeof stat) > 0);
        gl_os_pause(2000);
    } while (!strstr(stat, ") S ") || __atomic_load_n(&lock.word, __ATOMIC_RELAXED) != 2);
    gl_spin_unlock(&lock);
    pthread_join(t, NULL);
    assert_int_equal(lock.word, 0);
}

static void futex_deadlines_are_absolute(void **state)
{
    (void)state;
    uint32_t word = 5;
    assert_int_equal(gl_os_futex_wait(&word, 4, NULL, false), 0); /* value differs */
    for (int realtime = 0; realtime < 2; realtime++) {
        clockid_t clock = realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC;
        struct timespec start, deadline, end;
        clock_gettime(clock, &start);
        deadline = start;
        deadline.tv_nsec += 20000000;
        if (deadline.tv_nsec >= 1000000000) {
            deadline.tv_sec++;
            deadline.tv_nsec -= 1000000000;
        }
        assert_int_equal(gl_os_futex_wait(&word, 5, &deadline, realtime), -ETIMEDOUT);
        clock_gettime(clock, &end);
        assert_true(end.tv_sec > deadline.tv_sec ||
                    (end.tv_sec == deadline.tv_sec && end.tv_nsec >= deadline.tv_nsec));
        assert_int_equal(gl_os_futex_wait(&word, 5, &start, realtime), -ETIMEDOUT); /* already past */
    }
    gl_os_futex_wake(&word, 1); /* nobody there */
}

static void files_are_appended_and_read_back(void **state)
{
    (void)state;
    char path[] = "/tmp/platform_os_test.XXXXXX";
    int made = mkstemp(path);
    assert_true(made >= 0);
    close(made);
    for (int i = 0; i < 2; i++) {
        int fd = gl_os_open_append(path);
        assert_true(fd >= 0);
        assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
        assert_int_equal(gl_os_write(fd, "hello\n", 6), 6);
        assert_false(gl_os_isatty(fd));
        gl_os_close(fd);
        assert_int_equal(fcntl(fd, F_GETFD), -1);
    }
    char buf[32];
    assert_int_equal(gl_os_read_file(path, buf, sizeof buf), 12);
    assert_string_equal(buf, "hello\nhello\n");
    assert_int_equal(gl_os_read_file(path, buf, 13), 12);
    assert_int_equal(gl_os_read_file(path, buf, 12), -EFBIG); /* no room for the terminator */
    assert_int_equal(gl_os_read_file(path, buf, 0), -EINVAL);
    assert_true(gl_os_exists(path));
    unlink(path);
    assert_false(gl_os_exists(path));
    assert_int_equal(gl_os_read_file(path, buf, sizeof buf), -ENOENT);
    assert_string_equal(buf, "");
    assert_int_equal(gl_os_open_append("/nonexistent/file"), -ENOENT);
    assert_int_equal(gl_os_write(-1, "x", 1), -EBADF);
    assert_int_equal(gl_os_readlink("/proc/self/exe", buf, 3), -ENAMETOOLONG);
    char own[4096], exe[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe);
    assert_int_equal(gl_os_readlink("/proc/self/exe", own, sizeof own), n);
    assert_memory_equal(own, exe, (size_t)n);
}

/* More than a pipe holds, into a non-blocking pipe: all of it arrives. */
static void *drain(void *arg)
{
    char buf[4096];
    long total = 0, n;
    while ((n = read(*(int *)arg, buf, sizeof buf)) > 0)
        total += n;
    return (void *)total;
}

static void a_full_pipe_is_waited_for(void **state)
{
    (void)state;
    int fd[2];
    assert_int_equal(pipe2(fd, O_NONBLOCK), 0);
    fcntl(fd[0], F_SETFL, 0);
    pthread_t t;
    assert_int_equal(pthread_create(&t, NULL, drain, &fd[0]), 0);
    static char big[1 << 20];
    assert_int_equal(gl_os_write(fd[1], big, sizeof big), sizeof big);
    close(fd[1]);
    void *total;
    pthread_join(t, &total);
    assert_int_equal((long)total, sizeof big);
    close(fd[0]);
}

/* Without the kernel's help nothing changes, and nothing is said. */
static void *opens_apart(void *files)
{
    const int *fds = files, kept[2] = {2, fds[0]};
    if (!gl_os_own_files(kept, 2))
        return NULL;
    int fd = open("/dev/null", O_WRONLY);
    bool apart = fd == 0 && fcntl(fds[0], F_GETFD) >= 0 && fcntl(2, F_GETFD) >= 0 && fcntl(fds[1], F_GETFD) < 0 && fcntl(fds[2], F_GETFD) < 0;
    return apart ? files : (void *)-1;
}

static void a_thread_has_files_of_its_own(void **state)
{
    (void)state;
    int files[3]; /* kept, below it, above it */
    files[1] = open("/dev/null", O_WRONLY);
    files[0] = open("/dev/null", O_WRONLY);
    files[2] = open("/dev/null", O_WRONLY);
    assert_true(files[1] >= 0 && files[0] > files[1] && files[2] > files[0]);
    pthread_t t;
    void *seen;
    assert_int_equal(pthread_create(&t, NULL, opens_apart, files), 0);
    pthread_join(t, &seen);
    assert_true(seen == NULL || seen == files);
    for (int i = 0; i < 3; i++)
        assert_int_equal(close(files[i]), 0);
    assert_true(fcntl(2, F_GETFD) >= 0);
}

static void a_terminal_is_recognised(void **state)
{
    (void)state;
    int fd = posix_openpt(O_RDWR | O_NOCTTY);
    if (fd < 0)
        skip();
    assert_true(gl_os_isatty(fd));
    close(fd);
}

static void the_process_is_known(void **state)
{
    (void)state;
    assert_int_equal(gl_os_pid(), getpid());
    assert_int_equal(gl_os_tid(), syscall(SYS_gettid));
    assert_int_equal(gl_os_page_size(), sysconf(_SC_PAGESIZE));
    pid_t child = fork();
    if (child == 0)
        gl_os_exit_group(66);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 66);
    child = fork();
    if (child == 0) {
        gl_os_raise(SIGTERM);
        gl_os_exit_group(1);
    }
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
}

static void note_stack(void *arg)
{
    char here;
    *(uintptr_t *)arg = (uintptr_t)&here;
}

static void work_runs_on_the_other_stack(void **state)
{
    (void)state;
    enum { SIZE = 1 << 16 };
    char *top = gl_os_map_stack(SIZE);
    assert_non_null(top);
    for (int unaligned = 0; unaligned < 16; unaligned++) {
        uintptr_t at = 0;
        gl_os_call_on(top - unaligned, note_stack, &at);
        assert_in_range(at, (uintptr_t)top - SIZE, (uintptr_t)top - 1);
    }
    uintptr_t at = 0;
    note_stack(&at);
    assert_false(at >= (uintptr_t)top - SIZE && at < (uintptr_t)top);
    volatile char *low = top - SIZE;
    low[gl_os_page_size()] = 1; /* the last byte of the stack itself */
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); /* a sanitizer's handler would say it differently */
        low[gl_os_page_size() - 1] = 1;
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status)); /* stopped by the guard page */
    assert_int_equal(WTERMSIG(status), SIGSEGV);
}

static char *signal_low;
static bool ran_there, given_up_there;

static void on_signal_stack(int sig)
{
    char here;
    (void)sig;
    ran_there = &here >= signal_low && &here < signal_low + 65536;
    given_up_there = gl_os_signal_stack_end(signal_low);
}

static void handlers_have_another_stack(void **state)
{
    (void)state;
    stack_t before, none = {.ss_flags = SS_DISABLE}, mine = {.ss_sp = malloc(65536), .ss_size = 65536}; /* a sanitizer has one */
    assert_int_equal(sigaltstack(&none, &before), 0);
    signal_low = (char *)gl_os_map_stack(65536 + gl_os_page_size()) - 65536;
    struct sigaction a = {.sa_handler = on_signal_stack, .sa_flags = SA_ONSTACK}, old;
    assert_int_equal(sigaction(SIGUSR1, &a, &old), 0);
    assert_true(gl_os_signal_stack_begin(signal_low, 65536));
    assert_false(gl_os_signal_stack_begin(signal_low, 65536)); /* it has one */
    raise(SIGUSR1);
    assert_true(ran_there);
    assert_false(given_up_there);
    assert_true(gl_os_signal_stack_end(signal_low));
    raise(SIGUSR1);
    assert_false(ran_there);
    assert_int_equal(sigaltstack(&mine, NULL), 0);
    assert_false(gl_os_signal_stack_begin(signal_low, 65536));
    assert_true(gl_os_signal_stack_end(signal_low)); /* and that of the program stays */
    stack_t now;
    assert_int_equal(sigaltstack(NULL, &now), 0);
    assert_ptr_equal(now.ss_sp, mine.ss_sp);
    sigaction(SIGUSR1, &old, NULL);
    sigaltstack(&before, NULL);
    free(mine.ss_sp);
    uintptr_t page = (uintptr_t)signal_low - gl_os_page_size();
    assert_true(gl_os_is_mapped((uintptr_t)signal_low));
    assert_true(gl_os_is_readable((uintptr_t)signal_low, 65536));
    assert_false(gl_os_is_readable((uintptr_t)signal_low - 1, 2)); /* the guard page */
    assert_false(gl_os_is_readable(UINTPTR_MAX - 1, 4));
    gl_os_unmap((void *)page, 65536 + gl_os_page_size());
    assert_false(gl_os_is_mapped(page));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_zero_and_writable),
        cmocka_unit_test(pages_get_memory_ahead),
        cmocka_unit_test(locked_pages_are_cleared_too),
        cmocka_unit_test(an_address_is_taken_exactly_or_not_at_all),
        cmocka_unit_test(the_lock_excludes),
        cmocka_unit_test(who_is_in_a_hurry_leaves),
        cmocka_unit_test(a_sleeping_waiter_is_woken),
        cmocka_unit_test(futex_deadlines_are_absolute),
        cmocka_unit_test(files_are_appended_and_read_back),
        cmocka_unit_test(a_full_pipe_is_waited_for),
        cmocka_unit_test(a_thread_has_files_of_its_own),
        cmocka_unit_test(a_terminal_is_recognised),
        cmocka_unit_test(the_process_is_known),
        cmocka_unit_test(work_runs_on_the_other_stack),
        cmocka_unit_test(handlers_have_another_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
