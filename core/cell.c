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
#include "core/parts.h"
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

/* must: a race depends on it, else room. */
static inline bool before(struct gl_thread *t, uint32_t id, bool must)
{
    if (must || t->prune == GL_PRUNE_NOT || t->prune == GL_PRUNE_ASK)
        return gl_before(t, id);
    return t->prune == GL_PRUNE_ROW ? gl_before_by_row(t, id) : gl_before_known(t, id);
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
    bool ordered = same || before(t, gl_half_segment(e_half), conflict);
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

/* Adds the access for the bytes `mask`, which no access of its segment has, if there is room. */
static inline void add(struct gl_thread *t, struct gl_parts *p, const struct access *n, uint32_t mask)
{
    p->changed = true;
    uint32_t total = p->n_writes + p->n_reads;
    if (merge(t, n->write ? p->e : p->e + p->n_writes, n->write ? p->n_writes : p->n_reads, n, mask))
        return;
    if (p->room && total >= p->room) {
        p->lost = true;
        return;
    }
    struct gl_entry fresh = {.half = (n->half & ~0xFu) | mask, .site = n->site};
    if (n->write) { /* make room at the end of the writes */
        p->e[total] = p->e[p->n_writes];
        p->e[p->n_writes++] = fresh;
    } else {
        p->e[total] = fresh;
        p->n_reads++;
    }
}

/* The transition on a cell taken apart.  e has room for one more entry, unless p->room says how much it has. */
static uint32_t transition(struct gl_thread *t, struct gl_parts *p, const struct access *n, struct gl_race *race)
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
    if (n->mask & ~taken)
        add(t, p, n, n->mask & ~taken);
    return raced;
}

