/* SPDX-License-Identifier: Apache-2.0
 *
 * Random scripts of what orders threads, and the truth about them (docs/algorithm.md, 3).  Compiled without instrumentation.
 */
#include "tests/exact/order.h"

#define TRUTH_THREADS ACTORS
#define TRUTH_BYTES BYTES
#include "tests/exact/truth.h"

enum { NOBODY = 255, LAST = STEPS - 100 }; /* from step LAST on nothing begins that must be ended */

struct step script[STEPS];
unsigned script_steps;

static struct verdict truth[STEPS];
static unsigned long done;

/* ---- the objects, as the script leaves them ---- */

static struct lock {
    unsigned char holder, depth, waiter; /* NOBODY: none */
    bool signalled;
    struct clock clock;
} lock[LOCKS];
static struct {
    unsigned char writer, readers; /* a bit for each actor */
    struct clock written, read;
} rw[RWS];
static struct {
    unsigned count;
    struct clock clock;
} channel[CHANNELS];
static struct {
    unsigned short value;
    bool told; /* what annotations said of it stays through stores */
    struct clock clock;
} atom[ATOMICS];
static struct {
    bool done;
    struct clock clock;
} once[ONCES], promise[PROMISES];
static struct {
    unsigned held; /* a bit for each worker */
    struct clock clock;
} shared[SHARED];
static struct clock latch[LATCHES];
static struct {
    bool created, ended, joined;
} child[CHILDREN];
static struct clock met; /* of the last who met at M_STD */
static struct clock fence_released[ACTORS], fence_acquired[ACTORS];
static unsigned char holds[ACTORS]; /* locks of all kinds, with their depth */
static bool blocked[ACTORS];
static unsigned workers;
static unsigned must; /* the actor of the next step; NOBODY: any */

/* ---- what orders ---- */

static void acquire(unsigned t, const struct clock *c) { clock_merge(&truth_clock[t], c); }

static bool acquires(unsigned order) { return order == ACQUIRE || order >= BOTH; }
static bool releases(unsigned order) { return order >= RELEASE; }

static void load(unsigned t, struct clock *c, unsigned order)
{
    clock_merge(acquires(order) ? &truth_clock[t] : &fence_acquired[t], c);
}

/* keep: what was stored before goes on being known, as by a read-modify-write. */
static void store(unsigned t, struct clock *c, unsigned order, bool keep)
{
    if (!keep)
        memset(c, 0, sizeof *c);
    if (releases(order))
        clock_release(t, c);
    else
        clock_merge(c, &fence_released[t]);
}

static void rmw(unsigned t, struct clock *c, unsigned order)
{
    load(t, c, order);
    store(t, c, order, true);
}

static void fence(unsigned t, unsigned order)
{
    if (acquires(order))
        acquire(t, &fence_acquired[t]);
    if (releases(order)) {
        fence_released[t] = truth_clock[t];
        clock_step(t);
    }
}

static void write_there(unsigned i, unsigned t) { truth_access(&truth[i], t, script[i].at, 4, TRUTH_WRITE); }

/* Whoever waits with this mutex and was signalled has it now, and its step is next. */
static void wake(struct lock *l)
{
    if (l->waiter == NOBODY || !l->signalled || l->holder != NOBODY)
        return;
    l->holder = l->waiter;
    l->depth = 1;
    blocked[l->waiter] = false;
    acquire(l->waiter, &l->clock);
    must = l->waiter;
    l->waiter = NOBODY;
    l->signalled = false;
}

/* ---- one step: may it be, and what does it do ---- */

static bool in_order(const unsigned char *orders, unsigned char *order)
{
    *order = orders[below((unsigned)strlen((const char *)orders))] - 'a';
    return true;
}
#define ORDERS(list, order) in_order((const unsigned char *)(list), order) /* a letter for each of enum order */

/* A child may end, and then nobody would signal. */
static bool another_works(unsigned t)
{
    for (unsigned u = 0; u < workers; u++)
        if (u != t && !blocked[u])
            return true;
    return false;
}

