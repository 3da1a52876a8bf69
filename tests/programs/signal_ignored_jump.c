// SPDX-License-Identifier: Apache-2.0
// A signal handler is left by a jump, back to where the program wants something ignored: it is ignored as before. Racy: it was not.
#include "tests/programs/invisible.h"
#include <setjmp.h>
#include <signal.h>

void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

static sigjmp_buf back;
int x;

static void handler(int sig) {
    (void)sig;
    siglongjmp(back, 1);
}

THREAD(first) {
    if (!racy)
        AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    if (sigsetjmp(back, 1) == 0)
        raise(SIGUSR1);
    x = 1; //@race 1 write 4
    if (!racy)
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    MUST(signal(SIGUSR1, handler) != SIG_ERR);
    RUN(first, second);
    return 0;
}
