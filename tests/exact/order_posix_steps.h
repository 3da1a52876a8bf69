/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to order_posix_script.c: of each kind of step, whether it may be now, and what it does to the objects and to the truth.
 */
#ifndef TESTS_EXACT_ORDER_POSIX_STEPS_H
#define TESTS_EXACT_ORDER_POSIX_STEPS_H

#include "tests/exact/order_posix_state.h"

/* ---- one step: may it be, and what does it do ---- */

static void access_step(struct step *s, unsigned i, unsigned t)
{
    s->what = below(2) ? READ : WRITE;
    s->how = (unsigned char)below(4); /* 0, 1: aligned; 2: anywhere; 3: by functions */
    s->size = (unsigned char)(s->how == 3 ? 1 + below(16) : 1u << below(4));
    s->at = (unsigned char)(s->how < 2 ? below(BYTES / s->size) * s->size : below(BYTES - s->size + 1u));
    unsigned k = below(CHILDREN);
    if (below(8) == 0 && child[k].created && !child[k].ended) { /* on its stack */
        s->how = 0;
        s->size = (unsigned char)(1u << below(4));
        s->at = (unsigned char)(STACKS + k * STACK + below(STACK / s->size) * s->size);
    }
    if (below(8) == 0) {
        s->how = 0;
        s->size = (unsigned char)(1u << below(4));
        s->at = (unsigned char)(MEMORY + below(MEMORIES * BLOCK / s->size) * s->size);
    }
    truth_access(&truth[i], t, s->at, s->size, s->what == WRITE ? TRUTH_WRITE : 0);
}

static void send(struct step *s, unsigned i, unsigned t)
{
    s->what = SEND;
    if (s->object <= C_QUEUE && below(2)) {
        s->size = 4;
        s->at = (unsigned char)(below(BYTES / 4) * 4);
        truth_access(&truth[i], t, s->at, 4, 0);
    }
    clock_release(t, &channel[s->object].clock);
    if (channel[s->object].waiter != NOBODY) {
        unsigned waiter = channel[s->object].waiter;
        channel[s->object].waiter = NOBODY;
        struct step of_wait = {.what = AWAIT, .object = s->object};
        acquire(&of_wait, waiter, &channel[s->object].clock);
        goes_on(waiter);
    } else {
        channel[s->object].count++;
    }
}

static bool channel_step(struct step *s, unsigned i, unsigned t)
{
    s->object = (unsigned char)below(CHANNELS);
    s->how = (unsigned char)below(8);
    bool alone = s->object == C_CLOCK || s->object == C_TIMER; /* one at a time is there */
    bool unseen = s->object > C_SEMAPHORE;                     /* nothing to look at */
    if (below(2)) {
        if (channel[s->object].count >= (alone ? 1 : 8))
            return false;
        send(s, i, t);
        return true;
    }
    if (channel[s->object].count == 0) {
        s->what = AWAIT;
        if (script_steps >= LAST || channel[s->object].waiter != NOBODY || !another_works(t))
            return false;
        if (s->object == C_SEMAPHORE)
            clock_release(t, &channel[s->object].clock); /* who takes may let others go on that wait for nothing to be there */
        channel[s->object].waiter = (unsigned char)t;
        blocked[t] = true;
        return true;
    }
    if (!unseen && below(4) == 0) {
        s->what = LOOK;
        acquire(s, t, &channel[s->object].clock);
        return true;
    }
    s->what = RECEIVE;
    channel[s->object].count = (unsigned char)(s->object == C_EVENT_SUM ? 0 : channel[s->object].count - 1);
    if (s->object == C_SEMAPHORE)
        clock_release(t, &channel[s->object].clock);
    acquire(s, t, &channel[s->object].clock);
    if (s->object <= C_QUEUE && below(2)) {
        s->size = 4;
        write_there(i, t);
    }
    return true;
}

static void wake(struct lock *l)
{
    if (l->waiter == NOBODY || !l->signalled || l->holder != NOBODY)
        return;
    struct step of_wait = {.what = WAIT, .object = (unsigned char)(l - lock)};
    l->holder = l->waiter;
    acquire(&of_wait, l->waiter, &l->clock);
    goes_on(l->waiter);
    l->waiter = NOBODY;
    l->signalled = false;
}

