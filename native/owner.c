/* SPDX-License-Identifier: Apache-2.0
 *
 * Who owns which page, see owner.h.
 */
#include "native/owner.h"

#include "core/sweep.h"

#define TAG_SHIFT 4
#define CLOSED_TAG (RT_NO_TAG + (1u << TAG_SHIFT)) /* of pages that are about to be nobody's; no thread has it */
#define CHUNK 4096u
#define CHUNKS 4096u      /* 16.7 million tags */
#define MOST_MOVES 3u     /* a page that changed hands as often becomes shared */
#define POOR 4u           /* a tag with fewer pages when it was revoked was not worth it */
#define PATIENCE 64       /* so many poor tags in a row, and the thread takes no more pages */

/* A tag: whose, while it is valid. */
struct tag {
    struct rt_tls *_Atomic holder; /* NULL: revoked, or its thread ended */
    uint32_t tid;                  /* of the thread, + 1; 0: it ended */
    uint32_t slot;                 /* of its segments; of a free tag: the next free one */
    _Atomic bool over;             /* it was revoked, and its holder is in no section that began before */
};

static struct {
    struct gl_spin lock; /* guards making, revoking and ending tags; holders wait for sections, so it is not taken in one */
    uint32_t last;       /* tag made last */
    uint32_t free;       /* of those that no page names, 0: none */
    _Atomic(struct tag *) chunk[CHUNKS];
} tags;

static struct tag *tag_at(uint32_t word)
{
    uint32_t number = word >> TAG_SHIFT;
    return gl_load_acquire(&tags.chunk[number / CHUNK]) + number % CHUNK; /* pairs with number_take() */
}

#define FIRST ((CLOSED_TAG >> TAG_SHIFT) + 1)

/* Under the lock: the number of a tag that no page names; 0: all are in use, or no memory. */
static uint32_t number_take(void)
{
    uint32_t number = tags.free;
    if (number) {
        tags.free = tag_at(number << TAG_SHIFT)->slot;
        return number;
    }
    number = tags.last ? tags.last + 1 : FIRST;
    if (number >= CHUNK * CHUNKS)
        return 0;
    _Atomic(struct tag *) *place = &tags.chunk[number / CHUNK];
    if (!gl_load_relaxed(place)) { /* under the lock */
        struct tag *chunk = gl_os_map(CHUNK * sizeof *chunk);
        if (!chunk)
            return 0;
        gl_store_release(place, chunk); /* pairs with tag_at() */
        gl_core_sweep_sooner(rt.core, CHUNK * sizeof *chunk);
    }
    tags.last = number;
    return number;
}

void rt_owner_tag(void)
{
    struct rt_tls *tls = &rt_tls;
    if (!tls->self || tls->async_cancel || rt.recording) /* then all accesses take the slow path */
        return;
    gl_spin_lock(&tags.lock);
    uint32_t number = number_take();
    if (number) {
        struct tag *tag = tag_at(number << TAG_SHIFT);
        tag->tid = tls->self->tid + 1;
        tag->slot = gl_thread_slot(tls->engine);
        gl_store_relaxed(&tag->over, false); /* seen by who sees the tag in a page */
        gl_store_relaxed(&tag->holder, tls);
        __atomic_store_n(&tls->tag, number << TAG_SHIFT, __ATOMIC_RELAXED); /* others write it under the lock only */
    }
    gl_spin_unlock(&tags.lock);
    tls->poor_tags = tls->pages_taken < POOR ? tls->poor_tags + 1 : 0;
    tls->pages_taken = 0;
}

static void wait_outside(struct rt_tls *tls)
{
    for (unsigned n = 0; __atomic_load_n(&tls->quick, __ATOMIC_ACQUIRE); n++) /* acquire: pairs with rt_section_end() */
        gl_os_pause(n);
}

/* No thread is in a section of this owner word's tag when it returns. */
static void revoke(uint32_t word)
{
    struct tag *tag = tag_at(word);
    if (gl_load_acquire(&tag->over)) /* pairs with the store below: the last section is seen */
        return;
    gl_spin_lock(&tags.lock);
    struct rt_tls *holder = gl_load_relaxed(&tag->holder); /* under the lock */
    if (holder) {
        gl_store_relaxed(&tag->holder, NULL);
        __atomic_store_n(&holder->tag, RT_NO_TAG, __ATOMIC_RELAXED);
        if (holder != &rt_tls) {
            gl_os_membarrier();
            wait_outside(holder);
            gl_add_relaxed(&rt.revocations, 1); /* relaxed: a statistic */
        }
    }
    gl_store_release(&tag->over, true); /* who revoked it held the lock until the holder was outside */
    gl_spin_unlock(&tags.lock);
}

/* Was most of the page used by its last owner, as memory is that goes from thread to thread as a whole?  Then owning it is
 * worth the way that it takes there.  Looks at a few cells; a guess that is wrong costs time only. */
