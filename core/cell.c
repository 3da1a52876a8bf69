/* SPDX-License-Identifier: Apache-2.0
 *
 * Transitions of a cell: the access rule (CACM 2010, Fig. 2, rule 3) with reads told from writes and
 * atomic accesses from plain ones; the table of cell.h, applied per byte.
 *
 * A transition takes the cell apart into entries (at most one write and one read when it is one
 * word, any number when it is a side record), asks for every entry that overlaps, drops what the
 * new access covers, adds the new access, and puts the cell together again in its smallest form.
 */
#include <string.h>

#include "core/cell_inl.h"
#include "core/state.h"

/* The access being made. */
struct access {
    uint32_t half; /* segment, atomic, bytes */
    uint32_t mask;
    uint32_t site;
    bool write, atomic;
};

/* Does `e` keep everything that dropping `n` would lose?  (e covers n; both on the same byte,
 * e ordered before n or in the same segment): the table of cell.h. */
static bool covers(bool e_write, bool e_atomic, bool n_write, bool n_atomic)
{
    if (!e_atomic)
        return e_write || !n_write;
    return n_atomic && (e_write || !n_write);
}

/* One earlier entry against the new access.  Returns the bytes on which they race; *taken: bytes
 * of n for which e already says as much; *drop: bytes of e that n makes superfluous. */
static inline uint32_t meet(struct gl_thread *t, const struct access *n, uint32_t e_half, bool e_write, uint32_t *taken,
                     uint32_t *drop)
{
    uint32_t common = gl_half_mask(e_half) & n->mask;
    *drop = 0;
    if (!common)
        return 0;
    bool e_atomic = (e_half & GL_HALF_ATOMIC) != 0;
    bool same = gl_half_segment(e_half) == gl_half_segment(n->half);
    if (same && covers(e_write, e_atomic, n->write, n->atomic)) {
        *taken |= common;
        gl_count(t, GL_COUNT_rule_same_segment);
        return 0;
    }
    bool conflict = (e_write || n->write) && !(e_atomic && n->atomic);
    bool could_drop = covers(n->write, n->atomic, e_write, e_atomic);
    if (!conflict && !could_drop)
        return 0;
    /* That an ordered read may be dropped by a read is thrift, not duty: without a conflict only the thread's own
     * past is looked up, unless the record has become full. */
    if (!conflict && !same && !t->prune &&
        gl_batch_of(&t->core->segments, gl_half_segment(e_half))->slot != t->slot && !GL_MUTANT(DROP_READ))
        return 0;
    bool ask = conflict || t->prune != GL_PRUNE_KNOWN;
    bool ordered = same || (ask ? gl_before(t, gl_half_segment(e_half)) : gl_before_known(t, gl_half_segment(e_half)));
    if (could_drop && (ordered || conflict || GL_MUTANT(DROP_READ)))
        *drop = common; /* unordered and in conflict: the race is reported now */
    return conflict && !ordered ? common : 0;
}

static void fill_race(struct gl_thread *t, struct gl_race *race, uint32_t raced, uint32_t *known, uint32_t e_half,
                      bool e_write, uint32_t e_site)
{
    uint32_t lowest = raced & -raced;
    if (!race || !raced || (*known && (*known & -*known) <= lowest))
        return; /* an earlier entry raced on a byte at least as low */
    *known |= raced;
    race->then.thread = gl_batch_of(&t->core->segments, gl_half_segment(e_half))->uid;
    race->then.site = e_site;
    race->then_segment = gl_half_segment(e_half);
    race->then.write = e_write;
    race->then.atomic = (e_half & GL_HALF_ATOMIC) != 0;
    race->then_bytes = (uint8_t)gl_half_mask(e_half);
}

/* Adds the bytes `mask` of access n to an entry of its own segment and kind, if there is one with the same site or
 * with a site that can be joined with n's.  (`mask` and that entry's bytes are disjoint: transition().) */
