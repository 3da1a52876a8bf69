/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to order_posix_script.c: the objects as the script leaves them, and the edges of the truth.
 */
#ifndef TESTS_EXACT_ORDER_POSIX_STATE_H
#define TESTS_EXACT_ORDER_POSIX_STATE_H

#include "tests/exact/order_posix.h"

#define TRUTH_THREADS ACTORS
#define TRUTH_BYTES ALL_BYTES
#include "tests/exact/truth.h"

enum { NOBODY = 255, LAST = STEPS - 100 }; /* from step LAST on nothing begins that must be ended */

static struct verdict truth[STEPS];

/* ---- the objects, as the script leaves them ---- */

static struct {
    unsigned char count, waiter; /* NOBODY: none */
    struct clock clock;
} channel[CHANNELS];
static struct lock {
    unsigned char holder, waiter;
    bool signalled, died, lost; /* died: its owner ended, and nobody has said that it is in order again */
    struct clock clock;
} lock[LOCKS];
static struct {
    unsigned char writer, readers; /* a bit for each actor */
    struct clock written, read;
} rw[RWS];
static struct {
    unsigned char writer;
    unsigned readers, closed; /* closed: who has no other descriptor left that it may close */
    struct clock clock;
} file[FILES];
static struct {
    unsigned char sleeper, slept; /* slept: at which futex, before the sleeper was moved here */
    bool moved[FUTEXES];          /* who slept at it was moved there, so that who sleeps at it comes after who wakes there, too */
    struct clock clock;
} futex[FUTEXES];
static struct {
    bool runs;
    struct clock clock;
} process[PROCESSES];
static struct {
    bool created, ended, detached, joined;
} child[CHILDREN];
static bool cancelled[CHILDREN];
static struct {
    unsigned pending; /* a bit for each actor */
    struct clock installed, to[ACTORS]; /* what is sent to one thread is nobody else's */
} signals[SIGNALS];
static struct {
    unsigned char count;
    struct clock clock, used, made;
} barrier[BARRIERS];
static struct {
    bool done;
    struct clock clock;
} once[ONCES], end_of[ENDS];
static struct {
    bool open;
    struct clock clock;
} number[NUMBERS];
static struct {
    unsigned char waiting, next;
    struct clock clock;
} listener[LISTENERS];
static struct clock timer_set, at_fork, lowest_number;
static unsigned forks, handlers_at_fork, handlers_at_fork_now;
static unsigned char holds[ACTORS]; /* locks of all kinds */
static bool blocked[ACTORS];
static unsigned workers;
static unsigned char must[ACTORS], musts; /* the actors of the next steps */
static unsigned left_out;

/* ---- what orders ---- */

static const char *const names[] = {
    "read", "write", "send", "receive", "look", "await", "lock", "unlock", "lock fails", "lock lost", "wait", "signal", "read lock", "write lock", "rw unlock",
    "file shared", "file lock", "file unlock", "file fails", "sleep", "wake", "move", "fork", "reap", "at fork", "create", "end", "join", "detach", "cancel", "kill", "handle",
    "raise", "install", "set timer", "timed", "arrive", "last comes", "remake", "once", "once fails", "open", "close", "use", "shut", "read end", "connect", "accept", "renew"};

static struct { /* which edges can be left out: all that one kind of step acquires of one kind of object */
    unsigned char what, object;
} edges[512];
static unsigned n_edges;

static unsigned edge_number(const struct step *s)
{
    for (unsigned k = 0; k < n_edges; k++)
        if (edges[k].what == s->what && edges[k].object == s->object)
            return k + 1;
    edges[n_edges].what = s->what;
    edges[n_edges].object = s->object;
    return ++n_edges;
}

static void acquire(const struct step *s, unsigned t, const struct clock *c)
{
    if (left_out && edge_number(s) == left_out)
        return;
    clock_merge(&truth_clock[t], c);
}

static void write_there(unsigned i, unsigned t)
{
    script[i].at = (unsigned char)(below(BYTES / 4) * 4);
    truth_access(&truth[i], t, script[i].at, 4, TRUTH_WRITE);
}

/* Goes on: its step is next. */
static void goes_on(unsigned t)
{
    blocked[t] = false;
    must[musts++] = (unsigned char)t;
}

static bool may_act(unsigned t)
{
    bool there = t < WORKERS ? t < workers : t < TIMER && child[t - WORKERS].created && !child[t - WORKERS].ended;
    return there && !blocked[t];
}

/* A child may end, and then nobody would let others go on. */
static bool another_works(unsigned t)
{
    for (unsigned u = 0; u < workers; u++)
        if (u != t && !blocked[u])
            return true;
    return false;
}

static unsigned char random_actor(unsigned but)
{
    for (unsigned n = 0; n < 20; n++) {
        unsigned other = below(TIMER);
        if (other != but && may_act(other))
            return (unsigned char)other;
    }
    return NOBODY;
}

#endif
