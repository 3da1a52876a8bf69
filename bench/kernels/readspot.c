/* SPDX-License-Identifier: Apache-2.0
 *
 * Localspot with one more read: readspot [OPERATIONS [WORDS [THREADS [COST]]]], operations of all threads together.
 * Each thread has integers and locks of its own, and every operation reads one word that all threads read, as
 * programs do with their settings: data whose readers are as many as there are threads, in each segment anew.
 *
 * Reduced: 30000
 */
#include "bench/kernels/spots.h"

static uint32_t largest; /* written before the threads start */

static void *work(void *self)
{
    size_t me = (size_t)self;
    size_t first = SPOTS * me / threads;
    spots_work(me, first, SPOTS * (me + 1) / threads - first, &largest); /* threads <= SPOTS: at least one */
    return NULL;
}

int main(int argc, char **argv)
{
    _Static_assert(KERNEL_MAX_THREADS <= SPOTS, "a thread without a spot");
    largest = LARGEST;
    return spots_run(argc, argv, "readspot", work);
}
