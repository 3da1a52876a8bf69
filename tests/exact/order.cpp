/* SPDX-License-Identifier: Apache-2.0
 *
 * Random executions of what orders threads (mutexes of many kinds, reader-writer locks, conditions, channels, atomics of all sizes and orders,
 * fences, things done once, shared ownership, latches, barriers, threads), held against the truth, access by access: each step races if and
 * only if order_script.c says so.  With libstdc++: libc++ makes timed and shared mutexes of others, which order more.
 *
 *     order SCRIPTS [FIRST SEED]
 */
#include "tests/exact/order.h"

#include "tests/programs/invisible.h"
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <poll.h>
#include <semaphore.h>
#include <semaphore>
#include <shared_mutex>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

extern "C" {
void AnnotateHappensBefore(const char *file, int line, const volatile void *addr);
void AnnotateHappensAfter(const char *file, int line, const volatile void *addr);
void AnnotateRWLockCreate(const char *file, int line, const volatile void *lock);
void AnnotateRWLockDestroy(const char *file, int line, const volatile void *lock);
void AnnotateRWLockAcquired(const char *file, int line, const volatile void *lock, long write);
void AnnotateRWLockReleased(const char *file, int line, const volatile void *lock, long write);
void __tsan_acquire(void *addr);
void __tsan_release(void *addr);
void __tsan_mutex_create(void *addr, unsigned flags);
void __tsan_mutex_destroy(void *addr, unsigned flags);
void __tsan_mutex_pre_lock(void *addr, unsigned flags);
void __tsan_mutex_post_lock(void *addr, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *addr, unsigned flags);
void __tsan_mutex_post_unlock(void *addr, unsigned flags);
}

namespace {

enum { NOW = 0, TRY = 1, TIMED = 2 }; /* step.how */

struct three {
    unsigned char v[3];
};
struct forty {
    unsigned short v[20];
};

/* Whose is the last writes there. */
struct owned {
    int *place;
    ~owned() { *place = 1; }
};

/* What a script uses: fresh for each. */
struct world {
    alignas(16) char bytes[BYTES];
    pthread_mutex_t mutex[5];
    pthread_spinlock_t spin;
    mtx_t c11;
    std::mutex std_mutex;
    std::timed_mutex std_timed;
    std::recursive_timed_mutex std_recursive;
    char annotated;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    cnd_t c11_condition;
    std::condition_variable std_condition;
    pthread_rwlock_t rw[2];
    std::shared_mutex std_shared;
    std::shared_timed_mutex std_shared_timed;
    char annotated_rw;
    sem_t semaphore[2];
    int pipe[2], event, socket[2];
    char channel_annotated, channel_tsan;
    std::atomic<unsigned char> a1{0};
    std::atomic<unsigned short> a2{0};
    std::atomic<int> a4{0};
    std::atomic<long> a8{0};
    std::atomic<__int128> a16{0};
    std::atomic<three> a3{three{}};
    std::atomic<forty> a40{forty{}};
    int referenced = 0;
    std::atomic<char *> pointer{nullptr};
    pthread_once_t once = PTHREAD_ONCE_INIT;
    once_flag c11_once = ONCE_FLAG_INIT;
    std::once_flag std_once;
    std::promise<int> promise[PROMISES];
    std::shared_future<int> future[PROMISES][WORKERS];
    std::shared_ptr<owned> shared[SHARED][WORKERS];
    int *last_place[SHARED];
    std::latch latch[LATCHES] = {std::latch(STEPS), std::latch(STEPS)};
    pthread_barrier_t barrier;
    /* Where libstdc++ keeps who waits goes by six bits of the address, and what is kept in one place orders. */
    alignas(64) std::counting_semaphore<1000> counting{0};
    alignas(64) std::barrier<> std_barrier{2};
    long child[CHILDREN]; /* pthread_t, unseen */

