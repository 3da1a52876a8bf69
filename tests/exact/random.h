/* SPDX-License-Identifier: Apache-2.0
 *
 * A random execution, step by step, and what must be found in it: between random_script.c, which is not instrumented and
 * knows the truth, and random.c, whose threads do what it says.
 */
#ifndef TESTS_EXACT_RANDOM_H
#define TESTS_EXACT_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

enum { THREADS = 4, LOCKS = 3, STEPS = 400, AREA = 4 * 4096, PLACES = 3 };

enum op { READ, WRITE, LOAD, STORE, READ_RANGE, WRITE_RANGE, LOCK, UNLOCK, FREE, ALLOCATE };

struct step {
    unsigned char thread, op, lock, place; /* place: which of the instructions of its kind makes the access */
    unsigned short at, size;               /* in the area, bytes */
};

extern struct step script[STEPS];
/* The size of the heap block in which the area is, for a script that frees it, goes on using it, and allocates it again; 0: it is no heap block. */
extern size_t script_block;
/* Is it freed at the end? */
extern bool script_freed;

/* Makes a script, and what is to be found in it, from a seed. */
void script_make(unsigned long seed);
/* Around step i, by the thread that does it.  False: another verdict than the truth; it has been printed. */
void step_begin(unsigned i);
bool step_end(unsigned i);
/* The script again, by step, into standard error: from the last `n` steps before i that meet its bytes. */
void script_print(unsigned long seed, unsigned i);

/* Has the runtime told the handlers of races?  Sets ours. */
bool listen(void);
/* Over all scripts so far. */
extern unsigned long steps_done, races_true;

#endif
