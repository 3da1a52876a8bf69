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
 * The same kind of section, on no page, is around an atomic operation that needs no lock (abi_atomic.c); who must know that none is under way waits for
 * all (rt_sections_wait()).
 *
 * A tag is used by one thread, once: after a revocation the thread gets another.  A sweep (sweep.c) makes tags free that no page names.
 *
 * A free is a write to all of a block.  Of a page that nobody used since it was allocated no cell is touched for that: the page says
 * that it was freed, by which segment and where (rt_freed()), and who comes to it first writes that into its cells.
 */
#ifndef GL_NATIVE_OWNER_H
#define GL_NATIVE_OWNER_H

#include "native/state.h"

#define RT_OWNER_SHARED UINT32_MAX
#define RT_OWNER_FREED (UINT32_MAX - 0x1F)  /* whole, unused; no thread has such a tag */
#define RT_OWNER_CLOSED (UINT32_MAX - 0x2F) /* for a moment: somebody makes it freed, or his own; he waits for nobody */
#define RT_OWNER_MOVES 0xFu /* low bits of an owner word: how often the page changed hands; above: the tag */

static inline _Atomic uint32_t *rt_owner(uintptr_t a)
{
    return (_Atomic uint32_t *)(((a & RT_ADDRESS_MASK) >> RT_PAGE_SHIFT) * 4 + RT_OWNERS_AT);
}

/* Of a freed page: write half and site of every cell, as in core/cell.h. */
static inline _Atomic uint64_t *rt_freed(uintptr_t a)
{
    return (_Atomic uint64_t *)(((a & RT_ADDRESS_MASK) >> RT_PAGE_SHIFT) * 8 + RT_FREED_AT);
}

/* The tag of a thread that has none, or 0 as long as the thread is not known to us. */
#define RT_NO_TAG (1u << 4)

/* Is it the word of a page that the thread with this tag owns? */
static inline bool rt_owner_is(uint32_t word, uint32_t tag) { return (word ^ tag) <= RT_OWNER_MOVES && tag > RT_NO_TAG; }

/* Gives the calling thread a tag, unless there is none left, no memory, or it may have none.  Outside of a section, depth > 0. */
void rt_owner_tag(void);
/* Gets the page for the calling thread, or makes it shared.  Outside of a section, depth > 0. */
void rt_page_claim(uintptr_t a);

/* A new thread is about to use its stack from sp down.  What is known of it gets its memory before it is read: memory that is read
 * first is all one page, and when it is written later the kernel tells every processor that it is not. */
void rt_stack_wanted(uintptr_t sp);

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

/* The whole page is freed at this site by the calling thread, of whose segment `half` is, with all bytes.  False: somebody used it, and nothing was
 * done.  Outside of a section, depth > 0. */
bool rt_page_freed(uintptr_t page, uint32_t half, uint32_t site);
/* A freed page is nobody's again.  False: it was not freed. */
bool rt_page_unfreed(uintptr_t page);

/* The pages of [p, p+n) were unmapped, or allocated whole, and their cells cleared: who shared them shares them no more, and those of the calling
 * thread are nobody's. */
void rt_pages_fresh(uintptr_t p, size_t n);

/* The calling thread ends: its pages are anybody's.  depth > 0. */
void rt_owner_end(void);
/* Alone (rt_alone_begin()), so that no thread has a tag.  Tags have numbers below rt_owner_tags(); rt_owner_use() marks the one of an owner word,
 * rt_owner_forget() makes those free that no page's word names. */
uint32_t rt_owner_tags(void);
void rt_owner_use(struct rt_used *used, uint32_t word);
void rt_owner_forget(const struct rt_used *used);
/* No other thread is in a section that began before.  The registry is not locked. */
void rt_sections_wait(void);
/* All threads lose their pages; none is in a section when this returns.  The registry is locked. */
void rt_owner_revoke_all(void);

#endif