    world();
    ~world();
};

world *w; /* changes only while no other thread runs */
unsigned first_turn, wrong;
long failed_step = -1;

world::world()
{
    static const int kinds[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_NORMAL};
    memset(bytes, 0, sizeof bytes);
    for (unsigned k = 0; k < 5; k++) {
        pthread_mutexattr_t a;
        pthread_mutexattr_init(&a);
        pthread_mutexattr_settype(&a, kinds[k]);
        if (k == L_ROBUST)
            pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
        if (k == L_INHERIT)
            pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
        MUST(pthread_mutex_init(&mutex[k], &a) == 0);
        pthread_mutexattr_destroy(&a);
    }
    MUST(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE) == 0);
    MUST(mtx_init(&c11, mtx_timed) == thrd_success && cnd_init(&c11_condition) == thrd_success);
    __tsan_mutex_create(&annotated, 0);
    pthread_rwlockattr_t a;
    pthread_rwlockattr_init(&a);
    MUST(pthread_rwlock_init(&rw[0], &a) == 0);
    pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    MUST(pthread_rwlock_init(&rw[1], &a) == 0);
    AnnotateRWLockCreate(__FILE__, __LINE__, &annotated_rw);
    for (sem_t &s : semaphore)
        MUST(sem_init(&s, 0, 0) == 0);
    MUST(::pipe(pipe) == 0 && (event = eventfd(0, EFD_SEMAPHORE)) >= 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, socket) == 0);
    for (unsigned k = 0; k < PROMISES; k++) {
        future[k][0] = promise[k].get_future().share();
        for (unsigned t = 1; t < WORKERS; t++)
            future[k][t] = future[k][0];
    }
    for (unsigned k = 0; k < SHARED; k++) {
        shared[k][0] = std::make_shared<owned>();
        shared[k][0]->place = (int *)bytes; /* of whose DROP is the last, until then */
        for (unsigned t = 1; t < WORKERS; t++)
            shared[k][t] = shared[k][0];
    }
    MUST(pthread_barrier_init(&barrier, NULL, 2) == 0);
}

world::~world()
{
    for (pthread_mutex_t &m : mutex)
        MUST(pthread_mutex_destroy(&m) == 0);
    pthread_spin_destroy(&spin);
    mtx_destroy(&c11);
    cnd_destroy(&c11_condition);
    pthread_cond_destroy(&condition);
    __tsan_mutex_destroy(&annotated, 0);
    pthread_rwlock_destroy(&rw[0]);
    pthread_rwlock_destroy(&rw[1]);
    AnnotateRWLockDestroy(__FILE__, __LINE__, &annotated_rw);
    for (sem_t &s : semaphore)
        sem_destroy(&s);
    for (int fd : {pipe[0], pipe[1], event, socket[0], socket[1]})
        close(fd);
    pthread_barrier_destroy(&barrier);
}

struct timespec in_a_minute()
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += 60;
    return t;
}
struct timespec long_ago() { return {1, 0}; }

/* ---- accesses ---- */

void read_write(const step &s)
{
    char *p = w->bytes + s.at;
    switch (s.what * 16 + s.size) {
    case READ * 16 + 1: USE(*p); break;
    case READ * 16 + 2: USE(*(short *)p); break;
    case READ * 16 + 4: USE(*(int *)p); break;
    case READ * 16 + 8: USE(*(long *)p); break;
    case WRITE * 16 + 1: *p = 1; break;
    case WRITE * 16 + 2: *(short *)p = 1; break;
    case WRITE * 16 + 4: *(int *)p = 1; break;
    default: *(long *)p = 1;
    }
    __asm__ volatile("" : : : "memory");
}

/* ---- locks ---- */

template <class M> bool take(M &m, unsigned how)
{
    if (how == NOW)
        return m.lock(), true;
    return how == TRY ? m.try_lock() : m.try_lock_for(std::chrono::minutes(1));
}
template <> bool take(std::mutex &m, unsigned how) { return how == NOW ? (m.lock(), true) : m.try_lock(); }