static bool lock_step(struct step *s, unsigned t)
{
    static const unsigned char with_condition[] = {L_NORMAL, L_C11, L_STD};
    bool waits = below(2);
    struct lock *l = &lock[s->object = (unsigned char)(waits ? with_condition[below(sizeof with_condition)] : below(LOCKS))];
    bool recursive = s->object == L_RECURSIVE || s->object == L_STD_RECURSIVE;
    s->how = (unsigned char)below(3);
    if (l->holder == NOBODY || (l->holder == t && recursive && l->depth < 3 && below(2))) {
        if (script_steps >= LAST)
            return false;
        if (l->waiter != NOBODY)
            s->how = 0; /* until the waiter has come to wait, the mutex is held */
        s->what = LOCK;
        if (l->holder == NOBODY)
            acquire(t, &l->clock);
        l->holder = (unsigned char)t;
        l->depth++;
        holds[t]++;
        return true;
    }
    if (l->holder != t) {
        s->what = LOCK_FAILS;
        return s->object != L_ANNOTATED;
    }
    unsigned what = below(5);
    if (waits && what == 0 && l->waiter == NOBODY) {
        s->what = WAIT_EXPIRED;
        clock_release(t, &l->clock);
        acquire(t, &l->clock);
    } else if (waits && what == 1 && l->waiter == NOBODY && holds[t] == 1 && another_works(t) && script_steps < LAST) {
        s->what = WAIT;
        clock_release(t, &l->clock);
        l->holder = NOBODY;
        l->depth = 0;
        l->waiter = (unsigned char)t;
        blocked[t] = true;
    } else if (l->waiter != NOBODY && !l->signalled && what < 4) {
        s->what = SIGNAL;
        l->signalled = true;
    } else {
        if (l->waiter != NOBODY && !l->signalled && script_steps >= LAST)
            return false; /* SIGNAL first */
        s->what = UNLOCK;
        holds[t]--;
        if (--l->depth == 0) {
            clock_release(t, &l->clock);
            l->holder = NOBODY;
            wake(l);
        }
    }
    return true;
}

static bool rw_step(struct step *s, unsigned t)
{
    s->object = (unsigned char)below(RWS);
    s->how = (unsigned char)below(3);
    unsigned bit = 1u << t;
    if (rw[s->object].writer == t) {
        s->what = WRITE_UNLOCK;
        clock_release(t, &rw[s->object].written);
        rw[s->object].writer = NOBODY;
        holds[t]--;
    } else if (rw[s->object].readers & bit) {
        s->what = READ_UNLOCK;
        clock_release(t, &rw[s->object].read);
        rw[s->object].readers &= (unsigned char)~bit;
        holds[t]--;
    } else if (script_steps >= LAST || rw[s->object].writer != NOBODY) {
        return false;
    } else if (rw[s->object].readers == 0 && below(2)) {
        s->what = WRITE_LOCK;
        acquire(t, &rw[s->object].written);
        acquire(t, &rw[s->object].read);
        rw[s->object].writer = (unsigned char)t;
        holds[t]++;
    } else {
        s->what = READ_LOCK;
        acquire(t, &rw[s->object].written);
        rw[s->object].readers |= (unsigned char)bit;
        holds[t]++;
    }
    return true;
}

static bool channel_step(struct step *s, unsigned t)
{
    s->object = (unsigned char)below(CHANNELS);
    s->how = (unsigned char)below(3);
    bool told = s->object == C_ANNOTATED || s->object == C_TSAN, counting = s->object == C_COUNTING;
    struct clock *c = &channel[s->object].clock;
    if (below(2)) {
        s->what = SEND;
        if (channel[s->object].count == 100)
            return false;
        channel[s->object].count++;
        if (counting)
            rmw(t, c, RELEASE);
        else
            clock_release(t, c);
        return true;
    }
    if (!told && !channel[s->object].count)
        return false;
    if (!told && !counting && below(4) == 0 && s->object >= C_PIPE) {
        s->what = LOOK;
        acquire(t, c);
        return true;
    }
    s->what = RECEIVE;
    channel[s->object].count--;
    if (counting) {
        load(t, c, ACQUIRE);
        rmw(t, c, ACQUIRE);
    } else {
        acquire(t, c);
    }
    return true;
}

static bool atomic_step(struct step *s, unsigned t)
{
    if (below(4) == 0) {
        s->what = FENCE;
        ORDERS("bcde", &s->order);
        fence(t, s->order);
        return true;
    }
    s->object = (unsigned char)below(ATOMICS);
    if (s->object % 3 == 0 && below(3) == 0) {
        s->what = below(2) ? TELL : HEAR;
        s->how = (unsigned char)below(2);
        if (s->what == TELL)
            clock_release(t, &atom[s->object].clock);
        else
            acquire(t, &atom[s->object].clock);
        atom[s->object].told = true;
        return true;
    }
    s->what = (unsigned char)(LOAD + below(5));
    s->value = (unsigned short)below(200);
    s->old = atom[s->object].value;
    struct clock *c = &atom[s->object].clock;
    switch (s->what) {
    case LOAD: ORDERS("abe", &s->order); load(t, c, s->order); return true;
    case STORE: ORDERS("ace", &s->order); store(t, c, s->order, atom[s->object].told); break;
    case SWAP_FAILS:
        ORDERS("abcde", &s->order);
        ORDERS(s->order == TOTAL ? "abe" : acquires(s->order) ? "ab" : "a", &s->order_failed); /* not stronger than if it did not fail */
        load(t, c, s->order_failed);
        return true;
    default: ORDERS("abcde", &s->order); ORDERS("a", &s->order_failed); rmw(t, c, s->order); break;
    }
    atom[s->object].value = s->value;
    return true;
}