static bool merge(struct gl_thread *t, struct gl_entry *list, uint32_t count, const struct access *n, uint32_t mask)
{
    struct gl_entry *same = NULL;
    for (uint32_t i = 0; i < count; i++)
        if ((list[i].half & ~0xFu) == (n->half & ~0xFu)) {
            same = &list[i];
            if (same->site == n->site) {
                same->half |= mask;
                return true;
            }
        }
    if (!same || !t->join_sites)
        return false;
    uint32_t site = t->join_sites(t->join_ctx, same->site, gl_half_mask(same->half), n->site, mask);
    if (!site)
        return false;
    same->site = site;
    same->half |= mask;
    return true;
}

/* A cell taken apart: writes first. */
struct parts {
    struct gl_entry *e;
    uint32_t n_writes, n_reads;
    bool changed;
};

/* The transition on a cell taken apart.  e has room for one more entry. */
static uint32_t transition(struct gl_thread *t, struct parts *p, const struct access *n, struct gl_race *race)
{
    uint32_t raced = 0, taken = 0, known = 0, kept_w = 0, kept = 0;
    uint32_t total = p->n_writes + p->n_reads;
    for (uint32_t i = 0; i < total; i++) {
        struct gl_entry e = p->e[i];
        bool e_write = i < p->n_writes;
        uint32_t drop, r = meet(t, n, e.half, e_write, &taken, &drop);
        fill_race(t, race, r, &known, e.half, e_write, e.site);
        raced |= r;
        p->changed |= drop != 0;
        e.half &= ~drop;
        if (gl_half_mask(e.half)) {
            p->e[kept++] = e;
            kept_w += e_write;
        }
    }
    p->n_writes = kept_w;
    p->n_reads = kept - kept_w;
    uint32_t add = n->mask & ~taken;
    if (!add)
        return raced;
    p->changed = true;
    struct gl_entry *list = n->write ? p->e : p->e + kept_w;
    uint32_t count = n->write ? kept_w : p->n_reads;
    if (merge(t, list, count, n, add))
        return raced;
    struct gl_entry fresh = {.half = (n->half & ~0xFu) | add, .site = n->site};
    if (n->write) { /* make room at the end of the writes */
        p->e[kept] = p->e[kept_w];
        p->e[kept_w] = fresh;
        p->n_writes++;
    } else {
        p->e[kept] = fresh;
        p->n_reads++;
    }
    return raced;
}

/* ---- the cell as memory ---- */

static uint64_t cell_lock(struct gl_cell cell, const struct gl_env *env)
{
    for (unsigned n = 0;; n++) {
        uint64_t word = gl_load_relaxed(cell.word);
        /* acquire: pairs with cell_unlock(), gl_access_quick(), gl_access_quick_pair(), gl_access_step(), gl_access_step_pair().  The sites, the side record and
         * the segments named by the word are visible. */
        if (word != GL_CELL_LOCKED && gl_cas_acquire(cell.word, &word, GL_CELL_LOCKED))
            return word;
        env->pause(env->ctx, n);
    }
}

static void cell_unlock(struct gl_cell cell, uint64_t word)
{
    /* release: pairs with cell_lock(), gl_access_quick(), gl_lock_pair(), gl_access_step(), gl_access_reread(), gl_side_hit(),
     * gl_spread_read() */
    gl_store_release(cell.word, word);
}

static void store_sites(struct gl_cell cell, uint32_t write, uint32_t read)
{
    gl_store_relaxed(cell.sites, (uint64_t)write << 32 | read); /* under the cell's lock */
}

/* Side records of the smallest size come and go with every phase of a program that reads what it wrote: they are
 * taken from and given to the thread's own stock, half of which is exchanged with the common one at a time. */
static struct gl_side *side_take(struct gl_thread *t, uint32_t n)
{
    if (n > gl_side_capacity(0))
        return gl_side_alloc(&t->core->sides, n);
    if (!t->n_spare) {
        t->spare_batch = t->spare_batch < GL_SPARE / 4 ? 2 * t->spare_batch + 1 : GL_SPARE / 2;
        t->n_spare = gl_side_alloc_many(&t->core->sides, t->spare, t->spare_batch);
    }
    return t->n_spare ? t->spare[--t->n_spare] : NULL;
}

static void side_give(struct gl_thread *t, struct gl_side *r)
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

