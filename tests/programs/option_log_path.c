// SPDX-License-Identifier: Apache-2.0
// log_path: reports go to a file for each process. Here a child's, which its parent reads.
// options: log_path=/tmp/goldilocks.option_log_path
// peer-skip: options and layout of our own
#include "tests/programs/invisible.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

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

int main(void) {
    int status;
    pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        RUN(first, second);
        return 0;
    }
    MUST(waitpid(child, &status, 0) == child && WIFEXITED(status));
    char path[64], text[8192];
    snprintf(path, sizeof path, "/tmp/goldilocks.option_log_path.%d", child);
    FILE *log = fopen(path, "r");
    MUST(!log == !racy);
    if (log) {
        size_t n = fread(text, 1, sizeof text, log);
        fwrite(text, 1, n, stderr);
        MUST(fclose(log) == 0 && unlink(path) == 0);
    }
    snprintf(path, sizeof path, "/tmp/goldilocks.option_log_path.%d", getpid());
    MUST(unlink(path) != 0); /* our own: nothing was told here */
    return WEXITSTATUS(status);
}