static void unlock(struct step *s, unsigned t)
{
    struct lock *l = &lock[s->object];
    s->what = UNLOCK;
    holds[t]--;
    clock_release(t, &l->clock);
    l->holder = NOBODY;
    l->lost = l->died;
    wake(l);
}

static bool lock_step(struct step *s, unsigned t)
{
    struct lock *l = &lock[s->object = (unsigned char)below(LOCKS)];
    if (t >= WORKERS && below(3) == 0)
        l = &lock[s->object = (unsigned char)(below(2) ? L_ROBUST : L_ROBUST_SHARED)];
    else if (below(3) == 0)
        l = &lock[s->object = (unsigned char)(below(2) ? L_SHARED : L_INHERIT)];
    bool waits = s->object == L_SHARED || s->object == L_INHERIT;
    s->how = (unsigned char)below(4);
    if (l->lost) {
        s->what = LOCK_LOST;
    } else if (l->holder == NOBODY) {
        if (script_steps >= LAST)
            return false;
        s->what = LOCK;
        s->size = l->died; /* so it is told, and may be put in order */
        s->other = (unsigned char)below(4);
        if (l->died && s->other)
            l->died = false;
        if (l->waiter != NOBODY)
            s->how = 0; /* until the waiter has come to wait, the mutex is held */
        acquire(s, t, &l->clock);
        l->holder = (unsigned char)t;
        holds[t]++;
    } else if (l->holder != t) {
        s->what = LOCK_FAILS;
    } else if (waits && l->waiter == NOBODY && below(3) == 0 && holds[t] == 1 && another_works(t) && script_steps < LAST) {
        s->what = WAIT;
        clock_release(t, &l->clock);
        l->holder = NOBODY;
        l->waiter = (unsigned char)t;
        blocked[t] = true;
    } else if (l->waiter != NOBODY && !l->signalled && below(4)) {
        s->what = SIGNAL;
        l->signalled = true;
    } else {
        unlock(s, t);
    }
    return true;
}

static void rw_unlock(struct step *s, unsigned t)
{
    s->what = RW_UNLOCK;
    clock_release(t, rw[s->object].writer == t ? &rw[s->object].written : &rw[s->object].read);
    if (rw[s->object].writer == t)
        rw[s->object].writer = NOBODY;
    rw[s->object].readers &= (unsigned char)~(1u << t);
    holds[t]--;
}

static bool rw_step(struct step *s, unsigned t)
{
    s->object = (unsigned char)below(RWS);
    s->how = (unsigned char)below(4);
    if (rw[s->object].writer == t || (rw[s->object].readers >> t & 1)) {
        rw_unlock(s, t);
        return true;
    }
    if (script_steps >= LAST || rw[s->object].writer != NOBODY)
        return false;
    bool write = rw[s->object].readers == 0 && below(2);
    s->what = write ? WRITE_LOCK : READ_LOCK;
    acquire(s, t, &rw[s->object].written);
    if (write) {
        acquire(s, t, &rw[s->object].read);
        rw[s->object].writer = (unsigned char)t;
    } else {
        rw[s->object].readers |= (unsigned char)(1u << t);
    }
    holds[t]++;
    return true;
}

static void file_unlock(struct step *s, unsigned t)
{
    s->what = FILE_UNLOCK;
    if (s->how == BY_CLOSE && ((file[s->object].closed >> t & 1) || process[0].runs || process[1].runs)) /* a child may have it open, too */
        s->how = 0;
    if (s->how == BY_CLOSE)
        file[s->object].closed |= 1u << t;
    clock_release(t, &file[s->object].clock);
    if (file[s->object].writer == t)
        file[s->object].writer = NOBODY;
    file[s->object].readers &= ~(1u << t);
    holds[t]--;
}

static bool file_step(struct step *s, unsigned t)
{
    unsigned k = below(FILES), mine = 1u << t;
    s->object = (unsigned char)k;
    s->how = (unsigned char)below(3);
    bool wrote = file[k].writer == t, had = wrote || (file[k].readers & mine);
    bool shared = wrote || (file[k].readers & ~mine) || (!had && below(2));
    if (had && below(3)) {
        file_unlock(s, t);
        return true;
    }
    if (!had && file[k].writer != NOBODY) {
        s->what = FILE_FAILS;
        return true;
    }
    if (!had && script_steps >= LAST)
        return false;
    s->what = shared ? FILE_SHARED : FILE_LOCK;
    if (had)
        clock_release(t, &file[k].clock);
    acquire(s, t, &file[k].clock);
    file[k].writer = (unsigned char)(shared ? NOBODY : t);
    file[k].readers = shared ? file[k].readers | mine : 0;
    holds[t] += !had;
    return true;
}