/* One half for the `count` accesses of one kind, with its site.  False: they do not fit in one, or not yet. */
static bool half_for(struct gl_thread *t, const struct gl_entry *e, uint32_t count, uint32_t *half, uint32_t *site)
{
    *half = count ? e[0].half : 0;
    *site = count ? e[0].site : 0;
    if (count <= 1)
        return true;
    struct gl_entry sorted[GL_GROUP_MAX];
    if (count > GL_GROUP_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (e[i].half & GL_HALF_ATOMIC)
            return false;
        sorted[i] = e[i];
    }
    if (t->credit < CREDIT_GROUP - CREDIT_FIRST && !t->core->group_at_once) {
        t->credit += ++t->denied % CREDIT_DENIED == 0; /* another try now and then: what a program does changes */
        return false;
    }
    bool made = false;
    if (!wanted(t, e, count) || !group_of(t->core, sorted, count, half, site, &made))
        return false;
    t->credit += made ? -CREDIT_GROUP : 1;
    gl_count(t, GL_COUNT_groups);
    return true;
}

/* Appends the accesses that a half stands for; returns how many. */
static uint32_t take_apart(struct gl_core *core, uint32_t half, uint32_t site, struct gl_entry *e)
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
static bool as_word(struct gl_thread *t, struct gl_cell cell, const struct parts *p, uint64_t *word)
{
    uint32_t w, r, w_site, r_site;
    if (!half_for(t, p->e, p->n_writes, &w, &w_site) || !half_for(t, p->e + p->n_writes, p->n_reads, &r, &r_site))
        return false;
    store_sites(cell, w_site, r_site);
    *word = (uint64_t)w << 32 | r;
    return true;
}

static uint64_t side_word(struct gl_side *r, const struct parts *p)
{
    gl_side_set_counts(r, p->n_writes, p->n_reads);
    return (uint64_t)GL_CELL_SIDE << 32 | (uint32_t)r->self << 4;
}

/* A word with at most two entries, or groups of them. */
static int access_word(struct gl_thread *t, struct gl_cell cell, uint64_t word, const struct access *n,
                       struct gl_race *race)
{
    struct gl_entry e[2 * GL_GROUP_MAX + 1];
    struct parts p = {.e = e};
    uint64_t sites = gl_load_relaxed(cell.sites), next; /* under the cell's lock */
    p.n_writes = take_apart(t->core, (uint32_t)(word >> 32), (uint32_t)(sites >> 32), e);
    p.n_reads = take_apart(t->core, (uint32_t)word, (uint32_t)sites, e + p.n_writes);
    if (!word)
        gl_count(t, GL_COUNT_rule_fresh);
    uint32_t raced = transition(t, &p, n, race);
    if (!p.changed) {
        cell_unlock(cell, word);
        return (int)raced;
    }
    if (as_word(t, cell, &p, &next)) {
        if (!raced)
            gl_step_keep(t, n->half, n->write, word, next);
    } else {
        struct gl_side *r = side_take(t, p.n_writes + p.n_reads);
        if (!r) { /* not recorded: a race may be missed; the caller counts it */
            cell_unlock(cell, word);
            return GL_ACCESS_NOMEM;
        }
        memcpy(r->entry, e, (p.n_writes + p.n_reads) * sizeof *e);
        r->rereads = 0;
        next = side_word(r, &p);
        gl_count(t, GL_COUNT_cells_split);
    }
    cell_unlock(cell, next);
    return (int)raced;
}

/* Are all writes of the record plain, and those to bytes of the mask ordered before the thread? */
static bool writes_before(struct gl_thread *t, const struct gl_side *r, uint32_t mask)
{
    for (uint32_t i = 0; i < r->n_writes; i++) {
        uint32_t half = r->entry[i].half;
        if ((half & GL_HALF_ATOMIC) || ((half & mask) && !gl_before(t, gl_half_segment(half))))
            return false;
    }
    return true;
}

/* A spread record, with the cell locked: a read may go to the thread's own line (true: it is done); else the reads are gathered. */
static bool access_spread(struct gl_thread *t, struct gl_side *r, const struct access *n)
{
    struct gl_spreads *s = &t->core->spreads;
    bool reads = !n->write && !n->atomic, has_line = t->slot < GL_SPREAD_THREADS;
    if (reads && has_line && writes_before(t, r, n->mask) && gl_spread_put(s, r, t->slot, n->half, n->site))
        return true;
    if (reads && !has_line)
        gl_store_relaxed(&s->off, true); /* relaxed: stale spreads once more */
    gl_spread_gather(s, r);
    gl_count(t, GL_COUNT_gathered);
    return false;
}

