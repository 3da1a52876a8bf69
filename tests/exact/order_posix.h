/* SPDX-License-Identifier: Apache-2.0
 *
 * A random execution of what orders threads by POSIX and Linux, step by step, and what must be found in it: between order_posix_script.c,
 * which is not instrumented and knows the truth, and order_posix.cpp, whose threads do what it says.
 */
#ifndef TESTS_EXACT_ORDER_POSIX_H
#define TESTS_EXACT_ORDER_POSIX_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WORKERS = 4, CHILDREN = 4, TIMER = WORKERS + CHILDREN, ACTORS, STEPS = 400, BYTES = 48, NUMBERS = 3, STACK = 8, MEMORIES = 2, BLOCK = 16 };
enum memory_kind { M_HEAP, M_PAGE };
/* Behind the shared bytes: a byte for each descriptor's number, what lies on the stacks of the children, and memory that is made anew. */
enum { NUMBER = BYTES, STACKS = BYTES + NUMBERS, MEMORY = STACKS + CHILDREN * STACK, ALL_BYTES = MEMORY + MEMORIES * BLOCK };

enum what {
    READ, WRITE,                /* `size` bytes at `at`, by way `how` */
    SEND, RECEIVE, LOOK, AWAIT, /* enum channel_kind.  size: of shared bytes that are sent, or written; AWAIT: until somebody sends */
    LOCK, UNLOCK, LOCK_FAILS, LOCK_LOST, /* enum lock_kind; order: what is done with a lock whose owner died */
    WAIT, SIGNAL,               /* a condition of lock `object`; the waiter's next step is the next one when the lock is free */
    READ_LOCK, WRITE_LOCK, RW_UNLOCK,    /* enum rw_kind */
    FILE_SHARED, FILE_LOCK, FILE_UNLOCK, FILE_FAILS, /* enum file_kind; who has it may ask for the other kind */
    SLEEP, WAKE, MOVE,          /* a futex; WAKE: `size` of those who sleep at it and at `other`; MOVE: who sleeps at it is moved to `other` */
    FORK, REAP, AT_FORK,        /* a child process; AT_FORK has a handler called that writes 4 bytes at the `at` of each FORK */
    CREATE, END, JOIN, DETACH,  /* a child; at its END a destructor writes 4 bytes at `at`; other: it ends within a pthread_once() */
    CANCEL,                     /* a child, by thread, that awaits something: its END is next */
    KILL, HANDLE, RAISE, INSTALL,        /* a signal, to thread `other`; its handler writes 4 bytes at `at` */
    SET_TIMER, TIMED,           /* TIMED: the function, which writes 4 bytes at `at` */
    ARRIVE, LAST_COMES, REMAKE, /* enum barrier_kind; size: how many */
    ONCE, ONCE_FAILS,           /* enum once_kind: a function that writes 4 bytes at `at`, and throws */
    OPEN, CLOSE, USE,           /* a descriptor's number, which is the end of a pipe that writes */
    SHUT, READ_END,             /* enum end_kind */
    CONNECT, ACCEPT,            /* enum listener_kind; other: which client */
    RENEW                       /* enum memory_kind: freed and made again */
};

enum channel_kind {
    C_PIPE, C_FIFO, C_STREAM, C_STREAM_BACK, C_DATAGRAM, C_PACKETS, C_TCP, C_LOCAL, C_UDP, C_QUEUE, C_EVENT, C_EVENT_SUM, C_CLOCK,
    C_MESSAGES, C_SEMAPHORE, C_SHARED, C_NAMED, C_SIGNAL, C_SIGNALFD, C_TIMER, CHANNELS
};
enum lock_kind { L_ROBUST, L_ROBUST_SHARED, L_SHARED, L_INHERIT, L_ADAPTIVE, L_FUTEX, LOCKS };
enum rw_kind { RW_SHARED, RW_WRITERS_FIRST, RWS };
enum file_kind { F_FLOCK, F_OPEN, FILES };
enum barrier_kind { B_PRIVATE, B_SHARED, BARRIERS };
enum once_kind { O_PTHREAD, O_STD, ONCES };
enum end_kind { E_PIPE, E_PIPE_OVER, E_SOCKET, E_SHUTDOWN, E_TCP, E_RANGE, ENDS };
enum listener_kind { S_TCP, S_LOCAL, LISTENERS };
enum { FUTEXES = 3, PROCESSES = 2, SIGNALS = 2, CLIENTS = 3 };
enum { BY_CLOSE = 2 }; /* FILE_UNLOCK's how */

struct step {
    unsigned char thread, what, object, how, at, size, other;
};

extern struct step script[STEPS];
extern unsigned script_steps;

/* Makes a script, and what is to be found in it, from a seed. */
void script_make(unsigned long seed);
/* Of the truth's edges one kind is left out from here on, so that scripts fail: which, from 1 on.  False: there are not so many. */
bool script_leave_out(unsigned which);
/* Around step i, by the thread that does it.  False: another verdict than the truth; it has been printed. */
void step_begin(unsigned i);
bool step_end(unsigned i);
/* The script up to step i, into standard output. */
void script_print(unsigned long seed, unsigned i);
/* Has the runtime told the handlers of races?  Sets ours. */
bool hear_of_races(void);
/* Over all scripts so far: steps, and bytes that raced. */
unsigned long steps_done(void);
unsigned long races_true(void);

#ifdef __cplusplus
}
#endif

#endif
