/* SPDX-License-Identifier: Apache-2.0
 *
 * What a script of order_posix.cpp uses: how it is made, and goes.  For that file only.
 */
#ifndef TESTS_EXACT_ORDER_POSIX_WORLD_H
#define TESTS_EXACT_ORDER_POSIX_WORLD_H

#include "tests/exact/order_posix.h"

#include "tests/programs/invisible.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <mqueue.h>
#include <mutex>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

namespace {

enum { FIRST_NUMBER = 200, FIRST_END = 300 };           /* numbers of descriptors that nothing else gets */
enum { SIG_WAITED = 36, SIG_READ, SIG_TIMER, SIG_HANDLED }; /* real-time signals, from SIG_HANDLED on SIGNALS */

struct message {
    long type;
    char text[4];
};

/* What a script uses: fresh for each. */
struct world {
    alignas(16) char bytes[BYTES];
    int ends[CHANNELS][2];  /* reads, writes */
    int epoll[2][CHANNELS]; /* that watch by the descriptor's number, and by an address */
    int scratch[ACTORS][2]; /* a pipe of each actor's own */
    mqd_t queue;
    int messages, sysv;
    sem_t shared, *named;
    timer_t timer, timer_thread;
    pthread_mutex_t mutex[LOCKS];
    int futex_lock = 0, *word; /* of each script others: who slept at one is known for good to have been moved to another */
    pthread_cond_t condition[LOCKS]; /* of L_SHARED and L_INHERIT */
    pthread_rwlock_t rw[RWS];
    int file[FILES][ACTORS], spare[FILES][ACTORS]; /* spare: to take the place of the first */
    long process[PROCESSES] = {}; /* unseen */
    pthread_barrier_t barrier[BARRIERS];
    pthread_once_t once = PTHREAD_ONCE_INIT;
    std::once_flag std_once;
    int end[ENDS][2]; /* reads, is closed */
    int listener[LISTENERS], client[LISTENERS][CLIENTS];
    long thread[ACTORS] = {}, tid[ACTORS] = {}, gone[ACTORS] = {}, local[ACTORS] = {}, timed_step = 0; /* unseen */
    long memory[MEMORIES]; /* unseen: the address */
    char over; /* who is joined by nobody has been here */

    world();
    ~world();
};

struct timespec in_a_minute(clockid_t clock = CLOCK_REALTIME)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_sec += 60;
    return t;
}

sigset_t set_of(int sig)
{
    sigset_t s;
    sigemptyset(&s);
    sigaddset(&s, sig);
    return s;
}

/* ---- made ---- */

int checked(int r)
{
    MUST(r >= 0);
    return r;
}

/* As a number that nothing else gets. */
int moved(int fd, int number)
{
    MUST(dup2(fd, number) == number);
    close(fd);
    return number;
}

int local_socket(int type, struct sockaddr_in *address)
{
    socklen_t n = sizeof *address;
    int fd = checked(socket(AF_INET, type, 0));
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    MUST(bind(fd, (struct sockaddr *)address, n) == 0 && getsockname(fd, (struct sockaddr *)address, &n) == 0);
    return fd;
}

unsigned worlds; /* so far */

/* A name that no other script has. */
struct name {
    char text[64];
    explicit name(const char *what) { snprintf(text, sizeof text, "%s.order_posix.%d.%u", what, (int)getpid(), worlds); }
};

/* An abstract one. */
struct sockaddr_un path_of(const char *what)
{
    struct sockaddr_un a = {};
    a.sun_family = AF_UNIX;
    strcpy(a.sun_path + 1, name(what).text);
    return a;
}

void tcp_pair(int pair[2])
{
    struct sockaddr_in a;
    int l = local_socket(SOCK_STREAM, &a);
    MUST(listen(l, 1) == 0);
    pair[1] = checked(socket(AF_INET, SOCK_STREAM, 0));
    MUST(connect(pair[1], (struct sockaddr *)&a, sizeof a) == 0);
    pair[0] = checked(accept(l, NULL, NULL));
    close(l);
}

void local_pair(int pair[2])
{
    struct sockaddr_un a = path_of("pair");
    int l = checked(socket(AF_UNIX, SOCK_STREAM, 0));
    MUST(bind(l, (struct sockaddr *)&a, sizeof a) == 0 && listen(l, 1) == 0);
    pair[1] = checked(socket(AF_UNIX, SOCK_STREAM, 0));
    MUST(connect(pair[1], (struct sockaddr *)&a, sizeof a) == 0);
    pair[0] = checked(accept(l, NULL, NULL));
    close(l);
}

