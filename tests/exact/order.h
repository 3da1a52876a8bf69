/* SPDX-License-Identifier: Apache-2.0
 *
 * A random execution of what orders threads, step by step, and what must be found in it: between order_script.c, which is not
 * instrumented and knows the truth, and order.cpp, whose threads do what it says.
 */
#ifndef TESTS_EXACT_ORDER_H
#define TESTS_EXACT_ORDER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WORKERS = 4, CHILDREN = 4, ACTORS = WORKERS + CHILDREN, STEPS = 400, BYTES = 48 };

enum what {
    READ, WRITE,              /* `size` bytes at `at` */
    LOCK, UNLOCK, LOCK_FAILS, /* object: of enum lock_kind; LOCK by way `how`, LOCK_FAILS: somebody else holds it */
    WAIT_EXPIRED,             /* a wait whose time is over when it begins, with the mutex `object` */
    WAIT, SIGNAL,             /* WAIT goes on when somebody has signalled and given the mutex up: the thread's next step */
    READ_LOCK, READ_UNLOCK, WRITE_LOCK, WRITE_UNLOCK, /* enum rw_kind */
    SEND, RECEIVE, LOOK,      /* enum channel_kind; RECEIVE: something is there; LOOK: it is asked whether something is there, and it is */
    LOAD, STORE, EXCHANGE, SWAP, SWAP_FAILS, /* enum atomic_kind, with `order`; SWAP: compare and exchange `old` */
    FENCE,                    /* with `order` */
    TELL, HEAR,               /* of an atomic by annotation: as if it were stored with release, and loaded with acquire */
    ONCE,                     /* enum once_kind: the first runs a function that writes 4 bytes at `at` */
    SET, GET,                 /* object: a promise, or a flag that others wait for; enum once_kind has no part in it */
    DROP,                     /* the thread's share of an owned thing: whose is the last writes 4 bytes at `at` */
    COUNT_DOWN, TRY_WAIT,     /* a latch */
    CREATE, END, JOIN,        /* object: a child; END is its last step */
    MEET, MET                 /* enum meeting_kind, of two threads: MEET waits for who does MET, the step after */
};

enum lock_kind { L_NORMAL, L_RECURSIVE, L_ERRORCHECK, L_ROBUST, L_INHERIT, L_SPIN, L_C11, L_STD, L_STD_TIMED, L_STD_RECURSIVE, L_ANNOTATED, LOCKS };
enum rw_kind { RW_PTHREAD, RW_WRITERS_FIRST, RW_STD, RW_STD_TIMED, RW_ANNOTATED, RWS };
enum channel_kind { C_SEMAPHORE, C_SEMAPHORE_2, C_PIPE, C_EVENTFD, C_SOCKET, C_SOCKET_BACK, C_COUNTING, C_ANNOTATED, C_TSAN, CHANNELS };
enum atomic_kind { A_1, A_2, A_4, A_8, A_16, A_3, A_40, A_REF, A_POINTER, ATOMICS };
enum once_kind { O_PTHREAD, O_C11, O_STD, ONCES };
enum meeting_kind { M_PTHREAD, M_STD, MEETINGS };
enum order { RELAXED, ACQUIRE, RELEASE, BOTH, TOTAL };
enum { PROMISES = 2, SHARED = 2, LATCHES = 2 };

struct step {
    unsigned char thread, what, object, how, order, order_failed, at, size;
    unsigned short value, old; /* of atomics: what is written, and what is there */
};

extern struct step script[STEPS];
extern unsigned script_steps;

/* Makes a script, and what is to be found in it, from a seed. */
void script_make(unsigned long seed);
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
