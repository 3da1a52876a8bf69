/* SPDX-License-Identifier: Apache-2.0
 *
 * SharedSpot of the 2006 report: sharedspot [OPERATIONS [WORDS [THREADS [COST]]]], operations of all threads
 * together, on integers of WORDS words that every thread uses.  A lock, a few accesses, an unlock: data whose
 * owner changes with nearly every critical section.
 *
 * Reduced: 30000
 */
#include "bench/kernels/spots.h"

static void *work(void *self)
{
    const uint32_t largest = LARGEST; /* the thread's own */
    spots_work((size_t)self, 0, SPOTS, &largest);
    return NULL;
}

int main(int argc, char **argv) { return spots_run(argc, argv, "sharedspot", work); }