/* What is done once by an object. */
static bool single_step(struct step *s, unsigned i, unsigned t)
{
    unsigned which = below(4);
    s->at = (unsigned char)(below(BYTES / 4) * 4);
    if (which == 0) {
        s->what = ONCE;
        s->object = (unsigned char)below(ONCES);
        bool first = !once[s->object].done;
        once[s->object].done = true;
        if (first) {
            write_there(i, t);
            clock_release(t, &once[s->object].clock);
        } else {
            acquire(t, &once[s->object].clock);
        }
    } else if (which == 1) {
        s->object = (unsigned char)below(PROMISES);
        s->what = promise[s->object].done ? GET : SET;
        if (s->what == SET ? below(4) != 0 : t >= WORKERS)
            return false;
        promise[s->object].done = true;
        if (s->what == SET)
            clock_release(t, &promise[s->object].clock);
        else
            acquire(t, &promise[s->object].clock);
    } else if (which == 2) {
        s->what = DROP;
        s->object = (unsigned char)below(SHARED);
        if (t >= WORKERS || !(shared[s->object].held >> t & 1) || below(3))
            return false;
        shared[s->object].held &= ~(1u << t);
        acquire(t, &shared[s->object].clock);
        if (shared[s->object].held)
            clock_release(t, &shared[s->object].clock);
        else
            write_there(i, t);
    } else {
        s->object = (unsigned char)below(LATCHES);
        s->what = below(2) ? COUNT_DOWN : TRY_WAIT; /* it does not come to 0 */
        if (s->what == COUNT_DOWN)
            rmw(t, &latch[s->object], RELEASE);
        else
            load(t, &latch[s->object], ACQUIRE);
    }
    return true;
}

static bool child_step(struct step *s, unsigned t)
{
    s->object = (unsigned char)below(CHILDREN);
    if (t >= WORKERS && below(6) == 0) {
        s->what = END;
        s->object = (unsigned char)(t - WORKERS);
        if (holds[t])
            return false;
        child[s->object].ended = true;
    } else if (!child[s->object].created) {
        if (below(3))
            return false;
        s->what = CREATE;
        child[s->object].created = true;
        acquire(WORKERS + s->object, &truth_clock[t]);
        clock_step(t);
    } else if (child[s->object].ended && !child[s->object].joined) {
        s->what = JOIN;
        child[s->object].joined = true;
        acquire(t, &truth_clock[WORKERS + s->object]);
    } else {
        return false;
    }
    return true;
}

static bool can_act(unsigned t)
{
    bool there = t < WORKERS ? t < workers : child[t - WORKERS].created && !child[t - WORKERS].ended;
    return there && !blocked[t];
}

/* Two steps: t waits for another one. */
static bool meeting(struct step *s, unsigned i, unsigned t)
{
    unsigned other = below(ACTORS);
    if (i + 1 >= LAST || other == t || !can_act(other))
        return false;
    s[0].what = MEET;
    s[0].object = (unsigned char)below(MEETINGS);
    /* libstdc++ reads plainly how many are expected, which who came last has written: who comes again must have been told. */
    if (s[0].object == M_STD && !(clock_known(t, &met) && clock_known(other, &met)))
        return false;
    s[1] = s[0];
    s[1].what = MET;
    s[1].thread = (unsigned char)other;
    acquire(t, &truth_clock[other]);
    acquire(other, &truth_clock[t]);
    if (s[0].object == M_STD)
        met = truth_clock[t];
    clock_step(t);
    clock_step(other);
    truth[i + 1] = (struct verdict){false, false};
    must = t; /* it has left before anybody else comes */
    return true;
}

static void access_step(struct step *s, unsigned i, unsigned t)
{
    s->what = below(2) ? READ : WRITE;
    s->size = (unsigned char)(1u << below(4));
    s->at = (unsigned char)(below(BYTES / s->size) * s->size);
    truth_access(&truth[i], t, s->at, s->size, s->what == WRITE ? TRUTH_WRITE : 0);
}

/* ---- scripts ---- */