bool lock(unsigned object, unsigned how)
{
    struct timespec limit = in_a_minute();
    switch (object) {
    case L_SPIN: return (how == NOW ? pthread_spin_lock(&w->spin) : pthread_spin_trylock(&w->spin)) == 0;
    case L_C11: return (how == NOW ? mtx_lock(&w->c11) : how == TRY ? mtx_trylock(&w->c11) : mtx_timedlock(&w->c11, &limit)) == thrd_success;
    case L_STD: return take(w->std_mutex, how);
    case L_STD_TIMED: return take(w->std_timed, how);
    case L_STD_RECURSIVE: return take(w->std_recursive, how);
    case L_ANNOTATED:
        __tsan_mutex_pre_lock(&w->annotated, 0);
        __tsan_mutex_post_lock(&w->annotated, 0, 0);
        return true;
    default: {
        pthread_mutex_t *m = &w->mutex[object];
        return (how == NOW ? pthread_mutex_lock(m) : how == TRY ? pthread_mutex_trylock(m) : pthread_mutex_timedlock(m, &limit)) == 0;
    }
    }
}

void unlock(unsigned object)
{
    switch (object) {
    case L_SPIN: pthread_spin_unlock(&w->spin); break;
    case L_C11: mtx_unlock(&w->c11); break;
    case L_STD: w->std_mutex.unlock(); break;
    case L_STD_TIMED: w->std_timed.unlock(); break;
    case L_STD_RECURSIVE: w->std_recursive.unlock(); break;
    case L_ANNOTATED:
        __tsan_mutex_pre_unlock(&w->annotated, 0);
        __tsan_mutex_post_unlock(&w->annotated, 0);
        break;
    default: MUST(pthread_mutex_unlock(&w->mutex[object]) == 0);
    }
}

void wait(unsigned object, bool expired)
{
    struct timespec limit = long_ago();
    if (object == L_NORMAL) {
        MUST(expired ? pthread_cond_timedwait(&w->condition, &w->mutex[0], &limit) == ETIMEDOUT : pthread_cond_wait(&w->condition, &w->mutex[0]) == 0);
    } else if (object == L_C11) {
        MUST(expired ? cnd_timedwait(&w->c11_condition, &w->c11, &limit) == thrd_timedout : cnd_wait(&w->c11_condition, &w->c11) == thrd_success);
    } else {
        std::unique_lock<std::mutex> held(w->std_mutex, std::adopt_lock);
        if (expired)
            MUST(w->std_condition.wait_for(held, std::chrono::seconds(-1)) == std::cv_status::timeout);
        else
            w->std_condition.wait(held);
        held.release();
    }
}

void signal(unsigned object, unsigned how)
{
    if (object == L_NORMAL)
        how ? pthread_cond_signal(&w->condition) : pthread_cond_broadcast(&w->condition);
    else if (object == L_C11)
        how ? cnd_signal(&w->c11_condition) : cnd_broadcast(&w->c11_condition);
    else
        how ? w->std_condition.notify_one() : w->std_condition.notify_all();
}

template <class M> bool take_shared(M &m, unsigned how)
{
    if (how == NOW)
        return m.lock_shared(), true;
    return how == TRY ? m.try_lock_shared() : m.try_lock_shared_for(std::chrono::minutes(1));
}
template <> bool take_shared(std::shared_mutex &m, unsigned how) { return how == NOW ? (m.lock_shared(), true) : m.try_lock_shared(); }
template <> bool take(std::shared_mutex &m, unsigned how) { return how == NOW ? (m.lock(), true) : m.try_lock(); }

bool rw_lock(unsigned object, unsigned how, bool write)
{
    struct timespec limit = in_a_minute();
    switch (object) {
    case RW_STD: return write ? take(w->std_shared, how) : take_shared(w->std_shared, how);
    case RW_STD_TIMED: return write ? take(w->std_shared_timed, how) : take_shared(w->std_shared_timed, how);
    case RW_ANNOTATED: AnnotateRWLockAcquired(__FILE__, __LINE__, &w->annotated_rw, write); return true;
    default: {
        pthread_rwlock_t *l = &w->rw[object];
        if (write)
            return (how == NOW ? pthread_rwlock_wrlock(l) : how == TRY ? pthread_rwlock_trywrlock(l) : pthread_rwlock_timedwrlock(l, &limit)) == 0;
        return (how == NOW ? pthread_rwlock_rdlock(l) : how == TRY ? pthread_rwlock_tryrdlock(l) : pthread_rwlock_timedrdlock(l, &limit)) == 0;
    }
    }
}