static void futex_wakes(unsigned k)
{
    unsigned t = futex[k].sleeper, slept = futex[k].slept;
    struct step of_sleep = {.what = SLEEP, .object = (unsigned char)slept};
    if (t == NOBODY)
        return;
    acquire(&of_sleep, t, &futex[slept].clock);
    of_sleep.what = MOVE;
    for (unsigned j = 0; j < FUTEXES; j++)
        if (futex[slept].moved[j])
            acquire(&of_sleep, t, &futex[j].clock);
    goes_on(t);
    futex[k].sleeper = NOBODY;
}

static bool futex_step(struct step *s, unsigned t)
{
    unsigned k = below(FUTEXES), other = (k + 1) % FUTEXES;
    s->object = (unsigned char)k;
    s->how = (unsigned char)below(4);
    if (futex[k].sleeper == NOBODY && below(2)) {
        s->what = SLEEP;
        if (script_steps >= LAST || !another_works(t))
            return false;
        futex[k].sleeper = (unsigned char)t;
        futex[k].slept = (unsigned char)k;
        blocked[t] = true;
        return true;
    }
    bool moves = futex[k].sleeper != NOBODY && futex[other].sleeper == NOBODY && below(2);
    bool two = moves || s->how == 3; /* FUTEX_WAKE_OP */
    s->what = moves ? MOVE : WAKE;
    s->other = (unsigned char)(two ? other : k);
    s->size = (unsigned char)((futex[k].sleeper != NOBODY) + (two && futex[other].sleeper != NOBODY));
    clock_release(t, &futex[k].clock);
    if (two)
        clock_release(t, &futex[other].clock);
    if (moves) {
        futex[other].sleeper = futex[k].sleeper;
        futex[other].slept = futex[k].slept;
        for (unsigned from = 0; from < FUTEXES; from++) /* whoever may be there */
            futex[from].moved[other] |= from != other && (from == k || futex[from].moved[k]);
        futex[k].sleeper = NOBODY;
    } else {
        futex_wakes(k);
        futex_wakes(s->other);
    }
    return true;
}

static bool process_step(struct step *s, unsigned i, unsigned t)
{
    s->object = (unsigned char)below(PROCESSES);
    s->how = (unsigned char)below(6);
    if (below(12) == 0 && handlers_at_fork < 40 && handlers_at_fork_now == 0) {
        s->what = AT_FORK;
        handlers_at_fork++;
        handlers_at_fork_now = 1;
        clock_release(t, &at_fork);
    } else if (!process[s->object].runs) {
        if (forks == 4 || script_steps >= LAST)
            return false;
        forks++;
        s->what = FORK;
        process[s->object].runs = true;
        memset(&process[s->object].clock, 0, sizeof process[s->object].clock);
        if (s->how != 3) /* posix_spawn() calls no handlers */
            acquire(s, t, &at_fork);
        if (s->how != 3 && handlers_at_fork_now)
            write_there(i, t);
        clock_release(t, &process[s->object].clock);
    } else {
        s->what = REAP;
        process[s->object].runs = false;
        acquire(s, t, &process[s->object].clock);
    }
    return true;
}

/* A child that holds nothing, and waits in a call that ends by it. */
static bool cancel_step(struct step *s, unsigned t)
{
    unsigned who = WORKERS + s->object;
    for (unsigned k = 0; k < CHANNELS; k++)
        if (channel[k].waiter == who && k != C_SEMAPHORE && who != t && holds[who] == 0 && s->how == 0 && script_steps < LAST) {
            s->what = CANCEL;
            channel[k].waiter = NOBODY;
            cancelled[s->object] = true;
            goes_on(who);
            return true;
        }
    return false;
}

