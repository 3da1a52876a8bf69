/* SPDX-License-Identifier: Apache-2.0
 *
 * Random executions of what orders threads by POSIX and Linux beyond order.cpp (pipes, sockets, queues, System V, signals, timers, futexes, locks of files,
 * robust and shared locks, processes, the ends of threads, barriers made again, numbers of descriptors), held against the truth, access by access: each step
 * races if and only if order_posix_script.c says so.
 *
 *     order_posix SCRIPTS [FIRST SEED [LEFT OUT]]
 *
 * LEFT OUT: of the truth's edges that one is left out (from 1 on), and scripts are to fail: the truth needs it.
 */
#include "tests/exact/order_posix_channels.h"

namespace {

/* ---- locks ---- */

/* Who has ended is wholly gone. */
void wait_gone()
{
    for (const long &tid : w->gone)
        if (hidden_get(&tid))
            hidden_wait_gone(hidden_get(&tid));
}

int lock(const step &s, unsigned how)
{
    struct timespec limit = in_a_minute(), steady = in_a_minute(CLOCK_MONOTONIC);
    pthread_mutex_t *m = &w->mutex[s.object];
    if (s.object == L_FUTEX) {
        long r = syscall(SYS_futex, &w->futex_lock, how == TRY ? FUTEX_TRYLOCK_PI : FUTEX_LOCK_PI, 0, NULL);
        return r == 0 ? 0 : errno == EAGAIN ? EBUSY : errno;
    }
    switch (how) {
    case 0: return pthread_mutex_lock(m);
    case 1: return pthread_mutex_trylock(m);
    case 2: return pthread_mutex_timedlock(m, &limit);
    default: return pthread_mutex_clocklock(m, s.object == L_INHERIT ? CLOCK_REALTIME : CLOCK_MONOTONIC, s.object == L_INHERIT ? &limit : &steady);
    }
}

void take(const step &s)
{
    if (s.size)
        wait_gone();
    MUST(lock(s, s.how) == (s.size ? EOWNERDEAD : 0));
    if (s.size && s.other)
        MUST(pthread_mutex_consistent(&w->mutex[s.object]) == 0);
}

void unlock(unsigned object)
{
    if (object == L_FUTEX)
        MUST(syscall(SYS_futex, &w->futex_lock, FUTEX_UNLOCK_PI) == 0);
    else
        MUST(pthread_mutex_unlock(&w->mutex[object]) == 0);
}

void wait(const step &s)
{
    struct timespec limit = in_a_minute(), steady = in_a_minute(CLOCK_MONOTONIC);
    pthread_cond_t *c = &w->condition[s.object];
    pthread_mutex_t *m = &w->mutex[s.object];
    MUST((s.how == 0 ? pthread_cond_wait(c, m) : s.how == 1 ? pthread_cond_timedwait(c, m, &limit) : pthread_cond_clockwait(c, m, CLOCK_MONOTONIC, &steady)) == 0);
}

int rw_lock(const step &s)
{
    struct timespec limit = in_a_minute(), steady = in_a_minute(CLOCK_MONOTONIC);
    pthread_rwlock_t *l = &w->rw[s.object];
    switch (s.how + (s.what == WRITE_LOCK) * 4) {
    case 0: return pthread_rwlock_rdlock(l);
    case 1: return pthread_rwlock_tryrdlock(l);
    case 2: return pthread_rwlock_timedrdlock(l, &limit);
    case 3: return pthread_rwlock_clockrdlock(l, CLOCK_MONOTONIC, &steady);
    case 4: return pthread_rwlock_wrlock(l);
    case 5: return pthread_rwlock_trywrlock(l);
    case 6: return pthread_rwlock_timedwrlock(l, &limit);
    default: return pthread_rwlock_clockwrlock(l, CLOCK_MONOTONIC, &steady);
    }
}

int file_lock(const step &s, unsigned t)
{
    int fd = w->file[s.object][t];
    if (s.what == FILE_UNLOCK && s.how == BY_CLOSE)
        return dup2(w->spare[s.object][t], fd) == fd ? 0 : -1;
    if (s.object == F_FLOCK)
        return flock(fd, s.what == FILE_UNLOCK ? LOCK_UN : (s.what == FILE_SHARED ? LOCK_SH : LOCK_EX) | (s.how || s.what == FILE_FAILS ? LOCK_NB : 0));
    struct flock l = {};
    l.l_type = s.what == FILE_UNLOCK ? F_UNLCK : s.what == FILE_SHARED ? F_RDLCK : F_WRLCK;
    l.l_whence = SEEK_SET;
    return fcntl(fd, s.how && s.what != FILE_FAILS ? F_OFD_SETLKW : F_OFD_SETLK, &l);
}

/* ---- futexes ---- */

void sleep_there(const step &s)
{
    struct timespec limit = in_a_minute(CLOCK_MONOTONIC);
    int *word = &w->word[s.object];
    struct {
        unsigned long value;
        int *word;
        unsigned flags, reserved;
    } waiter = {0, word, 2, 0}; /* FUTEX_32 */
    if (s.how == 3) {
        long r = syscall(449, &waiter, 1, 0, &limit, CLOCK_MONOTONIC); /* futex_waitv(), since Linux 5.16 */
        if (r == 0 || errno != ENOSYS) {
            MUST(r == 0);
            return;
        }
    }
    MUST((s.how % 2 ? syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL) : syscall(SYS_futex, word, FUTEX_WAIT_BITSET, 0, &limit, NULL, 5)) == 0);
}

