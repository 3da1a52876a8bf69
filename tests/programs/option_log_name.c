// SPDX-License-Identifier: Apache-2.0
// log_exe_name and log_suffix: the program's name, and an ending, are parts of the name of the file for reports. Here a child's, which its parent
// reads.
// options: log_path=/tmp/goldilocks.option_log_name:log_exe_name=yes:log_suffix=.txt
// peer-skip: options and layout of our own
#include "tests/programs/invisible.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
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
    char path[256], text[8192];
    const char *slash = strrchr(program_invocation_name, '/');
    pid_t child = fork();
    MUST(child >= 0 && slash);
    if (child == 0) {
        RUN(first, second);
        return 0;
    }
    MUST(waitpid(child, &status, 0) == child && WIFEXITED(status));
    snprintf(path, sizeof path, "/tmp/goldilocks.option_log_name.%s.%d.txt", slash + 1, child);
    FILE *log = fopen(path, "r");
    MUST(!log == !racy);
    if (log) {
        size_t n = fread(text, 1, sizeof text, log);
        fwrite(text, 1, n, stderr);
        MUST(fclose(log) == 0 && unlink(path) == 0);
    }
    snprintf(path, sizeof path, "/tmp/goldilocks.option_log_name.%s.%d.txt", slash + 1, getpid());
    MUST(unlink(path) != 0); /* our own: nothing was told here */
    return WEXITSTATUS(status);
}
