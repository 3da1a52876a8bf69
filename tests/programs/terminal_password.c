// SPDX-License-Identifier: Apache-2.0
// What getpass reads from the terminal is in one place of libc's. Racy: another thread reads it while it is being typed.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int master;
static long password;

THREAD(first) {
    char *p = getpass("Password: "); //@race 1 write *
    MUST(p && strcmp(p, "secret") == 0);
    hidden_put(&password, (long)p);
    turn_pass();
    return NULL;
}

THREAD(second) {
    char prompt[16];
    MUST(read(master, prompt, sizeof prompt) == 10); // from here on it reads, without echo
    MUST(write(master, "secret\n", 7) == 7);
    turn_wait(1);
    if (racy)
        USE(*(char *)hidden_get(&password)); //@race 2 read 1
    return NULL;
}

int main(void) {
    MUST(setsid() > 0 || getpgrp() == getpid());
    MUST((master = posix_openpt(O_RDWR | O_NOCTTY)) >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    MUST(open(ptsname(master), O_RDWR) >= 0); // the first terminal of a session is its own
    RUN(first, second);
    return 0;
}
