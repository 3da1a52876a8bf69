/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells taken apart and put together, see parts.h.
 */
#include "core/parts.h"

#include <string.h>

#include "core/state.h"

static void store_sites(struct gl_cell cell, uint32_t write, uint32_t read)
{
    gl_store_relaxed(cell.sites, (uint64_t)write << 32 | read); /* under the cell's lock */
}

/* Side records of the smallest size come and go with every phase of a program that reads what it wrote: they are
 * taken from and given to the thread's own stock, half of which is exchanged with the common one at a time. */
struct gl_side *gl_parts_side(struct gl_thread *t, uint32_t n)
{
    if (n > gl_side_capacity(0))
        return gl_side_alloc(&t->core->sides, n);
    if (!t->n_spare) {
        t->spare_batch = t->spare_batch < GL_SPARE / 4 ? 2 * t->spare_batch + 1 : GL_SPARE / 2;
        t->n_spare = gl_side_alloc_many(&t->core->sides, t->spare, t->spare_batch);
    }
    if (!t->n_spare)
        return NULL;
    struct gl_side *r = t->spare[--t->n_spare];
    gl_side_changes(r);
    return r;
}

void gl_parts_side_done(struct gl_thread *t, struct gl_side *r)
{
    gl_side_set_counts(r, 0, 0); /* nothing for gl_side_hit() */
    if (r->cls != 0) {
        gl_side_free(&t->core->sides, r);
        return;
    }
    if (t->n_spare == GL_SPARE) {
        t->n_spare /= 2;
        gl_side_free_many(&t->core->sides, t->spare + t->n_spare, GL_SPARE / 2);
    }
    t->spare[t->n_spare++] = r;
}

/* By half, then by site: equal sets become equal lists. */
static void sort(struct gl_entry *e, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct gl_entry x = e[i];
        uint32_t k = i;
        for (; k > 0 && (e[k - 1].half > x.half || (e[k - 1].half == x.half && e[k - 1].site > x.site)); k--)
            e[k] = e[k - 1];
        e[k] = x;
    }
}

/* The group of these accesses and the list of their sites; false: no memory. */
static bool group_of(struct gl_core *core, struct gl_entry *e, uint32_t count, uint32_t *half, uint32_t *sites, bool *made)
{
    uint32_t halves[GL_GROUP_MAX] = {0}, places[GL_GROUP_MAX] = {0};
    sort(e, count);
    for (uint32_t i = 0; i < count; i++) {
        halves[i] = e[i].half;
        places[i] = e[i].site;
    }
    *half = gl_group_intern(&core->lists, halves, made);
    *sites = *half ? gl_list_intern(&core->lists, places, NULL) : 0;
    return *sites != 0;
}

#define CREDIT_FIRST 8192 /* a new thread's */
#define CREDIT_GROUP 64   /* a new group should serve so many changes of cells */
#define CREDIT_DENIED 8

_Static_assert(GL_FOLD_AFTER == CREDIT_GROUP, "folding pays for its group");

/* Did this thread want a group of these halves before?  What does not come again would fill the table. */
static bool wanted(struct gl_thread *t, const struct gl_entry *e, uint32_t count)
{
    uint32_t sum = 0; /* whatever the order */
    for (uint32_t i = 0; i < count; i++)
        sum += (e[i].half ^ e[i].half >> 15) * 0x9E3779B1u;
    uint32_t *place = &t->wanted[sum >> t->wanted_shift];
    if (*place == sum || t->core->group_at_once)
        return true;
    *place = sum;
    return false;
}

/* A group for the `count` accesses of one kind, with the list of their sites.  False: they do not fit in one, or not yet. */
static bool group_for(struct gl_thread *t, const struct gl_entry *e, uint32_t count, uint32_t *half, uint32_t *site)
{
    if (count > GL_GROUP_MAX)
        return false;
    if (t->credit < CREDIT_GROUP - CREDIT_FIRST && !t->core->group_at_once) {
        t->credit +=
            ++t->denied % CREDIT_DENIED == 0; /* another try now and then: what a program does changes */
        return false;
    }
    struct gl_entry sorted[GL_GROUP_MAX];
    for (uint32_t i = 0; i < count; i++) {
        if (e[i].half & GL_HALF_ATOMIC)
            return false;
        sorted[i] = e[i];
    }
    bool made = false;
    if (!wanted(t, e, count) || !group_of(t->core, sorted, count, half, site, &made))
        return false;
    t->credit += made ? -CREDIT_GROUP : 1;
    gl_count(t, GL_COUNT_groups);
    return true;
}

/* One half for the accesses of one kind, with its site; false: as above. */
static inline bool half_for(struct gl_thread *t, const struct gl_entry *e, uint32_t count, uint32_t *half, uint32_t *site)
{
    *half = count ? e[0].half : 0;
    *site = count ? e[0].site : 0;
    return count <= 1 || group_for(t, e, count, half, site);
}

uint32_t gl_parts_of(struct gl_core *core, uint32_t half, uint32_t site, struct gl_entry *e)
{
    uint32_t alone[2];
    const uint32_t *halves = gl_halves_of(&core->lists, half, alone);
    const uint32_t *sites = halves == alone ? &site : gl_list_at(&core->lists, site)->value;
    uint32_t n = 0;
    for (; n < GL_GROUP_MAX && halves[n]; n++)
        e[n] = (struct gl_entry){halves[n], sites[n]};
    return n;
}

/* The cell as one word again; false: it needs a side record. */
static bool as_word(struct gl_thread *t, struct gl_cell cell, const struct gl_parts *p, uint64_t *word)
{
    uint32_t w, r, w_site, r_site;
    if (!half_for(t, p->e, p->n_writes, &w, &w_site) || !half_for(t, p->e + p->n_writes, p->n_reads, &r, &r_site))
        return false;
    store_sites(cell, w_site, r_site);
    *word = (uint64_t)w << 32 | r;
    return true;
}