/* At the end: what somebody holds is given up, and who waits is woken.  False: there is nothing of it. */
static bool tidy(struct step *s)
{
    for (unsigned k = 0; k < LOCKS; k++) {
        struct lock *l = &lock[k];
        if (l->holder == NOBODY && l->waiter == NOBODY)
            continue;
        s->object = (unsigned char)k;
        s->thread = l->holder;
        if (l->holder == NOBODY) { /* somebody has to signal */
            for (unsigned t = 0; t < workers; t++)
                if (can_act(t))
                    s->thread = (unsigned char)t;
            s->what = LOCK;
            acquire(s->thread, &l->clock);
            l->holder = s->thread;
            l->depth = 1;
            holds[s->thread]++;
        } else if (l->waiter != NOBODY && !l->signalled) {
            s->what = SIGNAL;
            l->signalled = true;
        } else {
            s->what = UNLOCK;
            holds[s->thread]--;
            if (--l->depth == 0) {
                clock_release(s->thread, &l->clock);
                l->holder = NOBODY;
                wake(l);
            }
        }
        return true;
    }
    for (unsigned k = 0; k < RWS; k++)
        for (unsigned t = 0; t < ACTORS; t++)
            if (rw[k].writer == t || (rw[k].readers >> t & 1)) {
                s->object = (unsigned char)k;
                s->thread = (unsigned char)t;
                s->what = rw[k].writer == t ? WRITE_UNLOCK : READ_UNLOCK;
                rw[k].writer = NOBODY;
                rw[k].readers &= (unsigned char)~(1u << t);
                return true;
            }
    return false;
}

static void begin(unsigned long seed)
{
    truth_random = seed;
    truth_begin();
    memset(lock, 0, sizeof lock);
    for (unsigned k = 0; k < LOCKS; k++)
        lock[k].holder = lock[k].waiter = NOBODY;
    memset(rw, 0, sizeof rw);
    for (unsigned k = 0; k < RWS; k++)
        rw[k].writer = NOBODY;
    memset(channel, 0, sizeof channel);
    memset(atom, 0, sizeof atom);
    memset(once, 0, sizeof once);
    memset(promise, 0, sizeof promise);
    memset(shared, 0, sizeof shared);
    memset(latch, 0, sizeof latch);
    memset(child, 0, sizeof child);
    memset(&met, 0, sizeof met);
    memset(fence_released, 0, sizeof fence_released);
    memset(fence_acquired, 0, sizeof fence_acquired);
    memset(holds, 0, sizeof holds);
    memset(blocked, 0, sizeof blocked);
    workers = 2 + below(WORKERS - 1);
    for (unsigned k = 0; k < SHARED; k++)
        shared[k].held = (1u << WORKERS) - 1; /* of those who do not come, the main thread gives it up at the end */
    must = NOBODY;
}

void script_make(unsigned long seed)
{
    begin(seed);
    unsigned weight[7], sum = 0, accesses = 20 + below(50), stay = below(60), t = 0;
    for (unsigned k = 0; k < 7; k++)
        sum += weight[k] = below(3) ? 0 : 1 + below(10);
    for (script_steps = 0; script_steps < STEPS - 4;) {
        unsigned i = script_steps;
        struct step *s = &script[i];
        memset(s, 0, sizeof *s);
        truth[i] = (struct verdict){false, false};
        if (must != NOBODY) {
            t = must;
            must = NOBODY;
        } else {
            while (!can_act(t) || below(100) >= stay) {
                unsigned next = below(ACTORS);
                if (can_act(next)) {
                    t = next;
                    break;
                }
            }
        }
        s->thread = (unsigned char)t;
        bool fine = false;
        if (i >= LAST) {
            fine = tidy(s);
            if (!fine)
                break;
        } else if (sum && below(100) >= accesses) {
            unsigned kind = 0, at = below(sum);
            while (at >= weight[kind])
                at -= weight[kind++];
            switch (kind) {
            case 0: fine = lock_step(s, t); break;
            case 1: fine = rw_step(s, t); break;
            case 2: fine = channel_step(s, t); break;
            case 3: fine = atomic_step(s, t); break;
            case 4: fine = single_step(s, i, t); break;
            case 5: fine = child_step(s, t); break;
            default:
                fine = meeting(s, i, t);
                script_steps += fine;
            }
        }
        if (!fine) {
            memset(s, 0, sizeof *s);
            s->thread = (unsigned char)t;
            access_step(s, i, t);
        }
        script_steps++;
    }
}

/* ---- what happens ---- */

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
    static const char *const names[] = {"read", "write", "lock", "unlock", "lock fails", "wait expired", "wait", "signal", "read lock", "read unlock",
                                        "write lock", "write unlock", "send", "receive", "look", "load", "store", "exchange", "swap", "swap fails", "fence", "tell", "hear",
                                        "once", "set", "get", "drop", "count down", "try wait", "create", "end", "join", "meet", "met"};
    printf("seed %lu, what led to step %u:\n", seed, i);
    for (unsigned k = 0; k <= i; k++) {
        const struct step *s = &script[k];
        if (s->what > WRITE)
            printf("%4u  thread %u  %s, object %u, how %u, order %u (%u), at %u\n", k, s->thread, names[s->what], s->object, s->how, s->order, s->order_failed, s->at);
        else if (s->at < script[i].at + 8 && script[i].at < s->at + s->size)
            printf("%4u  thread %u  %s of %u bytes at %u\n", k, s->thread, names[s->what], s->size, s->at);
    }
}