static bool child_step(struct step *s, unsigned i, unsigned t)
{
    s->object = (unsigned char)below(CHILDREN);
    s->how = (unsigned char)below(4);
    bool dies = t >= WORKERS && cancelled[t - WORKERS];
    if (!dies && cancel_step(s, t))
        return true;
    bool dies_with_lock = lock[L_ROBUST].holder == t || lock[L_ROBUST_SHARED].holder == t;
    if (dies || (t >= WORKERS && below(dies_with_lock ? 2 : 6) == 0)) {
        unsigned k = t - WORKERS;
        s->what = END;
        s->object = (unsigned char)k;
        for (unsigned l = 0; l <= L_ROBUST_SHARED; l++)
            holds[t] -= lock[l].holder == t;
        if (holds[t]) {
            for (unsigned l = 0; l <= L_ROBUST_SHARED; l++)
                holds[t] += lock[l].holder == t;
            return false;
        }
        s->other = !cancelled[k] && !once[O_PTHREAD].done && below(2);
        if (s->other) { /* by a cancellation, before the destructor */
            acquire(s, t, &once[O_PTHREAD].clock);
            clock_release(t, &once[O_PTHREAD].clock);
        }
        write_there(i, t);
        for (unsigned l = 0; l <= L_ROBUST_SHARED; l++)
            if (lock[l].holder == t) { /* whoever is told of it comes after this thread */
                lock[l].died = true;
                lock[l].holder = NOBODY;
                clock_merge(&lock[l].clock, &truth_clock[t]);
            }
        child[k].ended = true;
        for (unsigned g = 0; g < SIGNALS; g++)
            signals[g].pending &= ~(1u << t), signals[g].to[t] = (struct clock){0};
    } else if (!child[s->object].created) {
        if (below(3))
            return false;
        s->what = CREATE;
        child[s->object].created = true;
        child[s->object].detached = s->how == 1;
        acquire(s, WORKERS + s->object, &truth_clock[t]);
        clock_step(t);
        truth_forget(STACKS + s->object * STACK, STACK);
    } else if (!child[s->object].detached && !child[s->object].joined && below(6) == 0) {
        s->what = DETACH;
        child[s->object].detached = true;
    } else if (child[s->object].ended && !child[s->object].joined && !child[s->object].detached) {
        s->what = JOIN;
        child[s->object].joined = true;
        acquire(s, t, &truth_clock[WORKERS + s->object]);
    } else {
        return false;
    }
    return true;
}

static bool signal_step(struct step *s, unsigned i, unsigned t)
{
    s->object = (unsigned char)below(SIGNALS);
    s->how = (unsigned char)below(4);
    unsigned which = below(6);
    if (signals[s->object].pending >> t & 1) {
        s->what = HANDLE;
        signals[s->object].pending &= ~(1u << t);
        acquire(s, t, &signals[s->object].installed);
        acquire(s, t, &signals[s->object].to[t]);
        write_there(i, t);
    } else if (which == 0) {
        s->what = INSTALL;
        clock_release(t, &signals[s->object].installed);
    } else if (which == 1) { /* to itself */
        s->what = RAISE;
        acquire(s, t, &signals[s->object].installed);
        write_there(i, t);
    } else {
        s->what = KILL;
        s->other = random_actor(t);
        if (s->other == NOBODY)
            return false;
        signals[s->object].pending |= 1u << s->other;
        clock_release(t, &signals[s->object].to[s->other]);
    }
    return true;
}

/* Two steps: the timer runs out at once. */
static bool timer_step(struct step *s, unsigned i, unsigned t)
{
    if (i + 1 >= LAST)
        return false;
    s[0].what = SET_TIMER;
    clock_release(t, &timer_set);
    s[1] = s[0];
    s[1].what = TIMED;
    s[1].thread = TIMER;
    acquire(&s[1], TIMER, &timer_set);
    truth[i + 1] = (struct verdict){false, false};
    write_there(i + 1, TIMER);
    script_steps++;
    return true;
}

