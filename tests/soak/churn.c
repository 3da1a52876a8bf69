/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes and ends one kind of thing, over and over, for a given time, as a server does that runs for weeks; free of races but for
 * CANARIES of them: a thread that ends first of all writes what the main thread reads last of all, and nothing orders the two but
 * what the runtime cannot see.  Once a second it prints how many things there have been and what memory the process has, in KiB; run
 * judges that.
 *
 *     churn threads|mutexes|blocks|connections SECONDS
 */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/programs/invisible.h"

#undef MUST

#define MUST(x)                                                                                            \
    do {                                                                                                   \
        if (!(x)) {                                                                                        \
            fprintf(stderr, "churn: line %d: %s failed\n", __LINE__, #x);                                  \
            abort();                                                                                       \
        }                                                                                                  \
    } while (0)

enum { WORKERS = 3, CANARIES = 1000 };

int canary[CANARIES];

static void *touch(void *arg)
{
    for (int i = 0; i < CANARIES; i++)
        canary[i] = i;
    turn_pass();
    return arg;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long done; /* guarded by lock */
static time_t end;

static void count(unsigned n)
{
    pthread_mutex_lock(&lock);
    done += n;
    pthread_mutex_unlock(&lock);
}

static void *add(void *counter)
{
    pthread_mutex_lock(&lock);
    ++*(unsigned *)counter;
    pthread_mutex_unlock(&lock);
    return counter;
}

/* Threads that touch what others touch; one is joined, one ends detached and is waited for by a lock. */
static void threads(void)
{
    unsigned counter = 0, seen;
    pthread_t t;
    MUST(pthread_create(&t, NULL, add, &counter) == 0);
    MUST(pthread_join(t, NULL) == 0);
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    MUST(pthread_create(&t, &detached, add, &counter) == 0);
    pthread_attr_destroy(&detached);
    do {
        sched_yield();
        pthread_mutex_lock(&lock);
        seen = counter;
        pthread_mutex_unlock(&lock);
    } while (seen < 2);
    count(2);
}

static void mutexes(void)
{
    enum { MANY = 100 };
    for (int i = 0; i < MANY; i++) {
        struct {
            pthread_mutex_t mutex;
            int value;
        } *m = malloc(sizeof *m);
        MUST(m && pthread_mutex_init(&m->mutex, NULL) == 0);
        pthread_mutex_lock(&m->mutex);
        m->value = i;
        pthread_mutex_unlock(&m->mutex);
        pthread_mutex_destroy(&m->mutex);
        free(m);
    }
    count(MANY);
}

/* Blocks of many sizes, some of which other workers free. */
static void blocks(void)
{
    enum { MANY = 64 };
    static char *shelf[MANY]; /* guarded by lock */
    static _Thread_local unsigned seed = 1;
    for (int i = 0; i < MANY; i++) {
        seed = seed * 1103515245u + 12345u;
        size_t n = seed >> 8 & 0xFF ? seed >> 20 & 0x3FF : seed >> 16;
        char *p = malloc(n + 1), *was;
        MUST(p);
        memset(p, i, n + 1);
        pthread_mutex_lock(&lock);
        was = shelf[i];
        shelf[i] = p;
        pthread_mutex_unlock(&lock);
        if (was) MUST(*was == i);
        free(was);
    }
    count(MANY);
}

static int listening;
static struct sockaddr_in address = {.sin_family = AF_INET};

/* One connection to ourselves, with a word in each direction. */
static void connections(void)
{
    int pair[2];
    char word[4];
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    MUST(write(pair[0], "ping", 4) == 4 && read(pair[1], word, 4) == 4 && memcmp(word, "ping", 4) == 0);
    close(pair[0]);
    close(pair[1]);
    pthread_mutex_lock(&lock); /* so that the connection accepted is the one that was asked for */
    int out = socket(AF_INET, SOCK_STREAM, 0);
    MUST(out >= 0 && connect(out, (struct sockaddr *)&address, sizeof address) == 0);
    int in = accept(listening, NULL, NULL);
    pthread_mutex_unlock(&lock);
    MUST(in >= 0 && write(out, "ping", 4) == 4 && read(in, word, 4) == 4 && memcmp(word, "ping", 4) == 0);
    struct linger at_once = {1, 0}; /* or the ports run out */
    setsockopt(in, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(in);
    close(out);
    count(1);
}

static void listen_here(void)
{
    socklen_t n = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    MUST((listening = socket(AF_INET, SOCK_STREAM, 0)) >= 0);
    MUST(bind(listening, (struct sockaddr *)&address, n) == 0 && listen(listening, 16) == 0);
    MUST(getsockname(listening, (struct sockaddr *)&address, &n) == 0);
}

static void *work(void *step)
{
    while (time(NULL) < end) (*(void (**)(void))step)();
    return step;
}

static unsigned long resident(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    MUST(f && fscanf(f, "%*u %lu", &pages) == 1);
    fclose(f);
    return pages * (unsigned long)sysconf(_SC_PAGESIZE) / 1024;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*step)(void);
    } kinds[] = {{"threads", threads}, {"mutexes", mutexes}, {"blocks", blocks}, {"connections", connections}};
    void (*step)(void) = NULL;
    for (size_t i = 0; argc == 3 && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(argv[1], kinds[i].name) == 0) step = kinds[i].step;
    if (!step || atol(argv[2]) <= 0) {
        fprintf(stderr, "usage: churn threads|mutexes|blocks|connections SECONDS\n");
        return 2;
    }
    if (step == connections) listen_here();
    pthread_t first;
    MUST(pthread_create(&first, NULL, touch, NULL) == 0 && pthread_detach(first) == 0);
    turn_wait(1);
    end = time(NULL) + atol(argv[2]);
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++) MUST(pthread_create(&workers[i], NULL, work, &step) == 0);
    while (time(NULL) < end) {
        sleep(1);
        pthread_mutex_lock(&lock);
        unsigned long n = done;
        pthread_mutex_unlock(&lock);
        printf("%lu %lu\n", n, resident());
        fflush(stdout);
    }
    for (int i = 0; i < WORKERS; i++) MUST(pthread_join(workers[i], NULL) == 0);
    printf("%lu %lu\n", done, resident());
    int sum = 0;
    for (int i = 0; i < CANARIES; i++) sum += canary[i];
    return sum != CANARIES * (CANARIES - 1) / 2;
}
