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

/* From EMPTY on: of pages of the area and of what is beside it (`beside` below).  EMPTY keeps the mapping, and who accessed it; MAP and MOVE_IN put another one over it;
 * after UNMAP, MOVE_OUT or SHRINK nothing is there until the next step, which is MAP, or GROW after SHRINK. */
enum op { READ, WRITE, LOAD, STORE, READ_RANGE, WRITE_RANGE, LOCK, UNLOCK, FREE, ALLOCATE, EMPTY, MAP, MOVE_IN, UNMAP, MOVE_OUT, SHRINK, GROW };

struct step {
    unsigned char thread, op, lock, place; /* place: which of the instructions of its kind makes the access */
    unsigned short at, size;               /* in the area, bytes */
    size_t beside[2]; /* whole pages before and behind the area that a mapping's step concerns as well, bytes */
};

extern struct step script[STEPS];
/* The size of the heap block in which the area is, for a script that frees it, goes on using it, and allocates it again; 0: it is no heap block. */
extern size_t script_block;
/* The size of the mapping in which the area is, for a script that unmaps and moves pages of it; 0: it is in none. */
extern size_t script_mapping;
/* How far from the beginning of the block or the mapping the area is, whole pages. */
extern size_t script_before;
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
extern unsigned long steps_done;
unsigned long races_true(void); /* bytes */

#endif