static bool used_whole(uintptr_t a, uint32_t slot)
{
    const unsigned cells = 8, most = 6;
    unsigned used = 0;
    for (unsigned i = 0; i < cells; i++) {
        uint64_t word = gl_load_relaxed(rt_cell_word((a & ~RT_PAGE_MASK) + RT_PAGE / cells * i + RT_PAGE / cells / 2 + 4));
        uint32_t w = (uint32_t)(word >> 32), r = (uint32_t)word;
        used += w < GL_CELL_LOCKED >> 32 && (gl_core_is_of_slot(rt.core, w, slot) || gl_core_is_of_slot(rt.core, r, slot));
    }
    return used >= most;
}

bool rt_page_freed(uintptr_t page, uint32_t half, uint32_t site)
{
    _Atomic uint32_t *place = rt_owner(page);
    uint32_t word = 0;
    if (gl_load_relaxed(place) || !gl_cas_acq_rel(place, &word, RT_OWNER_CLOSED))
        return false;
    rt_page_mark(page, RT_PAGE_USED);
    gl_store_relaxed(rt_freed(page), (uint64_t)half << 32 | site);
    gl_store_release(place, RT_OWNER_FREED); /* pairs with rt_page_claim() */
    return true;
}

bool rt_page_unfreed(uintptr_t page)
{
    uint32_t word = RT_OWNER_FREED;
    return gl_load_relaxed(rt_owner(page)) == word && gl_cas_acq_rel(rt_owner(page), &word, 0);
}

/* Writes the free of a page, which the caller has closed, into its cells. */
static void fill_freed(uintptr_t page)
{
    uint64_t freed = gl_load_relaxed(rt_freed(page)); /* acquired with the owner word */
    for (uintptr_t a = page; a < page + RT_PAGE; a += 4) {
        struct gl_cell cell = rt_cell(a); /* relaxed: nobody else may be there; published with the owner word */
        gl_store_relaxed(cell.sites, freed << 32);
        gl_store_relaxed(cell.word, freed & 0xFFFFFFFF00000000ull);
    }
}

/* The cells of a page are about to be used for the first time.  Memory that a thread goes through page by page gets a part of it ahead: a
 * fault each, and a second one when a cell is read before it is written, takes longer than the cells' first use. */
static void prepare(struct rt_tls *tls, uintptr_t page)
{
    const uint32_t per_ahead = 4, least = 4, most = 64; /* pages gone through for each ahead: what is in vain is a fifth at most */
    struct rt_new_pages *row = tls->new_pages;
    while (row < tls->new_pages + RT_NEW_PAGES && row->last + RT_PAGE != page)
        row++;
    if (row == tls->new_pages + RT_NEW_PAGES) {
        tls->new_pages[tls->new_pages_next++ % RT_NEW_PAGES] = (struct rt_new_pages){.last = page, .ready = page};
        return;
    }
    row->last = page;
    uint32_t ahead = ++row->n / per_ahead < most ? row->n / per_ahead : most;
    if (ahead < least || page < row->ready)
        return;
    gl_os_populate(rt_cell_at(page), ahead * RT_PAGE * 4);
    row->ready = page + ahead * RT_PAGE;
}

void rt_stack_wanted(uintptr_t sp)
{
    uintptr_t below = (sp & ~RT_PAGE_MASK) - RT_PAGE;
    if (!rt_address_ok(sp) || !rt_address_ok(below))
        return;
    (void)atomic_fetch_or_explicit(rt_page(sp), 0, memory_order_relaxed); /* nothing is changed, here and below */
    (void)atomic_fetch_or_explicit(rt_owner(sp), 0, memory_order_relaxed);
    if (gl_load_relaxed(rt_owner(sp)) == 0) /* relaxed: a guess */
        gl_os_populate(rt_cell_at(below), 2 * RT_PAGE * 4);
}

void rt_page_claim(uintptr_t a)
{
    struct rt_tls *tls = &rt_tls;
    _Atomic uint32_t *place = rt_owner(a);
    uint32_t word = gl_load_acquire(place);
    if (word == 0) {
        rt_page_mark(a, RT_PAGE_USED);
        prepare(tls, a & ~RT_PAGE_MASK);
        (void)atomic_fetch_or_explicit(rt_cell_word(a), 0, memory_order_relaxed); /* as rt_stack_wanted() does */
    }
    if (tls->tag <= RT_NO_TAG)
        rt_owner_tag();
    for (unsigned n = 0;; n++) {
        if (word == RT_OWNER_CLOSED) {
            gl_os_pause(n);
            word = gl_load_acquire(place); /* pairs with who closed it */
            continue;
        }
        uint32_t mine = tls->tag, next = RT_OWNER_SHARED; /* without a tag nothing can be owned */
        if (word == RT_OWNER_SHARED || rt_owner_is(word, mine))
            return;
        if (mine > RT_NO_TAG && tls->poor_tags < PATIENCE && rt.owners)
            next = mine;
        if (word == RT_OWNER_FREED) {
            if (!gl_cas_acq_rel(place, &word, RT_OWNER_CLOSED))
                continue;
            fill_freed(a & ~RT_PAGE_MASK);
            gl_store_release(place, next); /* pairs with rt_section_begin() */
            tls->pages_taken += next != RT_OWNER_SHARED;
            return;
        }
        if (word) {
            revoke(word);
            const struct tag *last = tag_at(word);
            uint32_t tid = last->tid, moves = word & RT_OWNER_MOVES;
            if (tid && (!tls->self || tid != tls->self->tid + 1) && !used_whole(a, last->slot))
                moves++; /* from a thread that lives; back to ourselves it does not count */
            next = moves >= MOST_MOVES || next == RT_OWNER_SHARED ? RT_OWNER_SHARED : mine | moves;
        }
        if (gl_cas_acq_rel(place, &word, next)) { /* release: pairs with rt_section_begin() */
            tls->pages_taken += next != RT_OWNER_SHARED;
            return;
        }
    }
}

