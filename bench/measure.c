/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs one program and measures it: wall-clock time, processor time, peak memory.
 *
 *     measure [-t SECONDS] [-R] [-e NAME=VALUE] -o STDOUT -r STDERR -- PROGRAM ARGUMENTS...
 *
 * Prints `wall user system peak_kb end`, separated by tabs; `end` is the exit code, `signal N`, or
 * `timeout` if the program ran longer than SECONDS (then its process group is killed).  -R runs it without
 * address randomization, -e adds to its environment, which this program itself does not see.  Ends with
 * 0 when it measured, whatever the program did, and with 2 when it could not.  The peak is the kernel's
 * (ru_maxrss): resident pages, so of a shadow only what was touched.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CANNOT_EXEC 127 /* the shell's convention; reported as any exit code */

static void die(const char *what, const char *name)
{
    fprintf(stderr, "measure: %s %s: %s\n", what, name, strerror(errno));
    exit(2);
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* In the child: never returns. */
static void become(char **program, int out, int err, int fixed_addresses, char *setting, const sigset_t *mask)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* in a group of its own it would outlive an interrupted benchmark */
    setpgid(0, 0);
    sigprocmask(SIG_SETMASK, mask, NULL);
    int in = open("/dev/null", O_RDONLY);
    if (in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
        _exit(CANNOT_EXEC);
    if (fixed_addresses && personality(ADDR_NO_RANDOMIZE) < 0)
        die("cannot fix the addresses of", program[0]);
    if (setting)
        putenv(setting);
    execvp(program[0], program);
    fprintf(stderr, "measure: cannot run %s: %s\n", program[0], strerror(errno));
    _exit(CANNOT_EXEC);
}

static int create(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        die("cannot write", path);
    return fd;
}

int main(int argc, char **argv)
{
    const char *out = NULL, *err = NULL;
    char *setting = NULL;
    int fixed_addresses = 0, option;
    long limit = 120;
    while ((option = getopt(argc, argv, "+t:Re:o:r:")) != -1)
        switch (option) {
        case 't': limit = strtol(optarg, NULL, 10); break;
        case 'R': fixed_addresses = 1; break;
        case 'e': setting = optarg; break;
        case 'o': out = optarg; break;
        case 'r': err = optarg; break;
        default: return 2;
        }
    if (!out || !err || optind >= argc || limit <= 0) {
        fprintf(stderr, "usage: measure [-t SECONDS] [-R] [-e NAME=VALUE] -o STDOUT -r STDERR -- PROGRAM...\n");
        return 2;
    }
    int out_fd = create(out), err_fd = create(err);

    /* SIGCHLD stays blocked, so that it cannot be lost between fork and sigtimedwait. */
    sigset_t child_ends, mask;
    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ends, &mask);

    double start = now();
    pid_t child = fork();
    if (child < 0)
        die("cannot fork for", argv[optind]);
    if (child == 0)
        become(argv + optind, out_fd, err_fd, fixed_addresses, setting, &mask);
    setpgid(child, child); /* as the child does: whoever is first, it holds before a kill */

    int status, timed_out = 0;
    struct rusage use;
    for (;;) {
        double left = start + (double)limit - now();
        struct timespec wait = {0};
        if (left > 0) {
            wait.tv_sec = (time_t)left;
            wait.tv_nsec = (long)((left - (double)wait.tv_sec) * 1e9);
        }
        int signal_number = sigtimedwait(&child_ends, NULL, &wait);
        if (signal_number < 0 && errno == EAGAIN) {
            timed_out = 1;
            kill(-child, SIGKILL);
            if (wait4(child, &status, 0, &use) < 0)
                die("cannot wait for", argv[optind]);
            break;
        }
        pid_t ended = wait4(child, &status, WNOHANG, &use); /* 0: it was only stopped */
        if (ended < 0)
            die("cannot wait for", argv[optind]);
        if (ended == child)
            break;
    }
    double wall = now() - start;

    printf("%.4f\t%.4f\t%.4f\t%ld\t", wall, seconds(use.ru_utime), seconds(use.ru_stime), use.ru_maxrss);
    if (timed_out)
        puts("timeout");
    else if (WIFSIGNALED(status))
        printf("signal %d\n", WTERMSIG(status));
    else
        printf("%d\n", WEXITSTATUS(status));
    return 0;
}
