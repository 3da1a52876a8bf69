// SPDX-License-Identifier: Apache-2.0
// What starts another program reads its name, its words, and the environment that it is given.
// peer-skip: libtsan does not know all of these
#include "tests/programs/cases.h"
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARRAYS = 10, ENVIRONMENTS = 5 };
static char name[12][2][16], text[12][2][16], of_environment[12][2][16];
static char *words[ARRAYS][2][4], *environment[ENVIRONMENTS][2][4];
static char command[2][16] = {"exit 3", "exit 3"}, spawned[2][2][16] = {{"/bin/true", "x"}, {"true", "x"}};

__attribute__((constructor)) static void prepare(void) {
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 2; k++) {
            snprintf(name[i][k], sizeof name[i][k], "/nowhere/%d", i);
            snprintf(text[i][k], sizeof text[i][k], "word %d", i);
            snprintf(of_environment[i][k], sizeof of_environment[i][k], "E=%d", i);
        }
    for (int i = 0; i < ARRAYS; i++)
        words[i][0][0] = words[i][1][0] = text[i][0];
    for (int i = 0; i < ENVIRONMENTS; i++)
        environment[i][0][0] = of_environment[i][0];
}

static int ran(int r, const pid_t *child) {
    int status;
    return r == 0 && waitpid(*child, &status, 0) == *child;
}

static void cases(enum runs who) {
    pid_t child = 0;
    READS(execv(name[0][0], words[0][0]) == -1, &name[0][0][3], &name[0][1]); //@case reads
    READS(execve("/nowhere", words[1][0], environment[0][0]) == -1, &text[1][0][6], &text[1][1]); //@case reads
    READS(execve("/nowhere", words[9][0], environment[0][0]) == -1, &words[9][0][1], &words[9][0][2]); //@case reads
    READS(execve("/nowhere", words[2][0], environment[1][0]) == -1, &of_environment[1][0][0], &of_environment[1][1]); //@case reads
    READS(execvp("/nowhere", words[3][0]) == -1, &text[3][0][0], &text[3][0][7]); //@case reads
    READS(execvpe("/nowhere", words[4][0], environment[2][0]) == -1, &of_environment[2][0][0], &of_environment[2][0][4]); //@case reads
    READS(fexecve(-1, words[5][0], environment[0][0]) == -1, &text[5][0][0], &text[5][1]); //@case reads
    READS(execl(name[6][0], text[10][0], NULL) == -1, &text[10][0][0], &text[10][1]); //@case reads
    READS(execl(name[7][0], "a", NULL) == -1, &name[7][0][0], &name[7][1]); //@case reads
    READS(execlp("/nowhere", "a", text[11][0], NULL) == -1, &text[11][0][0], &text[11][1]); //@case reads
    READS(execle("/nowhere", "a", NULL, environment[3][0]) == -1, &environment[3][0][1], &environment[3][0][2]); //@case reads
    READS(system(command[0]) == 3 << 8, &command[0][5], &command[1]); //@case reads
    READS(ran(posix_spawn(&child, spawned[0][0], NULL, NULL, words[6][0], environ), &child), &spawned[0][0][0], &spawned[0][1]); //@case reads
    READS(ran(posix_spawnp(&child, spawned[1][0], NULL, NULL, words[7][0], environ), &child), &text[7][0][0], &text[7][1]); //@case reads
    READS(ran(posix_spawn(&child, "/bin/true", NULL, NULL, words[8][0], environment[4][0]), &child), &of_environment[4][0][0], &of_environment[4][1]); //@case reads
}

CASES_MAIN