void rw_unlock(unsigned object, bool write)
{
    switch (object) {
    case RW_STD: write ? w->std_shared.unlock() : w->std_shared.unlock_shared(); break;
    case RW_STD_TIMED: write ? w->std_shared_timed.unlock() : w->std_shared_timed.unlock_shared(); break;
    case RW_ANNOTATED: AnnotateRWLockReleased(__FILE__, __LINE__, &w->annotated_rw, write); break;
    default: MUST(pthread_rwlock_unlock(&w->rw[object]) == 0);
    }
}

/* ---- channels ---- */

int reading_end(unsigned object) { return object == C_PIPE ? w->pipe[0] : object == C_EVENTFD ? w->event : w->socket[object == C_SOCKET]; }
int writing_end(unsigned object) { return object == C_PIPE ? w->pipe[1] : object == C_EVENTFD ? w->event : w->socket[object != C_SOCKET]; }

void send(unsigned object)
{
    unsigned long one = 1;
    switch (object) {
    case C_SEMAPHORE:
    case C_SEMAPHORE_2: MUST(sem_post(&w->semaphore[object - C_SEMAPHORE]) == 0); break;
    case C_COUNTING: w->counting.release(); break;
    case C_ANNOTATED: AnnotateHappensBefore(__FILE__, __LINE__, &w->channel_annotated); break;
    case C_TSAN: __tsan_release(&w->channel_tsan); break;
    default: MUST(write(writing_end(object), &one, object == C_EVENTFD ? 8 : 1) > 0);
    }
}

void look(unsigned object, bool more)
{
    struct pollfd p = {reading_end(object), POLLIN, 0};
    struct timespec zero = {};
    MUST((more ? poll(&p, 1, 0) : ppoll(&p, 1, &zero, NULL)) == 1);
}

void receive(unsigned object, unsigned how)
{
    unsigned long got;
    struct timespec limit = in_a_minute();
    switch (object) {
    case C_SEMAPHORE:
    case C_SEMAPHORE_2: {
        sem_t *s = &w->semaphore[object - C_SEMAPHORE];
        MUST((how == NOW ? sem_wait(s) : how == TRY ? sem_trywait(s) : sem_timedwait(s, &limit)) == 0);
        break;
    }
    case C_COUNTING: MUST(w->counting.try_acquire()); break;
    case C_ANNOTATED: AnnotateHappensAfter(__FILE__, __LINE__, &w->channel_annotated); break;
    case C_TSAN: __tsan_acquire(&w->channel_tsan); break;
    default: MUST(read(reading_end(object), &got, object == C_EVENTFD ? 8 : 1) > 0);
    }
}

/* ---- atomics ---- */

/* Compilers make calls of the runtime only of orders that they know. */
template <class F> auto with(unsigned order, F f)
{
    switch (order) {
    case RELAXED: return f(std::memory_order_relaxed);
    case ACQUIRE: return f(std::memory_order_acquire);
    case RELEASE: return f(std::memory_order_release);
    case BOTH: return f(std::memory_order_acq_rel);
    default: return f(std::memory_order_seq_cst);
    }
}

template <class T> T value_of(unsigned v)
{
    if constexpr (std::is_same_v<T, three>)
        return three{{(unsigned char)v, (unsigned char)v, (unsigned char)v}};
    else if constexpr (std::is_same_v<T, forty>) {
        forty made{};
        for (unsigned short &x : made.v)
            x = (unsigned short)v;
        return made;
    } else
        return (T)(unsigned long)v;
}

template <class T> bool same(const T &a, const T &b) { return memcmp(&a, &b, sizeof a) == 0; }

