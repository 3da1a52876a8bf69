// SPDX-License-Identifier: Apache-2.0
// A process forks while others of its threads hold locks of libc's own: of the list of streams, of a stream, of locales. fork() comes back, and the child can
// end. Racy: a race behind that.
#include "tests/programs/invisible.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 60, LONG = 200000 };
static int over;
static char path[] = "/tmp/goldilocks.fork_libc_locks.XXXXXX";
int x;

static int goes_on(void) { return !__atomic_load_n(&over, __ATOMIC_RELAXED); }

static void *flush(void *unused) {
    while (goes_on())
        fflush(NULL);
    return unused;
}

static void *read_line(void *unused) {
    FILE *f = fopen(path, "r");
    MUST(f);
    while (goes_on()) {
        char *line = NULL;
        size_t n = 0;
        rewind(f);
        MUST(getline(&line, &n, f) == LONG + 1);
        free(line);
    }
    fclose(f);
    return unused;
}

static void *make_locales(void *unused) {
    while (goes_on())
        freelocale(newlocale(LC_ALL_MASK, "C.UTF-8", 0));
    return unused;
}

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
    void *(*const all[])(void *) = {flush, read_line, make_locales};
    pthread_t t[3];
    FILE *f = fdopen(mkstemp(path), "w");
    MUST(f && fprintf(f, "%0*d\n", LONG, 1) == LONG + 1 && fclose(f) == 0);
    for (int i = 0; i < 3; i++)
        MUST(pthread_create(&t[i], NULL, all[i], NULL) == 0);
    for (int i = 0; i < FORKS; i++) {
        int status;
        pid_t child = fork();
        MUST(child >= 0);
        if (child == 0)
            _exit(0);
        MUST(waitpid(child, &status, 0) == child && status == 0);
        usleep(1000);
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 3; i++)
        MUST(pthread_join(t[i], NULL) == 0);
    MUST(unlink(path) == 0);
    RUN(first, second);
    return 0;
}
