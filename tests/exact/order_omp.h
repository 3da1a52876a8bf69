/* SPDX-License-Identifier: Apache-2.0
 *
 * Between order_omp.c, a random OpenMP program, and order_omp_script.c, which is not instrumented and knows the truth: the program says there what its
 * threads and tasks are about to do, or have done.  Which thread runs a task is not known before, so the truth is made while the program runs.
 */
#ifndef TESTS_EXACT_ORDER_OMP_H
#define TESTS_EXACT_ORDER_OMP_H

#include <stdbool.h>

enum { BYTES = 48, PLACES = 4, CONSTRUCTS = 16, ITERATIONS = 8, LOCKS = 4, ATOMICS = 2 };

enum depend { D_IN, D_OUT, D_EXCLUSIVE, D_SET }; /* D_OUT: inout, too */
struct depends {
    unsigned n;
    struct {
        unsigned char place, kind;
    } on[2];
};

struct team;
struct task; /* of a thread, or an explicit one */

/* Of what orders one kind is left out from here on, so that scripts fail: which, from 1 on; 0: none.  False: there are not so many. */
bool truth_leave_out(unsigned which);
/* A script begins: no other thread runs. */
void truth_begins(void);
/* What happened in it, on standard output, if a verdict was wrong: then false. */
bool truth_held(unsigned long seed);
bool hear_of_races(void);
unsigned long steps_done(void), races_true(void);

/* From here on nobody else makes a step, until the access has been made. */
void access_begin(unsigned at, unsigned size, bool write);
void access_end(void);

/* A region, by who opens it: before it and after it; the tasks of its threads: at their beginning. */
struct team *region_begin(void);
void region_end(struct team *team);
struct task *thread_begins(struct team *team);
/* Around a barrier, also that at the end of a region. */
void arrives(struct task *task);
void passed(struct task *task);

/* Before the task is made; at its beginning and its end, by the thread that runs it. */
struct task *task_made(struct task *parent, const struct depends *depends);
void task_begins(struct task *task);
void task_ends(struct task *task);
/* Of a task that waits for an event: the event is about to be. */
void task_event(struct task *task);
/* After the wait: for all children, or for those with such dependences. */
void waited(struct task *task, const struct depends *depends);
void group_begins(struct task *task);
void group_ended(struct task *task);

/* In a lock: after it is taken, before it is given up.  Blocks of ordered loops: `construct` of the region. */
void lock_taken(unsigned lock);
void lock_given(unsigned lock);
void ordered_begins(struct task *task, unsigned construct);
void ordered_ends(struct task *task, unsigned construct);
/* Of iterations that wait for others: before it is told that this one is over; after the wait for that one. */
void posts(struct task *task, unsigned construct, unsigned iteration);
void waited_post(struct task *task, unsigned construct, unsigned iteration);

/* Nobody else makes a step between the two, in which an atomic operation or a flush is made.  flushes: each atomic operation that is not relaxed is
 * followed by a flush (clang makes it so). */
enum atomic_what { A_LOAD, A_STORE, A_CHANGE, A_FLUSH };
enum order { RELAXED, ACQUIRE, RELEASE, BOTH, TOTAL };
void atomic_begin(void);
void atomic_end(enum atomic_what what, unsigned object, enum order order, bool flushes);

#endif
