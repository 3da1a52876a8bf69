/* SPDX-License-Identifier: Apache-2.0
 *
 * LocalSpot of the 2006 report: localspot [OPERATIONS [WORDS [THREADS [COST]]]], operations of all threads
 * together.  The same as sharedspot, but each integer is used by one thread only: locks that nobody else takes, and
 * data that nobody else sees.
 *
 * Reduced: 30000
 */
#include "bench/kernels/spots.h"

static void *work(void *self)
{
    const uint32_t largest = LARGEST; /* the thread's own */
    size_t me = (size_t)self;
    size_t first = SPOTS * me / threads;
    spots_work(me, first, SPOTS * (me + 1) / threads - first, &largest); /* threads <= SPOTS: at least one */
    return NULL;
}

int main(int argc, char **argv)
{
    _Static_assert(KERNEL_MAX_THREADS <= SPOTS, "a thread without a spot");
    return spots_run(argc, argv, "localspot", work);
}
