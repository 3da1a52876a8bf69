/* SPDX-License-Identifier: Apache-2.0
 *
 * Page ownership: most memory is used by one thread at a time, and that thread need not lock cells against others.
 *
 * Every page of program memory has an owner word: nobody yet, a thread, or "shared".  Only the owner touches the cells of
 * its page, with plain loads and stores; cells of a shared page are locked one by one (core/cell.h).  Another thread
 * first takes the page: it revokes the owner's tag, so that the owner finds itself without, passes a
 * fence on every processor (membarrier) and waits until the owner is outside of a section.  That is dear, but it
 * revokes all of the owner's pages at once: they change hands with one compare-and-swap each when somebody
 * comes to them.  A page that changes hands often becomes shared for good.
 *
 *     section:   quick := 1;  look at the owner word;  transitions of cells of that page;  quick := 0
 *     revoker:   tag of the owner := none;  membarrier;  wait for quick == 0
 *
 * Either the section sees the missing tag, or the revoker sees quick (docs/concurrency.md, F.4).  Inside a
 * section a thread waits only for locks whose holders do not wait for sections.
 *
 * A tag is used by one thread, once: after a revocation the thread gets another.
 */
#ifndef GL_NATIVE_OWNER_H
#define GL_NATIVE_OWNER_H

#include "native/state.h"

#define RT_OWNER_SHARED UINT32_MAX
#define RT_OWNER_MOVES 0xFu /* low bits of an owner word: how often the page changed hands; above: the tag */

static inline _Atomic uint32_t *rt_owner(uintptr_t a)
{
    return (_Atomic uint32_t *)(((a & RT_ADDRESS_MASK) >> 12) * 4 + RT_OWNERS_AT);
}

/* The tag of a thread that has none, or 0 as long as the thread is not known to us. */
#define RT_NO_TAG (1u << 4)

/* Is it the word of a page that the thread with this tag owns? */
static inline bool rt_owner_is(uint32_t word, uint32_t tag) { return (word ^ tag) <= RT_OWNER_MOVES && tag > RT_NO_TAG; }

/* Gives the calling thread a tag, unless there is none left, no memory, or it may have none.  Outside of a section, depth > 0. */
void rt_owner_tag(void);
/* Gets the page for the calling thread, or makes it shared.  Outside of a section, depth > 0. */
void rt_page_claim(uintptr_t a);

/* Begins a section on the page of `a`: true: it is ours; false: shared.  depth > 0. */
static inline bool rt_section_begin(uintptr_t a)
{
    for (;;) {
        __atomic_store_n(&rt_tls.quick, 1, __ATOMIC_RELAXED);
        __atomic_signal_fence(__ATOMIC_SEQ_CST); /* pairs with the membarrier of revoke() */
        uint32_t word = gl_load_acquire(rt_owner(a)); /* acquire: pairs with rt_page_claim(), what the former owner did */
        if (RT_LIKELY(rt_owner_is(word, __atomic_load_n(&rt_tls.tag, __ATOMIC_RELAXED))))
            return true;
        if (word == RT_OWNER_SHARED)
            return false;
        __atomic_store_n(&rt_tls.quick, 0, __ATOMIC_RELEASE); /* pairs with revoke() */
        rt_page_claim(a);
    }
}
static inline void rt_section_end(void)
{
    __atomic_store_n(&rt_tls.quick, 0, __ATOMIC_RELEASE); /* pairs with revoke() */
}

/* The pages of [p, p+n) were unmapped, or allocated whole: who shared them shares them no more. */
void rt_pages_fresh(uintptr_t p, size_t n);

/* The calling thread ends: its pages are anybody's.  depth > 0. */
void rt_owner_end(void);
/* All threads lose their pages; none is in a section when this returns.  The registry is locked. */
void rt_owner_revoke_all(void);

#endif