/* With many threads a record of fewer accesses grows rather than that the column is asked which could go: it holds one read of
 * each slot at most, and a question may take long. */
#define PRUNE_ASKS 16384u

static int access_side(struct gl_thread *t, struct gl_cell cell, uint64_t word, const struct access *n,
                       struct gl_race *race)
{
    struct gl_sides *sides = &t->core->sides;
    struct gl_side *r = gl_side_at(sides, gl_cell_side(word));
    if (gl_load_relaxed(&r->spread) && access_spread(t, r, n)) { /* under the cell's lock */
        cell_unlock(cell, word);
        return 0;
    }
    uint32_t total = (uint32_t)r->n_writes + r->n_reads;
    if (total + 1 > gl_side_capacity(r->cls)) {
        t->prune = total < PRUNE_ASKS ? GL_PRUNE_KNOWN : GL_PRUNE_ASK; /* room is made while it is copied */
        struct gl_side *more = total + 1 <= UINT16_MAX ? side_take(t, total + 1) : NULL;
        if (!more) {
            t->prune = GL_PRUNE_NOT;
            cell_unlock(cell, word);
            return GL_ACCESS_NOMEM;
        }
        gl_side_set_counts(more, r->n_writes, r->n_reads);
        more->rereads = 0;
        memcpy(more->entry, r->entry, total * sizeof *r->entry);
        side_give(t, r);
        r = more;
    }
    struct parts p = {.e = r->entry, .n_writes = r->n_writes, .n_reads = r->n_reads};
    uint32_t raced = transition(t, &p, n, race);
    t->prune = GL_PRUNE_NOT;
    if (as_word(t, cell, &p, &word)) {
        side_give(t, r);
        gl_count(t, GL_COUNT_cells_joined);
    } else {
        word = side_word(r, &p);
    }
    cell_unlock(cell, word);
    return (int)raced;
}

/* Spreads the reads of a record, with the cell locked; returns the record to be published, r or a larger one in its place. */
static struct gl_side *spread(struct gl_thread *t, struct gl_side *r)
{
    struct gl_spreads *s = &t->core->spreads;
    uint32_t slot[GL_SPREAD_THREADS], taken = 0;
    r->rereads = 0; /* if it cannot be now, it is tried again after as many */
    if (!t->core->env.fence || gl_load_relaxed(&s->off) || r->n_writes > GL_SPREAD_WRITES || r->n_reads > GL_SPREAD_THREADS)
        return r;
    for (uint32_t i = 0; i < r->n_writes; i++)
        if (r->entry[i].half & GL_HALF_ATOMIC)
            return r;
    for (uint32_t i = 0; i < r->n_reads; i++) {
        uint32_t half = r->entry[r->n_writes + i].half;
        slot[i] = gl_batch_of(&t->core->segments, gl_half_segment(half))->slot;
        if ((half & GL_HALF_ATOMIC) || slot[i] >= GL_SPREAD_THREADS || (taken & 1u << slot[i]))
            return r;
        taken |= 1u << slot[i];
    }
    uint32_t room = GL_SPREAD_WRITES + GL_SPREAD_THREADS + 1;
    if (gl_side_capacity(r->cls) < room) {
        struct gl_side *more = gl_side_alloc(&t->core->sides, room);
        if (!more)
            return r;
        gl_side_set_counts(more, r->n_writes, r->n_reads);
        more->rereads = 0;
        memcpy(more->entry, r->entry, (r->n_writes + (uint32_t)r->n_reads) * sizeof *r->entry);
        side_give(t, r);
        r = more;
    }
    if (gl_spread_make(s, r, slot))
        gl_count(t, GL_COUNT_spread);
    return r;
}

static inline bool is_own(const struct gl_thread *t, uint32_t half)
{
    return gl_batch_of(&t->core->segments, gl_half_segment(half))->slot == t->slot;
}