void wake(const step &s)
{
    int *word = &w->word[s.object], *other = &w->word[s.other];
    for (int left = s.size;;) {
        if (s.what == MOVE)
            left -= (int)(s.how % 2 ? syscall(SYS_futex, word, FUTEX_REQUEUE, 0, 1l, other) : syscall(SYS_futex, word, FUTEX_CMP_REQUEUE, 0, 1l, other, 0));
        else if (s.other != s.object)
            left -= (int)syscall(SYS_futex, word, FUTEX_WAKE_OP, 1, 1l, other, FUTEX_OP(FUTEX_OP_SET, 0, FUTEX_OP_CMP_EQ, 0));
        else if (s.how == 1)
            left -= (int)syscall(SYS_futex, word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 4);
        else
            left -= (int)syscall(SYS_futex, word, FUTEX_WAKE, 1);
        if (left <= 0)
            break;
        hidden_yield();
    }
}

/* ---- processes ---- */

void before_fork()
{
    if (hidden_get(&fork_writes) >= 0)
        write_at((unsigned)hidden_get(&fork_writes));
}

/* The child does nothing. */
void fork_there(const step &s)
{
    static char name[] = "/bin/true", *const arguments[] = {name, NULL};
    pid_t pid = 0;
    hidden_put(&fork_writes, hidden_get(&handlers) ? s.at : -1);
    if (s.how == 3)
        MUST(posix_spawn(&pid, name, NULL, NULL, arguments, environ) == 0);
    else
        pid = s.how == 4 ? vfork() : fork();
    if (pid == 0)
        hidden_syscall(SYS_exit_group, 0, 0, 0, 0);
    hidden_put(&fork_writes, -1);
    hidden_put(&w->process[s.object], pid);
}

void reap(const step &s)
{
    pid_t pid = (pid_t)hidden_get(&w->process[s.object]), got = pid;
    siginfo_t info;
    if (s.how == 0)
        MUST(waitid(P_PID, (id_t)pid, &info, WEXITED) == 0);
    else
        got = s.how == 1 ? wait4(pid, NULL, 0, NULL) : waitpid(pid, NULL, 0);
    MUST(got == pid);
    hidden_put(&w->process[s.object], 0);
}

/* ---- threads ---- */

