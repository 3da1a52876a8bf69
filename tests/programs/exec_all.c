// SPDX-License-Identifier: Apache-2.0
// Each way to run another program in this one's place takes its words and its environment along, and what was found before is
// told. Racy: each child has a race before it, and so has their parent.
// reports: 9
// options: dedup=no
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAYS = 8 };
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

static void run(int way) {
    char *words[] = {"sh", "-c", "exit $CODE", NULL};
    char *codes[] = {"CODE=7", NULL};
    environ = codes;
    switch (way) {
    case 0: execv("/bin/sh", words); break;
    case 1: execve("/bin/sh", words, codes); break;
    case 2: execvp("sh", words); break;
    case 3: execvpe("sh", words, codes); break;
    case 4: execl("/bin/sh", "sh", "-c", "exit $CODE", (char *)NULL); break;
    case 5: execlp("sh", "sh", "-c", "exit $CODE", (char *)NULL); break;
    case 6: execle("/bin/sh", "sh", "-c", "exit $CODE", (char *)NULL, codes); break;
    default: fexecve(open("/bin/sh", O_RDONLY | O_CLOEXEC), words, codes);
    }
    MUST(!"it runs");
}

int main(void) {
    for (int way = 0; way < WAYS; way++) {
        int status;
        pid_t child = fork();
        MUST(child >= 0);
        if (child == 0) {
            RUN(first, second);
            if (execv("/nowhere", (char *[]){"nowhere", NULL}) == 0) // one that fails changes nothing
                return 1;
            run(way);
        }
        MUST(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
    RUN(first, second);
    return 0;
}