void make_channels(world &v)
{
    for (int(&e)[2] : v.ends)
        e[0] = e[1] = -1;
    MUST(pipe(v.ends[C_PIPE]) == 0);
    name fifo("/tmp/fifo"), other("/shared");
    MUST(mkfifo(fifo.text, 0600) == 0);
    v.ends[C_FIFO][0] = checked(open(fifo.text, O_RDONLY | O_NONBLOCK));
    v.ends[C_FIFO][1] = checked(open(fifo.text, O_WRONLY));
    MUST(fcntl(v.ends[C_FIFO][0], F_SETFL, 0) == 0 && unlink(fifo.text) == 0);
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, v.ends[C_STREAM]) == 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, v.ends[C_DATAGRAM]) == 0 &&
         socketpair(AF_UNIX, SOCK_SEQPACKET, 0, v.ends[C_PACKETS]) == 0);
    v.ends[C_STREAM_BACK][0] = v.ends[C_STREAM][1];
    v.ends[C_STREAM_BACK][1] = v.ends[C_STREAM][0];
    tcp_pair(v.ends[C_TCP]);
    local_pair(v.ends[C_LOCAL]);
    struct sockaddr_in a, b;
    v.ends[C_UDP][0] = local_socket(SOCK_DGRAM, &a);
    v.ends[C_UDP][1] = local_socket(SOCK_DGRAM, &b);
    MUST(connect(v.ends[C_UDP][1], (struct sockaddr *)&a, sizeof a) == 0);
    v.ends[C_EVENT][0] = v.ends[C_EVENT][1] = checked(eventfd(0, EFD_SEMAPHORE));
    v.ends[C_EVENT_SUM][0] = v.ends[C_EVENT_SUM][1] = checked(eventfd(0, 0));
    v.ends[C_CLOCK][0] = v.ends[C_CLOCK][1] = checked(timerfd_create(CLOCK_MONOTONIC, 0));
    struct mq_attr attr = {};
    attr.mq_maxmsg = 10;
    attr.mq_msgsize = 8;
    v.queue = checked(mq_open(other.text, O_CREAT | O_RDWR, 0600, &attr));
    mq_unlink(other.text);
    v.ends[C_QUEUE][0] = v.ends[C_QUEUE][1] = v.queue;
    v.messages = checked(msgget(IPC_PRIVATE, 0600));
    v.sysv = checked(semget(IPC_PRIVATE, 1, 0600));
    MUST(sem_init(&v.shared, 1, 0) == 0);
    v.named = sem_open(other.text, O_CREAT, 0600, 0);
    MUST(v.named != SEM_FAILED);
    sem_unlink(other.text);
    sigset_t read = set_of(SIG_READ);
    v.ends[C_SIGNALFD][0] = checked(signalfd(-1, &read, 0));
    struct sigevent event = {};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIG_TIMER;
    MUST(timer_create(CLOCK_MONOTONIC, &event, &v.timer) == 0);
    for (unsigned k = 0; k < C_MESSAGES; k++) {
        struct epoll_event e = {};
        e.events = EPOLLIN;
        e.data.u64 = (unsigned)v.ends[k][0];
        MUST(epoll_ctl(v.epoll[0][k] = checked(epoll_create1(0)), EPOLL_CTL_ADD, v.ends[k][0], &e) == 0);
        e.data.ptr = v.ends[k];
        MUST(epoll_ctl(v.epoll[1][k] = checked(epoll_create1(0)), EPOLL_CTL_ADD, v.ends[k][0], &e) == 0);
    }
}

void timed(union sigval);

