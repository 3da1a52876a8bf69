// SPDX-License-Identifier: Apache-2.0
// Who waits for a child comes after its making, however it waits: when the child is stopped, goes on, has ended and stays, and is gone. Racy: the maker writes
// after that.
// peer-skip: libtsan does not know that these order
#include "tests/programs/invisible.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAYS = 7 };

static long child[WAYS];
static struct {
    _Alignas(8) int x;
} made[WAYS];
int late;

static void spend(int way) {
    if (way == 0) {
        raise(SIGSTOP);
        raise(SIGSTOP);
    }
    _exit(way);
}

THREAD(first) {
    for (int way = 0; way < WAYS; way++) {
        made[way].x = 1;
        pid_t pid = fork();
        MUST(pid >= 0);
        if (pid == 0)
            spend(way);
        hidden_put(&child[way], pid);
    }
    late = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    pid_t of[WAYS];
    siginfo_t info;
    struct rusage usage;
    int status;
    for (int way = 0; way < WAYS; way++)
        of[way] = (pid_t)hidden_get(&child[way]);
    MUST(waitid(P_PID, (id_t)of[1], &info, WEXITED | WNOWAIT) == 0 && info.si_pid == of[1]);
    USE(made[1].x);
    MUST(waitid(P_PID, (id_t)of[1], &info, WEXITED) == 0 && info.si_status == 1);
    MUST(waitpid(of[2], NULL, 0) == of[2]);
    USE(made[2].x);
    MUST(wait4(of[3], &status, 0, &usage) == of[3] && WEXITSTATUS(status) == 3);
    USE(made[3].x);
    MUST(waitpid(of[4], &status, 0) == of[4] && WEXITSTATUS(status) == 4);
    USE(made[4].x);
    MUST(waitpid(of[5], NULL, WUNTRACED) == of[5]);
    MUST(waitid(P_PID, (id_t)of[6], NULL, WEXITED) == 0);
    MUST(waitpid(of[0], &status, WUNTRACED) == of[0] && WIFSTOPPED(status));
    USE(made[0].x);
    MUST(kill(of[0], SIGCONT) == 0);
    MUST(waitpid(of[0], NULL, WUNTRACED) == of[0]);
    MUST(kill(of[0], SIGKILL) == 0 && waitpid(of[0], &status, 0) == of[0] && WIFSIGNALED(status));
    USE(made[0].x);
    if (racy)
        USE(late); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
