// SPDX-License-Identifier: Apache-2.0
// A child that cannot read its program's name dies of that, and posix_spawnp says that all went well: libc's answers stay as they are. Racy: two writes without order.
#include "tests/programs/invisible.h"
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
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
        x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    pid_t child = -1;
    int status = 0;
    char *words[] = {"true", NULL}, *nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *unreadable[] = {"true", nothing, NULL};
    MUST(nothing != MAP_FAILED);
    int r = posix_spawnp(&child, nothing, NULL, NULL, words, environ);
    MUST(r == 0 || r == EFAULT);
    if (r == 0)
        MUST(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    MUST(posix_spawn(&child, nothing, NULL, NULL, words, environ) == EFAULT);
    MUST(posix_spawn(&child, "/bin/true", NULL, NULL, unreadable, environ) == EFAULT);
    MUST(execv(nothing, words) == -1 && errno == EFAULT);
    MUST(execve("/bin/true", unreadable, words) == -1 && errno == EFAULT);
    MUST(execve("/bin/true", (char **)nothing, words) == -1 && errno == EFAULT);
    MUST(execl("/bin/true", "true", nothing, (char *)NULL) == -1 && errno == EFAULT);
    MUST(system(NULL) != 0);
    RUN(first, second);
    return 0;
}