/* A word with at most two entries, or groups of them. */
static int access_word(struct gl_thread *t, struct gl_cell cell, uint64_t word, const struct access *n,
                       struct gl_race *race)
{
    struct gl_entry e[GL_PARTS];
    struct gl_parts p = {.e = e};
    uint64_t sites = gl_load_relaxed(cell.sites), next; /* under the cell's lock */
    p.n_writes = gl_parts_of(t->core, (uint32_t)(word >> 32), (uint32_t)(sites >> 32), e);
    p.n_reads = gl_parts_of(t->core, (uint32_t)word, (uint32_t)sites, e + p.n_writes);
    if (!word)
        gl_count(t, GL_COUNT_rule_fresh);
    uint32_t raced = transition(t, &p, n, race);
    if (!p.changed) {
        gl_cell_unlock(cell, word);
        return (int)raced;
    }
    bool kept = gl_parts_word(t, cell, &p, &next);
    if (kept && next >> 32 != GL_CELL_SIDE && !raced)
        gl_step_keep(t, n->half, n->write, word, next);
    gl_cell_unlock(cell, kept ? next : word);
    return kept ? (int)raced : GL_ACCESS_NOMEM; /* not recorded: a race may be missed; the caller counts it */
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

/* A plain read of a spread record, with the cell locked, goes to the thread's own line.  False: nothing was done. */
static bool put_read(struct gl_thread *t, struct gl_side *r, uint32_t mine, uint32_t site)
{
    struct gl_spreads *s = &t->core->spreads;
    bool fits = gl_spread_has(s, r, t->slot) && writes_before(t, r, mine & 0xF);
    if (fits)
        gl_spread_put(s, r, t->slot, mine, site);
    return fits;
}

/* A spread record, with the cell locked: a read may go to the thread's own line (true: it is done); else the reads are gathered.  If the thread
 * has no line, they are spread over more before long. */
static bool access_spread(struct gl_thread *t, struct gl_side *r, const struct access *n)
{
    struct gl_spreads *s = &t->core->spreads;
    if (!n->write && !n->atomic && put_read(t, r, n->half, n->site))
        return true;
    gl_spread_gather(s, r);
    gl_count(t, GL_COUNT_gathered);
    return false;
}

/* With many threads a record of fewer accesses grows rather than that the column is asked which could go: it holds one read of
 * each slot at most, and a question may take long. */
#define PRUNE_ASKS 32768u

/* With many threads, whose sinks tell no hints, they are asked about while they are few, too: each time that they are 6, 14, 30, 62 or 126,
 * whatever room there is.  Where threads take turns by other means than a mutex (an interpreter's global lock), all but the last can go:
 * else each thread there ever was would leave a read, and each access look at all of them.  With more threads than these the columns that
 * answer take too much memory; and where all synchronization is told by one caller (env->fence is NULL: traces) so much of it lies between
 * two questions that they cost more than they save. */
#define PRUNE_ASKS_FEW 126u
#define PRUNE_ASKS_THREADS 1024u

/* With still more threads, and as many accesses as these, the thread's row of the columns answers (gl_row_says()). */
#define ROW_PAYS 510u

static bool row_pays(const struct gl_thread *t, uint32_t total)
{
    const struct gl_core *core = t->core;
    return total >= (core->env.fence ? ROW_PAYS : PRUNE_ASKS) && gl_load_relaxed(&core->slots) > PRUNE_ASKS_THREADS; /* relaxed: as below */
}

static uint8_t prune_at(struct gl_thread *t, uint32_t total, bool full)
{
    const struct gl_core *core = t->core;
    uint32_t slots = gl_load_relaxed(&core->slots); /* relaxed: thrift, no duty */
    bool many = core->env.fence && slots > core->many && slots <= PRUNE_ASKS_THREADS;
    if (many && total >= 6 && total <= PRUNE_ASKS_FEW && !(total & (total + 2)))
        return GL_PRUNE_ASK;
    if (!full)
        return GL_PRUNE_NOT;
    if (total >= PRUNE_ASKS)
        return GL_PRUNE_ASK;
    return row_pays(t, total) ? GL_PRUNE_ROW : GL_PRUNE_KNOWN;
}

/* With so many slots that reads cannot be spread, and so many reads, only the newest are looked through for the thread's own: else each thread
 * that there ever was would make the next one's look longer.  It may have several then, until the record is full (gl_side_thin()). */
static bool plenty(const struct gl_core *core, const struct gl_side *r)
{
    return r->n_reads > core->plenty_reads && gl_load_relaxed(&core->slots) > core->plenty_slots; /* relaxed, may be stale: sooner or later */
}

/* Spreads the reads of a record, with the cell locked; returns the record to be published, r or a larger one in its place. */
static struct gl_side *spread(struct gl_thread *t, struct gl_side *r)
{
    struct gl_core *core = t->core;
    uint32_t size = gl_spread_size(gl_load_relaxed(&core->slots)); /* relaxed, may be stale: who has no line comes before long */
    r->rereads = 0; /* if it cannot be now, it is tried again after as many */
    if (plenty(core, r) && gl_load_relaxed(&core->slots) <= GL_SPREAD_THREADS_MOST) /* relaxed, as above.  A test's, which has such records before: a slot may have several reads */
        gl_side_thin(core, r);
    if (r->n_writes > GL_SPREAD_WRITES || r->n_reads > GL_SPREAD_READS * size)
        return r;
    for (uint32_t i = 0; i < r->n_writes; i++)
        if (r->entry[i].half & GL_HALF_ATOMIC)
            return r;
    uint32_t number = gl_spread_make(&core->spreads, r, &core->segments, size), room = gl_spread_room(size);
    if (!number)
        return r;
    if (gl_side_capacity(r->cls) < room) {
        struct gl_side *more = gl_side_alloc(&core->sides, room);
        if (!more) {
            gl_spread_drop(&core->spreads, number);
            return r;
        }
        gl_side_set_counts(more, r->n_writes, 0);
        more->rereads = 0;
        memcpy(more->entry, r->entry, r->n_writes * sizeof *r->entry);
        gl_parts_side_done(t, r);
        r = more;
    }
    gl_spread_set(r, number);
    gl_count(t, GL_COUNT_spread);
    return r;
}

/* After a plain read: should the record's reads be spread?  Without a fence (one caller, mostly) gathering them is cheap, and it pays the
 * sooner the more there are; but not to try it in vain. */
static bool spread_pays(const struct gl_core *core, struct gl_side *r)
{
    const struct gl_entry *read = r->entry + r->n_writes;
    uint32_t reads = r->n_reads;
    if (reads <= GL_GROUP_MAX)
        return false;
    r->rereads += (uint16_t)(core->env.fence ? 1 : 1 + reads / 8);
    if (r->rereads < GL_SPREAD_AFTER && !core->spreads.at_once)
        return false;
    for (uint32_t i = 1; i < reads && !core->env.fence; i++)
        if (read[i].half & GL_HALF_ATOMIC) {
            r->rereads = 0;
            return false;
        }
    return true;
}

/* A record that cannot grow is thinned out, and asked about, when it has become full; if that was in vain, once in so many accesses for which there is
 * no room. */
#define THIN_AFTER 4096u

static bool thin_pays(struct gl_side *r)
{
    return r->cls < GL_SIDE_CLASSES - 1 || !r->full || r->rereads++ % THIN_AFTER == 0;
}

static int access_side(struct gl_thread *t, struct gl_cell cell, uint64_t word, const struct access *n,
                       struct gl_race *race)
{
    struct gl_sides *sides = &t->core->sides;
    struct gl_side *r = gl_side_at(sides, gl_cell_side(word));
    if (gl_load_relaxed(&r->spread) && access_spread(t, r, n)) { /* under the cell's lock */
        gl_cell_unlock(cell, word);
        return 0;
    }
    uint32_t total = (uint32_t)r->n_writes + r->n_reads, room = gl_side_capacity(r->cls);
    bool full = total >= room, thin = full && thin_pays(r);
    if (full && !thin && !n->write && writes_before(t, r, n->mask)) {
        gl_cell_unlock(cell, word); /* it races with nothing, and is not recorded */
        return GL_ACCESS_NOMEM;
    }
    bool scarce = false; /* thinning out made little room: those that are ordered before go, too */
    if (thin) {
        total = gl_side_thin(t->core, r);
        full = total >= room;
        scarce = total + room / 8 >= room;
    }
    t->prune = full && !thin ? GL_PRUNE_NOT : prune_at(t, total, scarce);
    t->row = row_pays(t, total);
    struct gl_side *more = full ? gl_parts_side(t, total + 1) : NULL;
    if (more) { /* room is made while it is copied */
        gl_side_set_counts(more, r->n_writes, r->n_reads);
        more->rereads = 0;
        memcpy(more->entry, r->entry, total * sizeof *r->entry);
        gl_parts_side_done(t, r);
        r = more;
    }
    struct gl_parts p = {.e = r->entry, .n_writes = r->n_writes, .n_reads = r->n_reads, .room = gl_side_capacity(r->cls)};
    gl_side_changes(r);
    uint32_t raced = transition(t, &p, n, race);
    t->prune = GL_PRUNE_NOT;
    t->row = false;
    r->full = (thin || r->full) && p.n_writes + p.n_reads >= p.room;
    word = gl_parts_word_of_side(t, cell, r, &p);
    if (!n->write && !n->atomic && !raced && word >> 32 == GL_CELL_SIDE && spread_pays(t->core, r))
        word = (uint64_t)GL_CELL_SIDE << 32 | (uint32_t)spread(t, r)->self << 4;
    gl_cell_unlock(cell, word);
    return raced || !p.lost ? (int)raced : GL_ACCESS_NOMEM;
}

/* The first read from entry i on that is the thread's own; `end`: none.  Most often it is of the present batch of ids. */
static uint32_t own_read(const struct gl_thread *t, const struct gl_side *r, uint32_t i, uint32_t end)
{
    for (uint32_t k = i; k < end; k++)
        if (gl_is_own(t, gl_half_segment(r->entry[k].half)))
            return k;
    while (i < end && !gl_half_is_own(t, r->entry[i].half))
        i++;
    return i;
}

/* A plain read among more than a group's, which meets plain writes only, all ordered before: goes to the place of an older one of the thread's, of no
 * more bytes, or to the end if there is none: else a record would grow with the trace. */
static bool read_among(struct gl_thread *t, struct gl_cell cell, struct gl_side *r, uint32_t mine, uint32_t site)
{
    uint32_t i = r->n_writes, end = i + r->n_reads;
    if (r->n_reads <= GL_GROUP_MAX || !writes_before(t, r, mine & 0xF))
        return false;
    for (uint32_t k = 0; k < i; k++)
        if ((r->entry[k].half ^ mine) <= 0xF)
            return false; /* which may cover the read */
    i = own_read(t, r, i, end);
    uint32_t old = i < end ? r->entry[i].half : 0;
    if (i == end ? end >= gl_side_capacity(r->cls) : (old & GL_HALF_ATOMIC) || (old & ~mine & 0xF))
        return false;
    if (old == mine) /* in this segment */
        return true;
    r->entry[i] = (struct gl_entry){mine, site};
    gl_side_set_counts(r, r->n_writes, r->n_reads + (i == end));
    gl_store_relaxed(cell.sites, 0); /* relaxed, here and below: nobody else is there.  As in_side() */
    if (spread_pays(t->core, r))
        gl_store_relaxed(cell.word, (uint64_t)GL_CELL_SIDE << 32 | (uint32_t)spread(t, r)->self << 4);
    return true;
}

bool gl_access_read_alone(struct gl_thread *t, struct gl_cell cell, uint32_t mine, uint32_t site)
{
    uint64_t word = gl_load_relaxed(cell.word); /* relaxed, twice: nobody else is there */
    if (word >> 32 != GL_CELL_SIDE)
        return false;
    struct gl_side *r = gl_side_at(&t->core->sides, gl_cell_side(word));
    return gl_load_relaxed(&r->spread) ? put_read(t, r, mine, site) : read_among(t, cell, r, mine, site);
}

/* Is entry i of the record a plain read by this thread of no other bytes? */
static bool is_reread(const struct gl_thread *t, const struct gl_side *r, uint32_t i, uint32_t mine)
{
    uint32_t half = r->entry[i].half;
    return !(half & (GL_HALF_ATOMIC | (~mine & 0xF))) && (half & mine & 0xF) && gl_half_is_own(t, half);
}

/* Where the thread's read goes among plenty, all writes being ordered before: the entry of an older one, or the next free one; `full`: there is none, or
 * it is not so simple. */
static uint32_t place_among_plenty(const struct gl_thread *t, const struct gl_side *r, const struct gl_reread *last, uint32_t mine, uint32_t full)
{
    uint32_t total = (uint32_t)r->n_writes + r->n_reads;
    for (uint32_t i = 0; i < r->n_writes; i++)
        if ((r->entry[i].half ^ mine) <= 0xF)
            return full; /* it may cover the read */
    if (last->at >= r->n_writes && last->at < total && is_reread(t, r, last->at, mine))
        return last->at;
    for (uint32_t i = total; i-- > total - t->core->plenty_look;)
        if (is_reread(t, r, i, mine))
            return i;
    return total < gl_side_capacity(r->cls) ? total : full;
}

/* gl_access_reread() of a record with plenty of reads, whose cell is locked. */
static bool reread_plenty(struct gl_thread *t, struct gl_cell cell, struct gl_side *r, struct gl_reread *last, uint32_t mine, uint32_t site)
{
    uint32_t total = (uint32_t)r->n_writes + r->n_reads, none = UINT32_MAX, at = place_among_plenty(t, r, last, mine, none);
    if (at == none)
        return false;
    last->word = cell.word;
    last->at = at;
    gl_store_relaxed(cell.sites, 0); /* as in_side() */
    r->entry[at] = (struct gl_entry){mine, site};
    if (at == total)
        gl_side_set_counts(r, r->n_writes, r->n_reads + 1u);
    return true;
}

bool gl_access_reread(struct gl_thread *t, struct gl_cell cell, uint64_t word, uint32_t mine, uint32_t site)
{
    if (word >> 32 != GL_CELL_SIDE)
        return false;
    struct gl_side *r = gl_side_at(&t->core->sides, gl_cell_side(word));
    if (t->core->env.fence && gl_load_relaxed(&r->spread)) /* relaxed: looked at again, in there or under the lock */
        return gl_spread_read(&t->core->spreads, r, cell, word, t->slot, mine, site);
    if (!gl_cas_acquire(cell.word, &word, GL_CELL_LOCKED)) /* acquire: pairs with gl_cell_unlock() */
        return false;
    if (gl_load_relaxed(&r->spread)) { /* under the cell's lock: there is no fence, or it was spread since the look above */
        bool done = put_read(t, r, mine, site);
        gl_cell_unlock(cell, word);
        return done;
    }
    uint32_t writes = r->n_writes, total = writes + r->n_reads, found = total;
    bool fits = writes_before(t, r, mine & 0xF);
    struct gl_reread *last = &t->reread[(uintptr_t)cell.word / sizeof *cell.word % GL_REREADS];
    if (__builtin_expect(plenty(t->core, r), 0)) {
        fits = fits && reread_plenty(t, cell, r, last, mine, site);
        gl_cell_unlock(cell, word);
        return fits;
    }
    uint64_t accesses = t->count[GL_COUNT_reads] + t->count[GL_COUNT_writes];
    uint32_t from = writes, until = total;
    if (last->word == cell.word && last->accesses == accesses && last->at >= writes && last->at < total &&
        !((r->entry[last->at].half ^ mine) & (GL_HALF_ATOMIC | 0xF)) && gl_half_is_own(t, r->entry[last->at].half))
        until = (from = last->at) + 1; /* there is no other of these bytes */
    for (uint32_t i = from; i < until && fits; i++) {
        uint32_t half = r->entry[i].half;
        if ((half & mine & 0xF) && gl_half_is_own(t, half)) {
            fits = found == total && !(half & GL_HALF_ATOMIC) && !(half & ~mine & 0xF);
            found = i;
        }
    }
    if (fits && found < total) {
        *last = (struct gl_reread){cell.word, accesses, found};
        gl_store_relaxed(cell.sites, 0);                 /* as in_side() */
        r->entry[found] = (struct gl_entry){mine, site}; /* what it was is of the thread's own past: covered */
        if (++r->rereads >= GL_SPREAD_AFTER || t->core->spreads.at_once) {
            r = spread(t, r);
            word = (uint64_t)GL_CELL_SIDE << 32 | (uint32_t)r->self << 4;
        }
    }
    gl_cell_unlock(cell, word);
    return fits && found < total;
}

int gl_access_apart(struct gl_thread *t, struct gl_cell cell, uint32_t mask, unsigned kind, uint32_t site,
                    struct gl_race *race)
{
    struct access n = {.half = gl_half(t->segment, kind & GL_ACCESS_ATOMIC, mask),
                       .mask = mask,
                       .site = site,
                       .write = (kind & GL_ACCESS_WRITE) != 0,
                       .atomic = (kind & GL_ACCESS_ATOMIC) != 0};
    uint64_t word = gl_cell_lock(cell, &t->core->env);
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

int gl_access(struct gl_thread *t, struct gl_cell cell, uint32_t mask, unsigned kind, uint32_t site,
              struct gl_race *race)
{
    gl_count(t, kind & GL_ACCESS_WRITE ? GL_COUNT_writes : GL_COUNT_reads);
    if (!t->segment && !gl_segment_begin(t))
        return GL_ACCESS_NOMEM;
    if (kind & GL_ACCESS_ATOMIC ? gl_access_atomic(t, cell, mask, kind & GL_ACCESS_WRITE, site)
                                : gl_access_quick(t, cell, mask, kind & GL_ACCESS_WRITE, site)) {
        gl_count(t, GL_COUNT_quick);
        return 0;
    }
    return gl_access_apart(t, cell, mask, kind, site, race);
}