bool gl_access_reread(struct gl_thread *t, struct gl_cell cell, uint64_t word, uint32_t mine, uint32_t site)
{
    if (word >> 32 != GL_CELL_SIDE)
        return false;
    struct gl_side *r = gl_side_at(&t->core->sides, gl_cell_side(word));
    if (gl_load_relaxed(&r->spread)) /* relaxed: looked at again, in there or under the lock */
        return gl_spread_read(&t->core->spreads, r, cell, word, t->slot, mine, site);
    if (!gl_cas_acquire(cell.word, &word, GL_CELL_LOCKED)) /* acquire: pairs with cell_unlock() */
        return false;
    uint32_t writes = r->n_writes, total = writes + r->n_reads, found = total;
    bool fits = !gl_load_relaxed(&r->spread) && writes_before(t, r, 0xF); /* under the cell's lock */
    struct gl_reread *last = &t->reread[(uintptr_t)cell.word / sizeof *cell.word % GL_REREADS];
    uint64_t accesses = t->count[GL_COUNT_reads] + t->count[GL_COUNT_writes];
    uint32_t from = writes, until = total;
    if (last->word == cell.word && last->accesses == accesses && last->at >= writes && last->at < total && is_own(t, r->entry[last->at].half))
        until = (from = last->at) + 1; /* there is no other */
    for (uint32_t i = from; i < until && fits; i++) {
        uint32_t half = r->entry[i].half;
        if (is_own(t, half)) {
            fits = found == total && !(half & GL_HALF_ATOMIC) && !(half & ~mine & 0xF);
            found = i;
        }
    }
    if (fits && found < total) {
        *last = (struct gl_reread){cell.word, accesses, found};
        r->entry[found] = (struct gl_entry){mine, site}; /* what it was is of the thread's own past: covered */
        if (++r->rereads >= GL_SPREAD_AFTER || t->core->spreads.at_once) {
            r = spread(t, r);
            word = (uint64_t)GL_CELL_SIDE << 32 | (uint32_t)r->self << 4;
        }
    }
    cell_unlock(cell, word);
    return fits && found < total;
}

int gl_access(struct gl_thread *t, struct gl_cell cell, uint32_t mask, unsigned kind, uint32_t site,
              struct gl_race *race)
{
    gl_count(t, kind & GL_ACCESS_WRITE ? GL_COUNT_writes : GL_COUNT_reads);
    if (!t->segment && !gl_segment_begin(t))
        return GL_ACCESS_NOMEM;
    if (!(kind & GL_ACCESS_ATOMIC) && gl_access_quick(t, cell, mask, kind & GL_ACCESS_WRITE, site)) {
        gl_count(t, GL_COUNT_quick);
        return 0;
    }
    struct access n = {.half = gl_half(t->segment, kind & GL_ACCESS_ATOMIC, mask),
                       .mask = mask,
                       .site = site,
                       .write = (kind & GL_ACCESS_WRITE) != 0,
                       .atomic = (kind & GL_ACCESS_ATOMIC) != 0};
    uint64_t word = cell_lock(cell, &t->core->env);
    int raced = word >> 32 == GL_CELL_SIDE ? access_side(t, cell, word, &n, race) : access_word(t, cell, word, &n, race);
    if (raced > 0) {
        gl_count(t, GL_COUNT_rule_race);
        if (race) {
            race->now.thread = t->uid;
            race->now.site = site;
            race->now_segment = t->segment;
            race->now.write = n.write;
            race->now.atomic = n.atomic;
        }
    }
    return raced;
}

/* Takes the bytes `mask` out of every entry. */
static void forget(struct parts *p, uint32_t mask)
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
    uint32_t count = take_apart(core, *half, *site, e), n = 0;
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
    uint64_t word = cell_lock(cell, &core->env);
    if (word >> 32 == GL_CELL_SIDE) {
        struct gl_side *r = gl_side_at(&core->sides, gl_cell_side(word));
        if (gl_load_relaxed(&r->spread)) /* under the cell's lock */
            gl_spread_gather(&core->spreads, r);
        struct parts p = {.e = r->entry, .n_writes = r->n_writes, .n_reads = r->n_reads};
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
    cell_unlock(cell, word);
}
