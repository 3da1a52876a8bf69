// SPDX-License-Identifier: Apache-2.0
// log_path takes no low number of a descriptor; a program that closes all numbers, and is given the log's for a file of its own, finds
// nothing of ours in it, also after it has gone elsewhere, and the reports are in the log.
// options: log_path=/tmp/goldilocks.option_log_number
// peer-skip: options and layout of our own
// skip emulated: qemu does not execute a program of another machine
#include "tests/programs/invisible.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void __sanitizer_print_stack_trace(void);

enum { HIGH = 700 };
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x); //@race 2 read 4
    return NULL;
}

// With the log open, since something was told.
static int body(void) {
    __sanitizer_print_stack_trace();
    int low = dup(2);
    MUST(low >= 0 && low < HIGH && close(low) == 0);
    char name[] = "/tmp/goldilocks.option_log_number.XXXXXX";
    for (int fd = 3; fd < HIGH; fd++)
        (void)close(fd);
    int first_free = mkstemp(name);
    MUST(first_free == low);
    for (int n = 0; n < HIGH - 50; n++)
        MUST(dup(low) >= 0); // the file is there under every number, the log's too
    MUST(chdir("/") == 0 && unlink(name) == 0);
    RUN(first, second);
    MUST(lseek(low, 0, SEEK_END) == 0);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1)
        return body();
    int status;
    pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        execl("/proc/self/exe", argv[0], "body", NULL);
        _exit(1);
    }
    MUST(waitpid(child, &status, 0) == child && WIFEXITED(status));
    char path[64], text[8192];
    snprintf(path, sizeof path, "/tmp/goldilocks.option_log_number.%d", child);
    FILE *log = fopen(path, "r");
    MUST(log);
    size_t n = fread(text, 1, sizeof text, log);
    fwrite(text, 1, n, stderr);
    MUST(fclose(log) == 0 && unlink(path) == 0);
    snprintf(path, sizeof path, "/tmp/goldilocks.option_log_number.%d", getpid());
    MUST(unlink(path) != 0); // our own: nothing was told here
    return WEXITSTATUS(status);
}