template <class T, class A> void atomic_on(A &&a, const step &s)
{
    T value = value_of<T>(s.value), old = value_of<T>(s.old), other = value_of<T>(s.old + 1u);
    switch (s.what) {
    case LOAD:
        switch (s.order) {
        case RELAXED: MUST(same(a.load(std::memory_order_relaxed), old)); break;
        case ACQUIRE: MUST(same(a.load(std::memory_order_acquire), old)); break;
        default: MUST(same(a.load(), old));
        }
        break;
    case STORE:
        switch (s.order) {
        case RELAXED: a.store(value, std::memory_order_relaxed); break;
        case RELEASE: a.store(value, std::memory_order_release); break;
        default: a.store(value);
        }
        break;
    case EXCHANGE: MUST(same(with(s.order, [&](std::memory_order o) { return a.exchange(value, o); }), old)); break;
    case SWAP: MUST(with(s.order, [&](std::memory_order o) { return a.compare_exchange_strong(old, value, o, std::memory_order_relaxed); })); break;
    default:
        if (s.order_failed == RELAXED)
            MUST(!with(s.order, [&](std::memory_order o) { return a.compare_exchange_strong(other, value, o, std::memory_order_relaxed); }));
        else if (s.order_failed == TOTAL)
            MUST(!a.compare_exchange_strong(other, value));
        else if (s.order == ACQUIRE)
            MUST(!a.compare_exchange_strong(other, value, std::memory_order_acquire, std::memory_order_acquire));
        else if (s.order == BOTH)
            MUST(!a.compare_exchange_strong(other, value, std::memory_order_acq_rel, std::memory_order_acquire));
        else
            MUST(!a.compare_exchange_strong(other, value, std::memory_order_seq_cst, std::memory_order_acquire));
    }
}

void atomic(const step &s)
{
    switch (s.object) {
    case A_1: atomic_on<unsigned char>(w->a1, s); break;
    case A_2: atomic_on<unsigned short>(w->a2, s); break;
    case A_4: atomic_on<int>(w->a4, s); break;
    case A_8: atomic_on<long>(w->a8, s); break;
    case A_16: atomic_on<__int128>(w->a16, s); break;
    case A_3: atomic_on<three>(w->a3, s); break;
    case A_40: atomic_on<forty>(w->a40, s); break;
    case A_REF: atomic_on<int>(std::atomic_ref<int>(w->referenced), s); break;
    default: atomic_on<char *>(w->pointer, s);
    }
}

void annotate(const step &s)
{
    void *const of[] = {&w->a1, &w->a2, &w->a4, &w->a8, &w->a16, &w->a3, &w->a40, &w->referenced, &w->pointer};
    void *p = of[s.object];
    if (s.what == TELL)
        s.how ? AnnotateHappensBefore(__FILE__, __LINE__, p) : __tsan_release(p);
    else
        s.how ? AnnotateHappensAfter(__FILE__, __LINE__, p) : __tsan_acquire(p);
}

void fence(unsigned order)
{
    switch (order) {
    case ACQUIRE: std::atomic_thread_fence(std::memory_order_acquire); break;
    case RELEASE: std::atomic_thread_fence(std::memory_order_release); break;
    case BOTH: std::atomic_thread_fence(std::memory_order_acq_rel); break;
    default: std::atomic_thread_fence(std::memory_order_seq_cst);
    }
}

/* ---- what is done once ---- */

thread_local unsigned once_at;

void write_once() { *(int *)(w->bytes + once_at) = 1; }

void once(const step &s)
{
    once_at = s.at;
    switch (s.object) {
    case O_PTHREAD: pthread_once(&w->once, write_once); break;
    case O_C11: call_once(&w->c11_once, write_once); break;
    default: std::call_once(w->std_once, write_once);
    }
}

void drop(const step &s, unsigned t)
{
    hidden_put((long *)&w->shared[s.object][t]->place, (long)(w->bytes + s.at)); /* unseen; the last one's stays */
    w->shared[s.object][t].reset();
}

