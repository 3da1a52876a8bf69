/* SPDX-License-Identifier: Apache-2.0
 *
 * For programs under test: tell the runtime about synchronization that it cannot see, such as hand-written
 * assembly or order that comes through hardware.  Ordinary locks, atomics and thread functions need no
 * annotation.  Without the runtime the macros do nothing.
 *
 * Caveat: an annotation is believed.  One that claims an order which does not exist hides races.
 *
 *     producer:  slot->data = x;
 *                GOLDILOCKS_HAPPENS_BEFORE(slot);   right before the signal is given
 *                ring_doorbell(slot);
 *     consumer:  wait_for_doorbell(slot);
 *                GOLDILOCKS_HAPPENS_AFTER(slot);    right after the signal was seen
 *                use(slot->data);
 *
 * Everything that a thread did before HAPPENS_BEFORE(p) is ordered before everything that a thread does
 * after a HAPPENS_AFTER(p) that is called later with the same address.  Several HAPPENS_BEFORE(p) add up.
 * C and C++.
 */
#ifndef GOLDILOCKS_ANNOTATE_H
#define GOLDILOCKS_ANNOTATE_H

#ifdef __cplusplus
extern "C" {
#endif

/* ThreadSanitizer's names for the two, so that annotated programs work with either runtime. */
void __tsan_acquire(void *addr) __attribute__((weak));
void __tsan_release(void *addr) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#define GOLDILOCKS_HAPPENS_BEFORE(addr) (__tsan_release ? __tsan_release((void *)(addr)) : (void)0)
#define GOLDILOCKS_HAPPENS_AFTER(addr) (__tsan_acquire ? __tsan_acquire((void *)(addr)) : (void)0)

#endif
