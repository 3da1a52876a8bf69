/* SPDX-License-Identifier: Apache-2.0
 *
 * Random scripts of what orders threads by POSIX and Linux, and the truth about them.  Compiled without instrumentation.
 *
 * What the docs say of each: sources of channels, of locks of files and of what processes may share are merged (docs/limits.md), a pthread_cancel orders
 * nothing (there, too).
 */
#include "tests/exact/order_posix_steps.h"

struct step script[STEPS];
unsigned script_steps;

static unsigned long done;

/* ---- scripts ---- */

/* At the end who waits goes on, and what somebody holds is given up.  False: there is nothing of it. */
static bool tidy(struct step *s, unsigned i)
{
    unsigned t = 0;
    while (t < workers && !may_act(t))
        t++;
    s->thread = (unsigned char)t;
    for (unsigned k = 0; k < CHANNELS; k++) {
        s->object = (unsigned char)k;
        if (channel[k].waiter != NOBODY)
            return send(s, i, t), true;
    }
    for (unsigned k = 0; k < FUTEXES; k++)
        if (futex[k].sleeper != NOBODY) {
            s->what = WAKE;
            s->how = 0;
            s->object = s->other = (unsigned char)k;
            s->size = 1;
            clock_release(t, &futex[k].clock);
            futex_wakes(k);
            return true;
        }
    for (unsigned k = 0; k < LOCKS; k++) {
        struct lock *l = &lock[k];
        if (l->holder == NOBODY && l->waiter == NOBODY)
            continue;
        s->object = (unsigned char)k;
        if (l->holder != NOBODY)
            s->thread = l->holder;
        if (l->holder == NOBODY) { /* somebody has to signal */
            s->what = LOCK;
            s->other = 1;
            acquire(s, t, &l->clock);
            l->holder = s->thread;
            holds[t]++;
        } else if (l->waiter != NOBODY && !l->signalled) {
            s->what = SIGNAL;
            l->signalled = true;
        } else {
            unlock(s, s->thread);
        }
        return true;
    }
    for (t = 0; t < ACTORS; t++) {
        s->thread = (unsigned char)t;
        for (unsigned k = 0; k < RWS; k++) {
            s->object = (unsigned char)k;
            if (rw[k].writer == t || (rw[k].readers >> t & 1))
                return rw_unlock(s, t), true;
        }
        for (unsigned k = 0; k < FILES; k++) {
            s->object = (unsigned char)k;
            if (file[k].writer == t || (file[k].readers >> t & 1))
                return file_unlock(s, t), true;
        }
    }
    return false;
}

#define CLEAR(object) memset(&(object), 0, sizeof(object))

static void begin(unsigned long seed)
{
    truth_random = seed;
    truth_begin();
    CLEAR(channel), CLEAR(lock), CLEAR(rw), CLEAR(file), CLEAR(futex), CLEAR(process), CLEAR(child), CLEAR(cancelled), CLEAR(signals), CLEAR(barrier), CLEAR(once), CLEAR(end_of);
    CLEAR(number), CLEAR(listener), CLEAR(timer_set), CLEAR(at_fork), CLEAR(lowest_number), CLEAR(holds), CLEAR(blocked);
    for (unsigned k = 0; k < CHANNELS; k++)
        channel[k].waiter = NOBODY;
    for (unsigned k = 0; k < LOCKS; k++)
        lock[k].holder = lock[k].waiter = NOBODY;
    for (unsigned k = 0; k < RWS; k++)
        rw[k].writer = NOBODY;
    for (unsigned k = 0; k < FILES; k++)
        file[k].writer = NOBODY;
    for (unsigned k = 0; k < FUTEXES; k++)
        futex[k].sleeper = NOBODY;
    for (unsigned k = 0; k < BARRIERS; k++)
        barrier[k].count = 2;
    forks = handlers_at_fork_now = musts = 0;
    workers = 2 + below(WORKERS - 1);
}

static bool other_step(struct step *s, unsigned i, unsigned t, unsigned kind)
{
    switch (kind) {
    case 0:
    case 1: return channel_step(s, i, t);
    case 2: return lock_step(s, t);
    case 3: return rw_step(s, t);
    case 4: return file_step(s, t);
    case 5: return futex_step(s, t);
    case 6: return process_step(s, i, t);
    case 7: return child_step(s, i, t);
    case 8: return signal_step(s, i, t);
    case 9: return timer_step(s, i, t);
    case 10: return meeting(s, i, t);
    case 11: return once_step(s, i, t);
    case 12: return number_step(s, i, t);
    case 13: return end_step(s, t);
    case 14: return renew_step(s, i, t);
    default: return connection_step(s, t);
    }
}

void script_make(unsigned long seed)
{
    enum { KINDS = 16 };
    begin(seed);
    unsigned weight[KINDS], sum = 0, accesses = 20 + below(50), stay = below(60), t = 0;
    for (unsigned k = 0; k < KINDS; k++)
        sum += weight[k] = below(3) ? 0 : 1 + below(10);
    for (script_steps = 0; script_steps < STEPS - 4; script_steps++) {
        unsigned i = script_steps;
        struct step *s = &script[i];
        memset(s, 0, sizeof *s);
        truth[i] = (struct verdict){false, false};
        if (musts) {
            t = must[0];
            memmove(must, must + 1, --musts);
        } else {
            while (!may_act(t) || below(100) >= stay) {
                unsigned next = below(TIMER);
                if (may_act(next)) {
                    t = next;
                    break;
                }
            }
        }
        bool dies = t >= WORKERS && t < TIMER && cancelled[t - WORKERS];
        bool forced = musts > 0; /* others of the same meeting have not come back */
        s->thread = (unsigned char)t;
        bool fine = false;
        if (dies) {
            fine = child_step(s, i, t);
        } else if (i >= LAST && !musts) {
            fine = tidy(s, i);
            if (!fine)
                break;
        } else if (sum && !forced && below(100) >= accesses) {
            unsigned kind = 0, at = below(sum);
            while (at >= weight[kind])
                at -= weight[kind++];
            fine = other_step(s, i, t, kind);
        }
        if (!fine) {
            memset(s, 0, sizeof *s);
            s->thread = (unsigned char)t;
            access_step(s, i, t);
        }
    }
}

/* ---- what happens ---- */

bool script_leave_out(unsigned which)
{
    for (unsigned long seed = 1; seed < 200; seed++) { /* until all edges have a number */
        left_out = 100000;
        script_make(seed);
    }
    left_out = which;
    if (which < 1 || which > n_edges)
        return false;
    printf("left out: %s, object %u\n", names[edges[which - 1].what], edges[which - 1].object);
    return true;
}

bool hear_of_races(void) { return truth_listen(); }
unsigned long steps_done(void) { return done; }
unsigned long races_true(void) { return truth_races; }

void step_begin(unsigned i)
{
    (void)i;
    truth_told = false;
}

bool step_end(unsigned i)
{
    done++;
    return truth_holds(i, &truth[i]);
}

void script_print(unsigned long seed, unsigned i)
{
    printf("seed %lu, what led to step %u:\n", seed, i);
    for (unsigned k = 0; k <= i; k++) {
        const struct step *s = &script[k];
        if (s->what > WRITE || (s->at < script[i].at + 16 && script[i].at < s->at + s->size))
            printf("%4u  thread %u  %s, object %u, how %u, %u bytes at %u, other %u\n", k, s->thread, names[s->what], s->object, s->how, s->size, s->at, s->other);
    }
}