/* ---- threads ---- */

void *actor(void *number);

void create(unsigned child)
{
    pthread_t made;
    MUST(pthread_create(&made, NULL, actor, (void *)(size_t)(WORKERS + child)) == 0);
    hidden_put(&w->child[child], (long)made);
}

void join(unsigned child)
{
    MUST(pthread_join((pthread_t)hidden_get(&w->child[child]), NULL) == 0);
    hidden_put(&w->child[child], 0);
}

void meet(unsigned object)
{
    if (object == M_PTHREAD)
        pthread_barrier_wait(&w->barrier);
    else
        w->std_barrier.arrive_and_wait();
}

void do_step(const step &s, unsigned t)
{
    switch (s.what) {
    case READ:
    case WRITE: read_write(s); break;
    case LOCK: MUST(lock(s.object, s.how)); break;
    case LOCK_FAILS: MUST(!lock(s.object, TRY)); break;
    case UNLOCK: unlock(s.object); break;
    case WAIT_EXPIRED: wait(s.object, true); break;
    case WAIT: wait(s.object, false); break;
    case SIGNAL: signal(s.object, s.how); break;
    case READ_LOCK: MUST(rw_lock(s.object, s.how, false)); break;
    case READ_UNLOCK: rw_unlock(s.object, false); break;
    case WRITE_LOCK: MUST(rw_lock(s.object, s.how, true)); break;
    case WRITE_UNLOCK: rw_unlock(s.object, true); break;
    case SEND: send(s.object); break;
    case RECEIVE: receive(s.object, s.how); break;
    case LOOK: look(s.object, s.how); break;
    case FENCE: fence(s.order); break;
    case TELL:
    case HEAR: annotate(s); break;
    case ONCE: once(s); break;
    case SET: w->promise[s.object].set_value(1); break;
    case GET: MUST(w->future[s.object][t].get() == 1); break;
    case DROP: drop(s, t); break;
    case COUNT_DOWN: w->latch[s.object].count_down(); break;
    case TRY_WAIT: USE((int)w->latch[s.object].try_wait()); break;
    case CREATE: create(s.object); break;
    case JOIN: join(s.object); break;
    case MEET:
    case MET: meet(s.object); break;
    case END: break;
    default: atomic(s);
    }
}

void *actor(void *number)
{
    unsigned me = (unsigned)(size_t)number;
    for (unsigned i = 0; i < script_steps; i++) {
        const step &s = script[i];
        bool meets = s.what == MEET || s.what == WAIT; /* waits for who makes a later step */
        if (s.thread != me)
            continue;
        turn_wait(first_turn + i);
        step_begin(i);
        if (meets)
            turn_pass();
        do_step(s, me);
        if (meets)
            continue;
        if (!step_end(i) && hidden_get(&failed_step) < 0)
            hidden_put(&failed_step, i);
        turn_pass();
        if (s.what == END)
            return NULL;
    }
    turn_wait(first_turn + script_steps);
    return NULL;
}

void run(unsigned long seed)
{
    pthread_t t[WORKERS];
    script_make(seed);
    w = new world;
    for (size_t k = 0; k < WORKERS; k++)
        MUST(pthread_create(&t[k], NULL, actor, (void *)k) == 0);
    for (size_t k = 0; k < WORKERS; k++)
        pthread_join(t[k], NULL);
    for (unsigned k = 0; k < CHILDREN; k++)
        if (hidden_get(&w->child[k]))
            join(k);
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
    long scripts = argc > 1 ? atol(argv[1]) : 0, seed = argc > 2 ? atol(argv[2]) : 1;
    if (scripts < 1 || !hear_of_races()) {
        fputs("usage: order SCRIPTS [FIRST SEED]; build it with `goldilocks c++`\n", stderr);
        return 2;
    }
    for (long n = 0; n < scripts; n++)
        run((unsigned long)(seed + n));
    printf("%lu steps, %lu bytes raced, %u scripts wrong\n", steps_done(), races_true(), wrong);
    return wrong ? 1 : 0;
}