/* As many steps as come together. */
static bool meeting(struct step *s, unsigned i, unsigned t)
{
    unsigned k = below(BARRIERS), n = barrier[k].count, who[3] = {t};
    if (below(4) == 0 && clock_known(t, &barrier[k].used)) {
        s->what = REMAKE;
        s->object = (unsigned char)k;
        s->size = barrier[k].count = (unsigned char)(2 + below(2));
        memset(&barrier[k].clock, 0, sizeof barrier[k].clock);
        barrier[k].used = barrier[k].made = truth_clock[t];
        clock_step(t);
        return true;
    }
    for (unsigned a = 1; a < n; a++) {
        who[a] = random_actor(t);
        if (who[a] == NOBODY || (a == 2 && who[1] == who[2]) || i + n >= LAST)
            return false;
    }
    for (unsigned a = 0; a < n; a++)
        if (!clock_known(who[a], &barrier[k].made)) /* it would be used while it is made */
            return false;
    for (unsigned a = 0; a < n; a++) {
        s[a] = (struct step){.thread = (unsigned char)who[a], .what = a + 1 < n ? ARRIVE : LAST_COMES, .object = (unsigned char)k, .size = (unsigned char)n};
        truth[i + a] = (struct verdict){false, false};
        if (k == B_PRIVATE && a == 0)
            memset(&barrier[k].clock, 0, sizeof barrier[k].clock);
    }
    for (unsigned a = 0; a < n; a++)
        clock_merge(&barrier[k].clock, &truth_clock[who[a]]);
    for (unsigned a = 0; a < n; a++) {
        acquire(&s[n - 1], who[a], &barrier[k].clock);
        clock_step(who[a]);
        if (a + 1 < n)
            must[musts++] = (unsigned char)who[a];
    }
    clock_merge(&barrier[k].used, &barrier[k].clock);
    script_steps += n - 1;
    return true;
}

static bool once_step(struct step *s, unsigned i, unsigned t)
{
    s->object = (unsigned char)below(ONCES);
    bool was = once[s->object].done, fails = !was && below(2);
    s->what = fails ? ONCE_FAILS : ONCE;
    acquire(s, t, &once[s->object].clock);
    once[s->object].done = !fails;
    if (!was) {
        write_there(i, t);
        clock_release(t, &once[s->object].clock);
    }
    return true;
}

static bool number_step(struct step *s, unsigned i, unsigned t)
{
    unsigned k = below(NUMBERS);
    s->object = (unsigned char)k;
    s->how = (unsigned char)below(4);
    if (!number[k].open) {
        s->what = OPEN;
        number[k].open = true;
        truth_forget(NUMBER + k, 1);
        acquire(s, t, &number[k].clock);
    } else if (below(4)) {
        s->what = USE;
        truth_access(&truth[i], t, NUMBER + k, 1, 0);
    } else {
        s->what = CLOSE;
        number[k].open = false;
        truth_access(&truth[i], t, NUMBER + k, 1, TRUTH_WRITE);
        clock_release(t, &number[k].clock);
        clock_release(t, &channel[C_PIPE].clock);
    }
    return true;
}

static bool renew_step(struct step *s, unsigned i, unsigned t)
{
    s->what = RENEW;
    s->object = (unsigned char)below(MEMORIES);
    s->how = (unsigned char)below(4);
    unsigned at = MEMORY + s->object * BLOCK;
    if (s->object == M_HEAP)
        truth_access(&truth[i], t, at, BLOCK, TRUTH_WRITE);
    truth_forget(at, BLOCK);
    if (s->object == M_HEAP && s->how == 0) /* realloc() copies */
        truth_access(&truth[i], t, at, BLOCK, TRUTH_WRITE);
    return true;
}

static bool end_step(struct step *s, unsigned t)
{
    s->object = (unsigned char)below(ENDS);
    s->how = (unsigned char)below(4);
    s->what = end_of[s->object].done ? READ_END : SHUT;
    if (s->what == READ_END)
        acquire(s, t, &end_of[s->object].clock);
    else if (below(3))
        return false;
    else
        clock_release(t, &end_of[s->object].clock);
    end_of[s->object].done = true;
    return true;
}

static bool connection_step(struct step *s, unsigned t)
{
    unsigned k = below(LISTENERS);
    s->object = (unsigned char)k;
    s->how = (unsigned char)below(2);
    if (listener[k].waiting) {
        s->what = ACCEPT;
        listener[k].waiting--;
        acquire(s, t, &lowest_number);
        acquire(s, t, &listener[k].clock);
        clock_release(t, &lowest_number);
    } else {
        if (listener[k].next == CLIENTS)
            return false;
        s->what = CONNECT;
        s->other = listener[k].next++;
        listener[k].waiting++;
        clock_release(t, &listener[k].clock);
    }
    return true;
}

#endif