void rt_owner_end(void)
{
    gl_spin_lock(&tags.lock);
    if (rt_tls.tag > RT_NO_TAG) {
        struct tag *tag = tag_at(rt_tls.tag);
        gl_store_relaxed(&tag->holder, NULL); /* under the lock */
        tag->tid = 0;
        __atomic_store_n(&rt_tls.tag, RT_NO_TAG, __ATOMIC_RELAXED);
    }
    gl_spin_unlock(&tags.lock);
}

/* Under the registry's lock. */
static void wait_all_outside(void)
{
    gl_os_membarrier();
    for (struct rt_thread *t = rt.threads; t; t = t->next)
        if (t->tls && t->tls != &rt_tls)
            wait_outside(t->tls);
}

void rt_sections_wait(void)
{
    gl_spin_lock(&rt.registry);
    wait_all_outside();
    gl_spin_unlock(&rt.registry);
}

/* Under the lock and the registry's: no thread has a tag, and none is in a section that began before. */
static void revoke_all(void)
{
    for (struct rt_thread *t = rt.threads; t; t = t->next)
        if (t->tls && t->tls->tag > RT_NO_TAG) {
            gl_store_relaxed(&tag_at(t->tls->tag)->holder, NULL); /* under the lock */
            __atomic_store_n(&t->tls->tag, RT_NO_TAG, __ATOMIC_RELAXED);
        }
    wait_all_outside();
}

void rt_owner_revoke_all(void)
{
    gl_spin_lock(&tags.lock);
    revoke_all();
    gl_spin_unlock(&tags.lock);
}

uint32_t rt_owner_tags(void) { return tags.last + 1; }

void rt_owner_use(struct rt_used *used, uint32_t word)
{
    if (word != RT_OWNER_SHARED)
        rt_use(used, word >> TAG_SHIFT);
}

void rt_owner_forget(const struct rt_used *used)
{
    tags.free = 0;
    for (uint32_t number = tags.last; number >= FIRST; number--)
        if (!rt_is_used(used, number)) {
            struct tag *tag = tag_at(number << TAG_SHIFT);
            tag->tid = 0;
            tag->slot = tags.free;
            tags.free = number;
        }
}

static uint32_t shared_pages(uintptr_t from, uintptr_t to, uint32_t is, uint32_t becomes)
{
    uint32_t n = 0;
    for (uintptr_t page = rt_page_next(from, to, RT_PAGE_USED); page < to; page = rt_page_next(page + RT_PAGE, to, RT_PAGE_USED))
        if (gl_load_relaxed(rt_owner(page)) == is) { /* relaxed: only we, under the lock, take it out of this state */
            gl_store_release(rt_owner(page), becomes); /* pairs with rt_section_begin(), rt_page_claim() */
            n++;
        }
    return n;
}

/* First the pages get a tag that nobody has, so that whoever comes now waits for the lock in revoke(); then those who found
 * them shared (racing with the end of the memory) are awaited; then the pages are nobody's. */
void rt_pages_fresh(uintptr_t p, size_t n)
{
    uintptr_t from = (p + RT_PAGE_MASK) & ~RT_PAGE_MASK, to = (p + n) & ~RT_PAGE_MASK;
    if (from >= to)
        return;
    gl_spin_lock(&rt.registry);
    gl_spin_lock(&tags.lock);
    if (gl_load_relaxed(&tags.chunk[0])) { /* else there was never a tag, and shared is what pages can be */
        gl_store_relaxed(&tag_at(CLOSED_TAG)->over, false); /* seen by who sees the tag in a page */
        if (shared_pages(from, to, RT_OWNER_SHARED, CLOSED_TAG)) {
            revoke_all();
            shared_pages(from, to, CLOSED_TAG, 0);
        }
    }
    gl_spin_unlock(&tags.lock);
    gl_spin_unlock(&rt.registry);
    for (uintptr_t page = rt_page_next(from, to, RT_PAGE_USED); page < to; page = rt_page_next(page + RT_PAGE, to, RT_PAGE_USED)) {
        uint32_t word = gl_load_relaxed(rt_owner(page));
        if (rt_owner_is(word, rt_tls.tag))
            (void)gl_cas_acq_rel(rt_owner(page), &word, 0); /* pairs with rt_section_begin(), rt_page_claim(); fails: somebody took it */
    }
}