static uint64_t in_side(struct gl_cell cell, struct gl_side *r, const struct gl_parts *p)
{
    gl_side_set_counts(r, p->n_writes, p->n_reads);
    gl_store_relaxed(cell.sites, 0); /* gl_side_seen_alone(): nothing; under the cell's lock */
    return (uint64_t)GL_CELL_SIDE << 32 | (uint32_t)r->self << 4;
}

bool gl_parts_word(struct gl_thread *t, struct gl_cell cell, const struct gl_parts *p, uint64_t *next)
{
    if (as_word(t, cell, p, next))
        return true;
    struct gl_side *r = gl_parts_side(t, p->n_writes + p->n_reads);
    if (!r)
        return false;
    memcpy(r->entry, p->e, (p->n_writes + p->n_reads) * sizeof *p->e);
    r->rereads = 0;
    *next = in_side(cell, r, p);
    gl_count(t, GL_COUNT_cells_split);
    return true;
}

uint64_t gl_parts_word_of_side(struct gl_thread *t, struct gl_cell cell, struct gl_side *r, const struct gl_parts *p)
{
    uint64_t word;
    if (!as_word(t, cell, p, &word))
        return in_side(cell, r, p);
    gl_parts_side_done(t, r);
    gl_count(t, GL_COUNT_cells_joined);
    return word;
}

void gl_cell_fold(struct gl_thread *t, struct gl_cell cell)
{
    t->credit += t->credit < GL_CREDIT_MOST ? GL_FOLD_AFTER : 0;
    uint64_t word = gl_load_relaxed(cell.word); /* relaxed: a guess */
    if (word >> 32 != GL_CELL_SIDE)
        return;
    word = gl_cell_lock(cell, &t->core->env);
    if (word >> 32 == GL_CELL_SIDE) {
        struct gl_side *r = gl_side_at(&t->core->sides, gl_cell_side(word));
        if (!gl_load_relaxed(&r->spread) && r->n_writes <= GL_GROUP_MAX && r->n_reads <= GL_GROUP_MAX) { /* under the cell's lock */
            struct gl_parts p = {.e = r->entry, .n_writes = r->n_writes, .n_reads = r->n_reads};
            gl_side_changes(r);
            (void)wanted(t, p.e, p.n_writes); /* now they were, and are the second time */
            (void)wanted(t, p.e + p.n_writes, p.n_reads);
            word = gl_parts_word_of_side(t, cell, r, &p);
        }
    }
    gl_cell_unlock(cell, word);
}

/* Takes the bytes `mask` out of every entry. */
static void forget(struct gl_parts *p, uint32_t mask)
{
    uint32_t total = p->n_writes + p->n_reads, kept = 0, kept_w = 0;
    for (uint32_t i = 0; i < total; i++) {
        struct gl_entry e = p->e[i];
        e.half &= ~mask;
        if (gl_half_mask(e.half)) {
            p->e[kept++] = e;
            kept_w += i < p->n_writes;
        }
    }
    p->n_writes = kept_w;
    p->n_reads = kept - kept_w;
}

/* Takes bytes out of a half.  When there is no memory for what is left of a group, that is lost too, and counted. */
static void lessen(struct gl_core *core, uint32_t mask, uint32_t *half, uint32_t *site)
{
    if (!gl_half_is_group(*half) || !(*half & mask) || !gl_half_mask(*half & ~mask)) {
        *half = gl_half_mask(*half & ~mask) ? *half & ~mask : 0;
        return;
    }
    struct gl_entry e[GL_GROUP_MAX];
    uint32_t count = gl_parts_of(core, *half, *site, e), n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (gl_half_mask(e[i].half & ~mask))
            e[n++] = (struct gl_entry){e[i].half & ~mask, e[i].site};
    if (n == 1) {
        *half = e[0].half;
        *site = e[0].site;
        return;
    }
    if (group_of(core, e, n, half, site, NULL))
        return;
    *half = 0;
    gl_add_relaxed(&core->lists.lost, 1); /* relaxed: a statistic */
}

void gl_cell_fresh(struct gl_core *core, struct gl_cell cell, uint32_t mask)
{
    if (gl_load_relaxed(cell.word) == 0) /* relaxed: an access that overlaps with the allocation of its own
                                          * memory may count as before it */
        return;
    uint64_t word = gl_cell_lock(cell, &core->env);
    if (word >> 32 == GL_CELL_SIDE) {
        struct gl_side *r = gl_side_at(&core->sides, gl_cell_side(word));
        if (gl_load_relaxed(&r->spread)) /* under the cell's lock */
            gl_spread_gather(&core->spreads, r);
        struct gl_parts p = {.e = r->entry, .n_writes = r->n_writes, .n_reads = r->n_reads};
        gl_side_changes(r);
        gl_store_relaxed(cell.sites, 0); /* as in_side() */
        forget(&p, mask);
        if (p.n_writes + p.n_reads == 0) {
            gl_side_free(&core->sides, r);
            word = 0;
        } else { /* it stays a side record even when small: the next access folds it */
            gl_side_set_counts(r, p.n_writes, p.n_reads);
        }
    } else {
        uint64_t sites = gl_load_relaxed(cell.sites); /* under the cell's lock */
        uint32_t w = (uint32_t)(word >> 32), r = (uint32_t)word, w_site = (uint32_t)(sites >> 32), r_site = (uint32_t)sites;
        lessen(core, mask, &w, &w_site);
        lessen(core, mask, &r, &r_site);
        store_sites(cell, w_site, r_site);
        word = (uint64_t)w << 32 | r;
    }
    gl_cell_unlock(cell, word);
}
