// SPDX-License-Identifier: Apache-2.0
//
//     count N PROGRAM [ARGUMENT...]
//
// Runs a program and counts the instructions that its first thread executes between two breakpoints (int3), one step at a
// time: for each Nth pair of breakpoints.  What the program prints is a name, a line each, for the breakpoints just before;
// standard output is then lines of the last count before the name, a tab, and the name.
// Ends with 77 where no process may be traced, 1 when the program does not end with 0, 2 for a wrong use.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(int code, const char *what)
{
    fprintf(stderr, "count: %s: %s\n", what, strerror(errno));
    exit(code);
}

static void child(char **argv, int out)
{
    dup2(out, STDOUT_FILENO);
    personality(
        ADDR_NO_RANDOMIZE); // hashes of addresses are the same each time; without it they merely may differ
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(77);
    execv(argv[0], argv);
    _exit(127);
}

// Goes on until the program stops the next time; its wait status.
static int go(pid_t pid, int how, int signal)
{
    int status = 0;
    if (ptrace(how, pid, NULL, (void *)(long)signal) != 0 || waitpid(pid, &status, 0) != pid)
        die(1, "the program cannot be continued");
    return status;
}

static int is_breakpoint(pid_t pid, int status)
{
    siginfo_t info;
    return WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP &&
           ptrace(PTRACE_GETSIGINFO, pid, NULL, &info) == 0 && info.si_code == SI_KERNEL;
}

static void print_names(FILE *from, long count)
{
    char line[256];
    while (fgets(line, sizeof line, from))
        printf("%ld\t%s", count, line);
    clearerr(from);
}

int main(int argc, char **argv)
{
    int out[2], status = 0;
    long every = argc < 3 ? 0 : atol(argv[1]), pairs = 0;
    if (every < 1 || pipe2(out, 0) != 0) {
        fprintf(stderr, "usage: count N PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    pid_t pid = fork();
    if (pid < 0)
        die(2, "fork");
    if (pid == 0)
        child(argv + 2, out[1]);
    close(out[1]);
    FILE *names = fdopen(out[0], "r");
    if (!names || fcntl(out[0], F_SETFL, O_NONBLOCK) != 0 || waitpid(pid, &status, 0) != pid)
        die(2, argv[2]);
    if (WIFEXITED(status)) {
        fprintf(stderr, "count: %s cannot be %s\n", argv[2],
                WEXITSTATUS(status) == 77 ? "traced" : "executed");
        return WEXITSTATUS(status) == 77 ? 77 : 2;
    }
    long count = 0, last = 0;
    int inside = 0, signal = 0;
    for (;;) {
        status = go(pid, inside && pairs % every == 0 ? PTRACE_SINGLESTEP : PTRACE_CONT, signal);
        signal = 0;
        if (!WIFSTOPPED(status))
            break;
        if (is_breakpoint(pid, status)) {
            if (inside)
                last = count;
            else
                print_names(names, last), pairs++;
            inside = !inside;
            count = 0;
        } else if (WSTOPSIG(status) == SIGTRAP) {
            count++;
        } else {
            signal = WSTOPSIG(status);
        }
    }
    print_names(names, last);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
}