void *actor(void *number);
int actor_c11(void *number) { return actor(number) != NULL; }

void create(const step &s)
{
    pthread_t made;
    thrd_t made_c11;
    pthread_attr_t a;
    void *number = (void *)(size_t)(WORKERS + s.object);
    pthread_attr_init(&a);
    if (s.how == 1)
        pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    if (s.how == 2) {
        MUST(thrd_create(&made_c11, actor_c11, number) == thrd_success);
        made = made_c11;
    } else {
        MUST(pthread_create(&made, &a, actor, number) == 0);
    }
    pthread_attr_destroy(&a);
    hidden_put(&w->thread[WORKERS + s.object], (long)made);
}

pthread_t thread_of(unsigned t)
{
    long thread;
    while ((thread = hidden_get(&w->thread[t])) == 0)
        hidden_yield();
    return (pthread_t)thread;
}

void join(unsigned object, unsigned how)
{
    struct timespec limit = in_a_minute(), steady = in_a_minute(CLOCK_MONOTONIC);
    pthread_t thread = thread_of(WORKERS + object);
    if (how == 1)
        wait_gone();
    MUST((how == 0   ? pthread_join(thread, NULL)
          : how == 1 ? pthread_tryjoin_np(thread, NULL)
          : how == 2 ? pthread_timedjoin_np(thread, NULL, &limit)
                     : pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &steady)) == 0);
    hidden_put(&w->thread[WORKERS + object], -1);
}

void finish_step(unsigned i)
{
    if (!step_end(i) && hidden_get(&failed_step) < 0)
        hidden_put(&failed_step, i);
    turn_pass();
}

/* The last step of a child, if it has one. */
void destructor(void *thread_number)
{
    unsigned i = 0, me = (unsigned)(size_t)thread_number;
    while (i < script_steps && (script[i].thread != me || script[i].what != END))
        i++;
    if (i == script_steps)
        return;
    turn_wait(first_turn + i);
    step_begin(i);
    write_at(script[i].at);
    AnnotateHappensBefore(__FILE__, __LINE__, &w->over);
    hidden_put(&w->gone[me], hidden_tid());
    finish_step(i);
}

void cancel_myself()
{
    pthread_cancel(pthread_self());
    pthread_testcancel();
}

void end(const step &s)
{
    if (s.other)
        pthread_once(&w->once, cancel_myself);
    if (s.how == 1)
        pthread_exit(NULL);
    if (s.how == 2)
        cancel_myself();
}

/* ---- signals ---- */

thread_local unsigned handler_at;

void handler(int) { write_at(handler_at); }

void send_signal(const step &s)
{
    int sig = SIG_HANDLED + s.object;
    union sigval value = {};
    long tid;
    while ((tid = hidden_get(&w->tid[s.other])) == 0)
        hidden_yield();
    MUST((s.how == 0   ? pthread_kill(thread_of(s.other), sig)
          : s.how == 1 ? pthread_sigqueue(thread_of(s.other), sig, value)
          : s.how == 2 ? tgkill(getpid(), (pid_t)tid, sig)
                       : syscall(SYS_tgkill, getpid(), tid, sig)) == 0);
}