void make_locks(world &v)
{
    static const int kinds[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ADAPTIVE_NP};
    for (unsigned k = 0; k < L_FUTEX; k++) {
        pthread_mutexattr_t a;
        pthread_mutexattr_init(&a);
        pthread_mutexattr_settype(&a, kinds[k]);
        if (k == L_ROBUST || k == L_ROBUST_SHARED)
            pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
        if (k == L_SHARED || k == L_ROBUST_SHARED)
            pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
        if (k == L_INHERIT)
            pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
        MUST(pthread_mutex_init(&v.mutex[k], &a) == 0);
        pthread_mutexattr_destroy(&a);
    }
    pthread_condattr_t c;
    pthread_condattr_init(&c);
    pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED);
    MUST(pthread_cond_init(&v.condition[L_SHARED], &c) == 0 && pthread_cond_init(&v.condition[L_INHERIT], NULL) == 0);
    pthread_rwlockattr_t r;
    pthread_rwlockattr_init(&r);
    pthread_rwlockattr_setpshared(&r, PTHREAD_PROCESS_SHARED);
    MUST(pthread_rwlock_init(&v.rw[RW_SHARED], &r) == 0);
    pthread_rwlockattr_setkind_np(&r, PTHREAD_RWLOCK_PREFER_WRITER_NP);
    MUST(pthread_rwlock_init(&v.rw[RW_WRITERS_FIRST], &r) == 0);
    for (unsigned k = 0; k < FILES; k++) {
        char name[] = "/tmp/order_posix.XXXXXX";
        close(checked(mkstemp(name)));
        for (unsigned t = 0; t < ACTORS; t++) {
            v.file[k][t] = checked(open(name, O_RDWR));
            v.spare[k][t] = checked(open(name, O_RDWR));
        }
        unlink(name);
    }
}

void make_barrier(pthread_barrier_t *b, unsigned k, unsigned count)
{
    pthread_barrierattr_t a;
    pthread_barrierattr_init(&a);
    pthread_barrierattr_setpshared(&a, k == B_SHARED ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE);
    MUST(pthread_barrier_init(b, &a, count) == 0);
}

void make_ends(world &v)
{
    MUST(pipe(v.end[E_PIPE]) == 0 && pipe(v.end[E_PIPE_OVER]) == 0 && pipe(v.end[E_RANGE]) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, v.end[E_SOCKET]) == 0 &&
         socketpair(AF_UNIX, SOCK_STREAM, 0, v.end[E_SHUTDOWN]) == 0);
    tcp_pair(v.end[E_TCP]);
    for (unsigned k = 0; k < ENDS; k++)
        v.end[k][1] = moved(v.end[k][1], (int)(FIRST_END + k));
    struct sockaddr_in a;
    struct sockaddr_un u = path_of("listener");
    v.listener[S_TCP] = local_socket(SOCK_STREAM, &a);
    v.listener[S_LOCAL] = checked(socket(AF_UNIX, SOCK_STREAM, 0));
    MUST(bind(v.listener[S_LOCAL], (struct sockaddr *)&u, sizeof u) == 0);
    for (unsigned k = 0; k < LISTENERS; k++) {
        MUST(listen(v.listener[k], CLIENTS) == 0);
        for (int &fd : v.client[k])
            fd = checked(socket(k == S_TCP ? AF_INET : AF_UNIX, SOCK_STREAM, 0));
    }
}

world::world()
{
    memset(bytes, 0, sizeof bytes);
    static int words[1 << 16][FUTEXES];
    word = words[worlds++ % (1 << 16)];
    make_channels(*this);
    make_locks(*this);
    make_ends(*this);
    for (int(&s)[2] : scratch)
        MUST(pipe(s) == 0);
    for (unsigned k = 0; k < BARRIERS; k++)
        make_barrier(&barrier[k], k, 2);
    memory[M_HEAP] = (long)malloc(BLOCK);
    memory[M_PAGE] = (long)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(memory[M_HEAP] && memory[M_PAGE] != (long)MAP_FAILED);
    struct sigevent event = {};
    event.sigev_notify = SIGEV_THREAD;
    event.sigev_notify_function = timed;
    MUST(timer_create(CLOCK_MONOTONIC, &event, &timer_thread) == 0);
}

/* ---- gone ---- */

world::~world()
{
    free((void *)hidden_get(&memory[M_HEAP]));
    munmap((void *)hidden_get(&memory[M_PAGE]), 4096);
    timer_delete(timer);
    timer_delete(timer_thread);
    for (unsigned k = 0; k < L_FUTEX; k++)
        pthread_mutex_destroy(&mutex[k]);
    pthread_cond_destroy(&condition[L_SHARED]);
    pthread_cond_destroy(&condition[L_INHERIT]);
    for (pthread_rwlock_t &l : rw)
        pthread_rwlock_destroy(&l);
    for (pthread_barrier_t &b : barrier)
        pthread_barrier_destroy(&b);
    sem_destroy(&shared);
    sem_close(named);
    msgctl(messages, IPC_RMID, NULL);
    semctl(sysv, 0, IPC_RMID);
    mq_close(queue);
    close_range(3, FIRST_END + (int)ENDS, 0);
}

} // namespace

#endif