void handle(const step &s)
{
    int sig = SIG_HANDLED + s.object;
    sigset_t set = set_of(sig), all;
    handler_at = s.at;
    if (s.what == HANDLE && s.how) {
        sigfillset(&all);
        sigdelset(&all, sig);
        MUST((s.how == 1 ? sigsuspend(&all) : s.how == 2 ? ppoll(NULL, 0, NULL, &all) : pselect(0, NULL, NULL, NULL, NULL, &all)) == -1);
        return;
    }
    MUST(pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0);
    if (s.what == RAISE)
        raise(sig);
    MUST(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
}

void install(unsigned k)
{
    struct sigaction a = {};
    a.sa_handler = handler;
    MUST(sigaction((int)(SIG_HANDLED + k), &a, NULL) == 0);
}

void set_timer(unsigned next)
{
    struct itimerspec at_once = {};
    at_once.it_value.tv_nsec = 1;
    if (hidden_get(&w->gone[TIMER]))
        hidden_wait_gone(hidden_get(&w->gone[TIMER])); /* the one before is over */
    hidden_put(&w->timed_step, next);
    MUST(timer_settime(w->timer_thread, 0, &at_once, NULL) == 0);
}

void timed(union sigval)
{
    unsigned i = (unsigned)hidden_get(&w->timed_step);
    turn_wait(first_turn + i);
    step_begin(i);
    write_at(script[i].at);
    AnnotateHappensBefore(__FILE__, __LINE__, &w->over);
    hidden_put(&w->gone[TIMER], hidden_tid());
    finish_step(i);
}

/* ---- others ---- */

void remake(const step &s)
{
    MUST(pthread_barrier_destroy(&w->barrier[s.object]) == 0);
    make_barrier(&w->barrier[s.object], s.object, s.size);
}

thread_local const step *once_step;

void run_once()
{
    const step *s = once_step;
    write_at(s->at);
    if (s->what == ONCE_FAILS)
        throw 1;
}

void once(const step &s)
{
    once_step = &s;
    try {
        if (s.object == O_PTHREAD)
            pthread_once(&w->once, run_once);
        else
            std::call_once(w->std_once, run_once);
        MUST(s.what == ONCE);
    } catch (int) {
        MUST(s.what == ONCE_FAILS);
    }
}

void number(const step &s)
{
    int fd = FIRST_NUMBER + s.object;
    struct pollfd p = {fd, POLLOUT, 0};
    struct stat st = {};
    if (s.what == OPEN)
        MUST(fcntl(w->ends[C_PIPE][1], s.how % 2 ? F_DUPFD : F_DUPFD_CLOEXEC, fd) == fd);
    else if (s.what == CLOSE)
        MUST((s.how % 2 ? close(fd) : close_range((unsigned)fd, (unsigned)fd, 0)) == 0);
    else
        MUST((s.how == 0 ? fcntl(fd, F_GETFD) : s.how == 1 ? fstat(fd, &st) : s.how == 2 ? fcntl(fd, F_GETFL) : poll(&p, 1, 0) - 1) >= 0);
}

void renew(const step &s)
{
    void *p = (void *)hidden_get(&w->memory[s.object]), *q = p;
    const int prot = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
    if (s.object == M_HEAP && s.how == 0) {
        q = realloc(p, BLOCK);
    } else if (s.object == M_HEAP) {
        free(p);
        if (s.how == 3)
            MUST(posix_memalign(&q, 64, BLOCK) == 0);
        else
            q = s.how == 1 ? malloc(BLOCK) : calloc(2, BLOCK / 2);
    } else if (s.how < 2) {
        q = mmap(p, 4096, prot, flags | MAP_FIXED, -1, 0);
    } else if (s.how == 2) {
        munmap(p, 4096);
        q = mmap(p, 4096, prot, flags | MAP_FIXED_NOREPLACE, -1, 0);
        if (q == MAP_FAILED) /* somebody else's memory is there by now */
            q = mmap(NULL, 4096, prot, flags, -1, 0);
    } else {
        void *room = mmap(NULL, 4096, prot, flags, -1, 0);
        q = mremap(p, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, room);
    }
    MUST(q && q != MAP_FAILED);
    hidden_put(&w->memory[s.object], (long)q);
}

void shut(const step &s)
{
    int fd = w->end[s.object][1];
    switch (s.object) {
    case E_PIPE_OVER: MUST(dup2(0, fd) == fd); break;
    case E_SHUTDOWN: MUST(shutdown(fd, SHUT_WR) == 0); break;
    case E_TCP: MUST(shutdown(fd, SHUT_RDWR) == 0); break;
    case E_RANGE: MUST(close_range((unsigned)fd, (unsigned)fd, 0) == 0); break;
    default: MUST(close(fd) == 0);
    }
}

void read_end(const step &s)
{
    char c;
    int fd = w->end[s.object][0];
    struct pollfd p = {fd, POLLIN, 0};
    if (s.how == 0)
        MUST(poll(&p, 1, -1) == 1);
    else
        MUST((s.object == E_PIPE || s.object == E_PIPE_OVER || s.object == E_RANGE || s.how == 1 ? read(fd, &c, 1) : recv(fd, &c, 1, 0)) == 0);
}

void connect_there(const step &s)
{
    struct sockaddr_storage a;
    socklen_t n = sizeof a;
    MUST(getsockname(w->listener[s.object], (struct sockaddr *)&a, &n) == 0 && connect(w->client[s.object][s.other], (struct sockaddr *)&a, n) == 0);
}

void accept_there(const step &s)
{
    int fd = s.how ? accept(w->listener[s.object], NULL, NULL) : accept4(w->listener[s.object], NULL, NULL, SOCK_CLOEXEC);
    MUST(fd >= 0 && close(fd) == 0);
}

void do_step(const step &s, unsigned i, unsigned t)
{
    switch (s.what) {
    case READ:
    case WRITE: read_write(s); break;
    case SEND: send(s, t); break;
    case RECEIVE:
    case AWAIT: receive(s, t); break;
    case LOOK: look(s); break;
    case LOCK: take(s); break;
    case UNLOCK: unlock(s.object); break;
    case LOCK_FAILS: MUST(lock(s, TRY) == EBUSY); break;
    case LOCK_LOST: MUST(lock(s, s.how == TRY ? 0u : s.how) == ENOTRECOVERABLE); break; /* after a trylock glibc 2.36 keeps it locked */
    case WAIT: wait(s); break;
    case SIGNAL: s.how % 2 ? pthread_cond_signal(&w->condition[s.object]) : pthread_cond_broadcast(&w->condition[s.object]); break;
    case READ_LOCK:
    case WRITE_LOCK: MUST(rw_lock(s) == 0); break;
    case RW_UNLOCK: MUST(pthread_rwlock_unlock(&w->rw[s.object]) == 0); break;
    case FILE_SHARED:
    case FILE_LOCK:
    case FILE_UNLOCK: MUST(file_lock(s, t) == 0); break;
    case FILE_FAILS: MUST(file_lock(s, t) == -1); break;
    case SLEEP: sleep_there(s); break;
    case WAKE:
    case MOVE: wake(s); break;
    case FORK: fork_there(s); break;
    case REAP: reap(s); break;
    case AT_FORK:
        MUST(pthread_atfork(before_fork, NULL, NULL) == 0);
        hidden_put(&handlers, 1);
        break;
    case CREATE: create(s); break;
    case JOIN: join(s.object, s.how); break;
    case DETACH: MUST(pthread_detach(thread_of(WORKERS + s.object)) == 0); break;
    case CANCEL: MUST(pthread_cancel(thread_of(WORKERS + s.object)) == 0); break;
    case KILL: send_signal(s); break;
    case HANDLE:
    case RAISE: handle(s); break;
    case INSTALL: install(s.object); break;
    case SET_TIMER: set_timer(i + 1); break;
    case ARRIVE:
    case LAST_COMES: pthread_barrier_wait(&w->barrier[s.object]); break;
    case REMAKE: remake(s); break;
    case ONCE:
    case ONCE_FAILS: once(s); break;
    case OPEN:
    case CLOSE:
    case USE: number(s); break;
    case SHUT: shut(s); break;
    case READ_END: read_end(s); break;
    case CONNECT: connect_there(s); break;
    case RENEW: renew(s); break;
    default: accept_there(s);
    }
}

void *actor(void *actor_number)
{
    unsigned me = (unsigned)(size_t)actor_number;
    alignas(8) char local[STACK];
    pthread_setspecific(at_end, actor_number);
    hidden_put(&w->tid[me], hidden_tid());
    hidden_put(&w->local[me], (long)local);
    for (unsigned i = 0; i < script_steps; i++) {
        const step &s = script[i];
        bool waits = s.what == AWAIT || s.what == WAIT || s.what == SLEEP || s.what == ARRIVE; /* for who makes a later step */
        if (s.thread != me)
            continue;
        turn_wait(first_turn + i);
        if (s.what == END) {
            end(s);
            return NULL;
        }
        step_begin(i);
        if (waits)
            turn_pass();
        do_step(s, i, me);
        if (!waits)
            finish_step(i);
    }
    turn_wait(first_turn + script_steps);
    AnnotateHappensBefore(__FILE__, __LINE__, &w->over);
    hidden_put(&w->gone[me], hidden_tid());
    return NULL;
}

void run(unsigned long seed)
{
    script_make(seed);
    hidden_put(&handlers, 0);
    w = new world;
    for (size_t k = 0; k < WORKERS; k++) {
        pthread_t made;
        MUST(pthread_create(&made, NULL, actor, (void *)k) == 0);
        hidden_put(&w->thread[k], (long)made);
    }
    for (unsigned k = 0; k < WORKERS; k++)
        pthread_join((pthread_t)hidden_get(&w->thread[k]), NULL);
    bool detached[CHILDREN] = {};
    for (unsigned i = 0; i < script_steps; i++)
        if (script[i].what == DETACH || (script[i].what == CREATE && script[i].how == 1))
            detached[script[i].object] = true;
    for (unsigned k = WORKERS; k < TIMER; k++)
        while (hidden_get(&w->thread[k]) > 0 && !hidden_get(&w->gone[k]))
            hidden_yield();
    wait_gone();
    for (unsigned k = 0; k < CHILDREN; k++)
        if (hidden_get(&w->thread[WORKERS + k]) > 0 && !detached[k])
            join(k, 0);
    AnnotateHappensAfter(__FILE__, __LINE__, &w->over);
    for (const long &pid : w->process)
        if (hidden_get(&pid))
            waitpid((pid_t)hidden_get(&pid), NULL, 0);
    sigset_t all;
    struct timespec zero = {};
    sigfillset(&all);
    while (hidden_syscall(SYS_rt_sigtimedwait, (long)&all, 0, (long)&zero, 8) > 0) /* what nobody has waited for */
        ;
    first_turn += script_steps;
    delete w;
    long step = hidden_get(&failed_step);
    if (step >= 0) {
        script_print(seed, (unsigned)step);
        hidden_put(&failed_step, -1);
        wrong++;
    }
}

} // namespace

int main(int argc, char **argv)
{
    long scripts = argc > 1 ? atol(argv[1]) : 0, seed = argc > 2 ? atol(argv[2]) : 1, left_out = argc > 3 ? atol(argv[3]) : 0;
    if (scripts < 1 || !hear_of_races() || (left_out && !script_leave_out((unsigned)left_out))) {
        fputs("usage: order_posix SCRIPTS [FIRST SEED [LEFT OUT]]; build it with `goldilocks c++`\n", stderr);
        return 2;
    }
    try { /* what the unwinder does once is done */
        throw 1;
    } catch (int) {
    }
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD); /* or it may interrupt who waits */
    for (int sig = SIG_WAITED; sig < SIG_HANDLED + (int)SIGNALS; sig++)
        sigaddset(&set, sig);
    MUST(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0 && pthread_key_create(&at_end, destructor) == 0);
    for (unsigned k = 0; k < SIGNALS; k++)
        install(k);
    for (long n = 0; n < scripts; n++)
        run((unsigned long)(seed + n));
    printf("%lu steps, %lu bytes raced, %u scripts wrong\n", steps_done(), races_true(), wrong);
    return wrong ? 1 : 0;
}
