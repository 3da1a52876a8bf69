/* SPDX-License-Identifier: Apache-2.0
 *
 * Checked accesses behind the filter: single ones (ranges: range.c).
 */
#include "core/cell_inl.h"
#include "native/access_inl.h"
#include "native/near.h"
#include "native/owner.h"
#include "native/record.h"
#include "native/sample.h"

/* Also when it is a group that the filter did not know: it will. */
static inline bool half_seen(uint32_t h, uint32_t mask, uint32_t key)
{
    if (!gl_half_is_group(h) || h >= GL_CELL_LOCKED >> 32)
        return rt_half_hit(h, key, mask);
    uint32_t mine = key ? gl_group_member(rt.lists, h, key) : 0;
    if (mine)
        rt_tls.member[(h >> GL_HALF_SHIFT) % RT_MEMBERS] = (struct rt_member){.group = h, .mine = mine};
    return mine && rt_half_hit(mine, key, mask);
}

static inline bool cell_seen(uintptr_t at, uint32_t mask, bool write, uint32_t key)
{
    uint64_t w = gl_load_acquire(rt_cell_word(at)); /* acquire: pairs with gl_cell_unlock() */
    if (w >> 32 == GL_CELL_SIDE)
        return key && gl_side_hit(rt.sides, rt_cell_word(at), w, key, mask, write);
    return half_seen((uint32_t)(w >> 32), mask, key) || (!write && half_seen((uint32_t)w, mask, key));
}

bool rt_group_seen(uint64_t word, uint32_t mine, bool write)
{
    uint32_t w = (uint32_t)(word >> 32), r = (uint32_t)word;
    return (gl_half_is_group(w) && half_seen(w, mine & 0xF, mine & ~0xFu)) || (!write && gl_half_is_group(r) && half_seen(r, mine & 0xF, mine & ~0xFu));
}

bool rt_cell_seen(uintptr_t at, uint32_t mask, bool write, uint32_t key) { return cell_seen(at, mask, write, key); }

/* The cells of an access that was found in side records often enough, see gl_cell_fold(). */
static void fold(struct rt_thread *t, uintptr_t a, unsigned size)
{
    rt_tls.beside = 0;
    rt_enter_always();
    if (RT_UNLIKELY(rt_tls.tag <= RT_NO_TAG))
        rt_owner_tag();
    for (uintptr_t at = a & ~3ul; at < a + size; at += 4) {
        (void)rt_section_begin(at);
        gl_cell_fold(t->core, rt_cell(at));
        rt_section_end();
    }
    rt_leave();
}

/* The segment of a thread that may be cancelled anywhere, which the filter does not know; 0: none, or all accesses are to be recorded. */
static uint32_t hidden_key(void)
{
    bool all = rt.recording && rt.options.record_accesses == RT_RECORD_ALL;
    return rt_tls.async_cancel && !all ? __atomic_load_n(&rt_tls.hidden_key, __ATOMIC_ACQUIRE) : 0; /* acquire: as in rt_filter_key() */
}

static bool all_seen(struct rt_thread *t, uintptr_t a, unsigned size, bool write, uint32_t key)
{
    for (uintptr_t at = a; at < a + size;) {
        uint32_t first = at & 3, n = 4 - first;
        if (n > a + size - at)
            n = (uint32_t)(a + size - at);
        if (!cell_seen(at, ((1u << n) - 1) << first, write, key))
            return false;
        at += n;
    }
    t->core->count[GL_COUNT_seen_beside]++;
    return true;
}

void rt_access_inside(struct rt_thread *t, uintptr_t a, unsigned size, unsigned kind, uintptr_t pc,
                      struct rt_findings *f)
{
    f->n = 0;
    if (RT_UNLIKELY(!rt_address_ok(a))) {
        rt_count(RT_COUNT_access_outside);
        return;
    }
    uint32_t site = rt_site(t, pc, rt_width_of(size));
    bool plain = !(kind & GL_ACCESS_ATOMIC);
    if (RT_UNLIKELY(rt.recording) && plain)
        rt_record_access(t, a, size, kind & GL_ACCESS_WRITE, site);
    (void)rt_section_begin(a);
    for (uintptr_t at = a; at < a + size;) {
        if (at != a && at % RT_PAGE == 0) {
            rt_section_end();
            (void)rt_section_begin(at);
        }
        if (RT_UNLIKELY(!rt_sampled(at))) { /* the end or the beginning of one that reaches into a line that is */
            at = rt_sample_next(at);
            continue;
        }
        if (at % 8 == 0 && a + size - at >= 8 &&
            (plain ? gl_access_quick_pair(t->core, rt_cell(at), kind & GL_ACCESS_WRITE, site)
                   : gl_access_atomic_pair(t->core, rt_cell(at), kind & GL_ACCESS_WRITE, site))) {
            t->core->count[GL_COUNT_quick_pair]++;
            at += 8;
            continue;
        }
        uint32_t first = at & 3, n = 4 - first;
        if (n > a + size - at)
            n = (uint32_t)(a + size - at);
        uint32_t mask = ((1u << n) - 1) << first;
        struct gl_race race;
        int raced = plain && cell_seen(at, mask, kind & GL_ACCESS_WRITE, rt_tls.key)
                        ? 0
                        : rt_access_cell(t, at, mask, kind, site, &race);
        if (RT_UNLIKELY(raced < 0)) {
            rt_count(RT_COUNT_access_no_memory);
        } else if (RT_UNLIKELY(raced > 0)) {
            /* One for each earlier place: a wide access may race with several. */
            struct rt_finding *last = f->n ? &f->found[f->n - 1] : NULL;
            if (!last || last->race.then.site != race.then.site)
                f->found[f->n++] = (struct rt_finding){
                    .addr = a, .size = size, .word = at & ~3ul, .site = site, .race = race};
            f->found[f->n - 1].bytes |= (uint64_t)((uint32_t)raced >> first) << (at - a);
        }
        at += n;
    }
    rt_section_end();
}

/* False: there is no key, because the segment cannot be begun, or because it is hidden (rt_show_key()); then the segment may
 * have begun long ago, and each one begun in the same epoch would cost a batch of ids. */
static bool begin_segment(struct rt_thread *t)
{
    if (t->core->segment)
        return false;
    rt_enter_always();
    bool begun = gl_segment_begin(t->core);
    rt_leave();
    return begun && rt_tls.key;
}

static void miss(uintptr_t a, unsigned size, bool write, uintptr_t pc)
{
    switch (size) {
    case 1:
        return write ? rt_miss_write1(a, pc) : rt_miss_read1(a, pc);
    case 2:
        return write ? rt_miss_write2(a, pc) : rt_miss_read2(a, pc);
    case 4:
        return write ? rt_miss_write4(a, pc) : rt_miss_read4(a, pc);
    default:
        return write ? rt_miss_write8(a, pc) : rt_miss_read8(a, pc);
    }
}

/* What the tight path below cannot do. */
__attribute__((noinline)) void rt_access_slow(uintptr_t a, unsigned size, unsigned kind, uintptr_t pc)
{
    struct rt_thread *t = rt_tls.self;
    if (RT_UNLIKELY(!t || rt_tls.depth || rt_tls.ignore_accesses)) {
        if (rt_tls.depth) {
            rt_count(RT_COUNT_access_in_runtime);
            return;
        }
        if (rt_tls.ignore_accesses)
            return;
        t = rt_enter();
        if (t)
            rt_leave();
        else
            return;
    }
    if (!rt_tls.key && size <= 8 && a % size == 0 && rt_address_ok(a) && begin_segment(t))
        return miss(a, size, kind & GL_ACCESS_WRITE,
                    pc); /* the first access of a segment may be as simple as the others */
    /* To look changes nothing that others see: it may end there. */
    uint32_t hidden = RT_UNLIKELY(rt_tls.async_cancel) ? hidden_key() : 0;
    if (hidden && rt_address_ok(a) && all_seen(t, a, size, kind & GL_ACCESS_WRITE, hidden))
        return;
    if (all_seen(t, a, size, kind & GL_ACCESS_WRITE, rt_filter_key())) {
        if (++rt_tls.beside >= GL_FOLD_AFTER)
            fold(t, a, size);
        return;
    }
    rt_enter_always();
    if (RT_UNLIKELY(rt_tls.tag <= RT_NO_TAG))
        rt_owner_tag();
    struct rt_findings f;
    rt_access_inside(t, a, size, kind, pc, &f);
    rt_tell(t, &f);
    rt_leave();
}

/* Ends the section and the stay that miss_at_hand() began. */
static inline void miss_end(struct rt_tls *tls, uintptr_t a, unsigned size, bool write, uintptr_t pc,
                            bool done)
{
    __atomic_store_n(&tls->inside, 0, __ATOMIC_RELEASE); /* pairs with revoke(), all_outside() */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (RT_UNLIKELY(__atomic_load_n(&tls->pending, __ATOMIC_RELAXED)))
        rt_deliver_pending();
    if (RT_UNLIKELY(!done))
        rt_access_slow(a, size, write ? GL_ACCESS_WRITE : GL_ACCESS_READ, pc);
}

/* What miss_at_hand() could not do on a page of the thread's own; site: 0: not known yet. */
static __attribute__((noinline)) void miss_owned(uintptr_t a, unsigned size, bool write, uintptr_t pc, uint32_t site)
{
    struct rt_tls *tls = &rt_tls;
    struct gl_thread *t = tls->engine;
    uint32_t key = tls->key;
    if (!site)
        site = rt_site(tls->self, pc, rt_width_of(size));
    bool done;
    if (size < 8)
        done = rt_access_own(t, a, key | ((1u << size) - 1) << (a & 3), write, site);
    else
        done =
            gl_access_alone_pair(t, rt_cell(a), key | 0xF, write, site) ||
            (rt_access_own(t, a, key | 0xF, write, site) && rt_access_own(t, a + 4, key | 0xF, write, site));
    miss_end(tls, a, size, write, pc, done);
}

#define MANY_READS 64u

/* One more access that was found in a side record; false: often enough, let rt_access_slow() find it once more. */
static inline bool not_often(struct rt_tls *tls)
{
    bool is = tls->beside + 1 < GL_FOLD_AFTER;
    tls->beside += is;
    return is;
}

/* One cell of data that many threads read: what its side record says. */
static inline bool reread(struct rt_tls *tls, uintptr_t a, uint32_t mask, uint32_t site)
{
    struct gl_cell cell = rt_cell(a);
    uint64_t word = gl_load_acquire(cell.word); /* acquire: pairs with gl_cell_unlock() */
    if (word >> 32 != GL_CELL_SIDE)
        return false;
    /* Among many, its own is found by where it was; that it is of this segment is seldom. */
    uint32_t reads = __atomic_load_n(&gl_side_at(rt.sides, gl_cell_side(word))->counts, __ATOMIC_RELAXED) >> 16; /* a guess */
    if (reads < MANY_READS && gl_side_hit(rt.sides, cell.word, word, tls->key, mask, false))
        return not_often(tls);
    return gl_access_reread(tls->engine, cell, word, tls->key | mask, site);
}

/* What it could not do, on another page.  Out of line for each kind of access, so that the way to shared data has no questions
 * about the size in it. */
static inline __attribute__((always_inline)) void miss_other(uintptr_t a, unsigned size, bool write,
                                                             uintptr_t pc)
{
    struct rt_tls *tls = &rt_tls;
    bool done = false;
    if (RT_LIKELY(gl_load_acquire(rt_owner(a)) == RT_OWNER_SHARED && /* acquire: as in rt_section_begin() */
                  __atomic_load_n(&tls->tag, __ATOMIC_RELAXED) >
                      RT_NO_TAG)) { /* else rt.forking needs a look */
        uint32_t site = rt_site_known(tls, pc, rt_width_of(size));
        if (RT_UNLIKELY(!site))
            site = rt_site(tls->self, pc, rt_width_of(size));
        struct gl_cell cell = rt_cell(a);
        uint32_t mask = size >= 4 ? 0xF : ((1u << size) - 1) << (a & 3);
        if (!write && gl_load_relaxed(cell.word) >> 32 == GL_CELL_SIDE) /* a guess which way it goes */
            done = reread(tls, a, mask, site) && (size < 8 || reread(tls, a + 4, mask, site));
        else
            done = size == 8 ? gl_access_quick_pair(tls->engine, cell, write, site)
                             : gl_access_quick(tls->engine, cell, mask, write, site);
        if (!done && size < 8) { /* bytes of a word, most often */
            done = gl_access_parts(tls->engine, cell, tls->key | mask, write, site);
            rt_mark_side(a);
        }
    } else if (!write) { /* another thread's page, of whose data this one has read some before: it may read them again and again */
        uint32_t mask = size >= 4 ? 0xF : ((1u << size) - 1) << (a & 3);
        done = cell_seen(a, mask, false, tls->key) && (size < 8 || cell_seen(a + 4, mask, false, tls->key)) && not_often(tls);
        tls->engine->count[GL_COUNT_seen_beside] += done;
    }
    miss_end(tls, a, size, write, pc, done);
}
#define OTHER(name, size, write)                                                                             \
    static __attribute__((noinline)) void name(uintptr_t a, uintptr_t pc) { miss_other(a, size, write, pc); }
OTHER(other_read1, 1, false)
OTHER(other_read2, 2, false)
OTHER(other_read4, 4, false)
OTHER(other_read8, 8, false)
OTHER(other_write1, 1, true)
OTHER(other_write2, 2, true)
OTHER(other_write4, 4, true)
OTHER(other_write8, 8, true)

/* The bytes of an access, from the first of its first cell on. */
static inline uint32_t span_bytes(uintptr_t a, unsigned size) { return ((1u << size) - 1) << (a & 3); }

static inline __attribute__((always_inline)) bool span_own(struct rt_tls *tls, uintptr_t a, unsigned size,
                                                           bool write, uint32_t site)
{
    uint32_t key = tls->key;
    struct gl_thread *t = tls->engine;
    for (uint32_t bytes = span_bytes(a, size); bytes; a += 4, bytes >>= 4)
        if (!rt_cell_at_hand(t, a, key, bytes & 0xF, write, site) &&
            RT_UNLIKELY(!rt_access_own(t, a, key | (bytes & 0xF), write, site)))
            return false;
    return true;
}

static inline bool span_shared(struct rt_tls *tls, uintptr_t a, unsigned size, bool write, uint32_t site)
{
    for (uint32_t bytes = span_bytes(a, size); bytes; a += 4, bytes >>= 4)
        if (!rt_cell_hit(a, bytes & 0xF, write, tls->key) &&
            !gl_access_quick(tls->engine, rt_cell(a), bytes & 0xF, write, site))
            return false;
    return true;
}

/* An access that is not aligned, of at most 8 bytes in one page: cell by cell. */
static inline __attribute__((always_inline)) void miss_span(uintptr_t a, unsigned size, bool write,
                                                            uintptr_t pc)
{
    struct rt_tls *tls = &rt_tls;
    if (RT_UNLIKELY(!tls->key || tls->depth)) /* as in miss_at_hand() */
        return rt_access_slow(a, size, write ? GL_ACCESS_WRITE : GL_ACCESS_READ, pc);
    __atomic_store_n(&tls->inside, 1ull << 32 | 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* pairs with the membarrier of revoke() */
    uint32_t tag = __atomic_load_n(&tls->tag, __ATOMIC_RELAXED),
             owner = gl_load_acquire(rt_owner(a)); /* acquire: as in
                                                                                                      * rt_section_begin() */
    bool own = rt_owner_is(owner, tag), done = tls->key && (own || (owner == RT_OWNER_SHARED && tag > RT_NO_TAG)); /* key: as in miss_at_hand() */
    if (RT_LIKELY(done)) {
        uint32_t site = rt_site_known(tls, pc, rt_width_of(size));
        if (RT_UNLIKELY(!site))
            site = rt_site(tls->self, pc, rt_width_of(size));
        done = own ? span_own(tls, a, size, write, site) : span_shared(tls, a, size, write, site);
    }
    miss_end(tls, a, size, write, pc, done);
}
static __attribute__((noinline)) void miss_span_read(uintptr_t a, unsigned size, uintptr_t pc)
{
    miss_span(a, size, false, pc);
}
static __attribute__((noinline)) void miss_span_write(uintptr_t a, unsigned size, uintptr_t pc)
{
    miss_span(a, size, true, pc);
}

/* The filter for one cell, without groups. */
static inline __attribute__((always_inline)) bool plain_hit(uintptr_t cell, uint32_t mask, bool write,
                                                            uint32_t key)
{
    uint64_t word = gl_load_relaxed((const _Atomic uint64_t *)cell); /* relaxed: as in rt_cell_hit() */
    return rt_half_hit((uint32_t)(word >> 32), key, mask) ||
           (!write && rt_half_hit((uint32_t)word, key, mask));
}

/* The same for an access of 2, 4 or 8 bytes that is not aligned: two or three cells, or one.  size, write: constants. */
static inline __attribute__((always_inline)) bool span_hit(uintptr_t a, unsigned size, bool write)
{
    uint32_t key = rt_filter_key(), first = a & 3, bytes = size == 2 ? 3u << first : 0xFu << first;
    uintptr_t cell = rt_cell_at(a);
    if (!plain_hit(cell, bytes & 0xF, write, key))
        return false;
    uint32_t mask = size == 8 ? 0xF : bytes >> 4;
    if ((mask || size != 2) &&
        !plain_hit(cell + (a & 4 ? 24 : 8), mask, write, key)) /* cells lie in pairs: rt_cell_at() */
        return false;
    return size != 8 || plain_hit(cell + 32, bytes >> 4, write, key);
}

/* What span_hit() did not find, or did not ask. */
static __attribute__((noinline)) void odd_miss(uintptr_t a, unsigned size, bool write, uintptr_t pc)
{
    if (RT_UNLIKELY(!rt_sampled(a) || !rt_sampled(a + size - 1))) {
        if (rt_sampled(a) || rt_sampled(a + size - 1)) /* cell by cell: a part of it is not chosen */
            rt_access_slow(a, size, write ? GL_ACCESS_WRITE : GL_ACCESS_READ, pc);
        return;
    }
    if (size == 16 && rt_range_short(a, 16, write, pc, RT_WIDTH_16))
        return;
    if (RT_LIKELY(size <= 8 && (a & RT_PAGE_MASK) + size <= RT_PAGE && rt_address_ok(a)))
        write ? miss_span_write(a, size, pc) : miss_span_read(a, size, pc);
    else if (!rt_filter(a, size, write))
        rt_access_slow(a, size, write ? GL_ACCESS_WRITE : GL_ACCESS_READ, pc);
}

RT_NEAR __attribute__((noinline)) void rt_access_odd(uintptr_t a, unsigned size, bool write, uintptr_t pc)
{
    bool hit = false;
    if (size == 8)
        hit = write ? span_hit(a, 8, true) : span_hit(a, 8, false);
    else if (size == 4)
        hit = write ? span_hit(a, 4, true) : span_hit(a, 4, false);
    else if (size == 2)
        hit = write ? span_hit(a, 2, true) : span_hit(a, 2, false);
    if (!hit)
        odd_miss(a, size, write, pc);
}

/* The same when bytes beside those of the access are to be kept: a change that was found before, most often, and in a scan
 * over bytes the one that was made in the word before. */
static __attribute__((noinline)) void miss_bytes(uintptr_t a, unsigned size, bool write, uintptr_t pc,
                                                 uint32_t site)
{
    struct rt_tls *tls = &rt_tls;
    struct gl_cell cell = rt_cell(a);
    uint64_t word = gl_load_relaxed(cell.word), next; /* relaxed: nobody else is there */
    _Atomic uint32_t *place = gl_site_half(cell.sites, write);
    uint32_t mine = tls->key | ((1u << size) - 1) << (a & 3), old_site = gl_load_relaxed(place);
    uint32_t site_now = 0;
    struct rt_scan *last = &tls->scan[write][a & 3];
    uint64_t old = (uint64_t)old_site << 32 | (write ? (uint32_t)(word >> 32) : (uint32_t)word);
    uint64_t access = (uint64_t)site << 32 | mine;
    /* What the access conflicts with in the other half is asked each time; a write does not go on beside reads. */
    uint32_t other = write ? (uint32_t)word : (uint32_t)(word >> 32);
    if (RT_LIKELY(last->old == old && last->access == access &&
                  (write ? !other : rt_at_hand(tls->engine, other)))) {
        site_now = (uint32_t)(last->next >> 32);
        next = write ? last->next << 32 : (word & 0xFFFFFFFF00000000ull) | (uint32_t)last->next;
    } else if (((uint32_t)old ^ mine) <= 0xF) { /* of this segment, at another place */
        return miss_owned(a, size, write, pc, site);
    } else {
        next = gl_step_alone(tls->engine, word, old_site, mine, write, site, &site_now);
        if (RT_UNLIKELY(!next)) {
            bool done = gl_access_parts_alone(tls->engine, cell, mine, write, site);
            rt_mark_side(a);
            return miss_end(tls, a, size, write, pc, done);
        }
        *last = (struct rt_scan){.old = old,
                                 .access = access,
                                 .next = (uint64_t)site_now << 32 |
                                         (write ? (uint32_t)(next >> 32) : (uint32_t)next)};
    }
    gl_site_store(place, site_now);
    gl_store_relaxed(cell.word, next);
    miss_end(tls, a, size, write, pc, true);
}

/* The same when the cell, or the first of two, has a side record that does not say that the access was seen. */
static __attribute__((noinline)) void miss_side(uintptr_t a, uint32_t mine, uintptr_t pc, unsigned size, bool write)
{
    struct rt_tls *tls = &rt_tls;
    struct gl_cell cell = rt_cell(a);
    uint64_t word = gl_load_relaxed(cell.word); /* relaxed: nobody else is there */
    if (RT_LIKELY(word >> 32 == GL_CELL_SIDE))  /* always */
        __builtin_prefetch(gl_side_at(rt.sides, gl_cell_side(word)), 1);
    uint32_t site = rt_site_known(tls, pc, rt_width_of(size));
    if (RT_UNLIKELY(size == 8 || !site))
        return miss_owned(a, size, write, pc, site);
    miss_end(tls, a, size, write, pc, gl_access_parts_alone(tls->engine, cell, mine, write, site)); /* the page is marked: rt_mark_side() */
}

/* The thread has no segment yet, mostly: then one begins, and the access may be as simple as the others (`again`). */
static inline __attribute__((always_inline)) void first_at_hand(uintptr_t a, unsigned size, bool write, uintptr_t pc,
                                                                void (*again)(uintptr_t a, uintptr_t pc))
{
    const struct rt_tls *tls = &rt_tls;
    struct rt_thread *t = tls->self;
    if (RT_LIKELY(t && !tls->key && !tls->depth && !tls->ignore_accesses && rt_address_ok(a) && begin_segment(t)))
        return again(a, pc);
    return rt_access_slow(a, size, write ? GL_ACCESS_WRITE : GL_ACCESS_READ, pc);
}

#define FIRST(name, size, write, again)                                                                      \
    static __attribute__((noinline)) void name(uintptr_t a, uintptr_t pc)                                    \
    {                                                                                                        \
        if (RT_LIKELY(rt_sampled(a)))                                                                        \
            first_at_hand(a, size, write, pc, again);                                                        \
    }
FIRST(first_read1, 1, false, rt_miss_read1)
FIRST(first_read2, 2, false, rt_miss_read2)
FIRST(first_read4, 4, false, rt_miss_read4)
FIRST(first_read8, 8, false, rt_miss_read8)
FIRST(first_write1, 1, true, rt_miss_write1)
FIRST(first_write2, 2, true, rt_miss_write2)
FIRST(first_write4, 4, true, rt_miss_write4)
FIRST(first_write8, 8, true, rt_miss_write8)

/* An aligned access that the filter let through, in as few instructions as can be, and no calls, when the page is the
 * thread's own, both accesses that the cell holds are known to be ordered before, and the place has been here before. */
static inline __attribute__((always_inline)) void
miss_at_hand(uintptr_t a, unsigned size, bool write, uintptr_t pc, void (*other)(uintptr_t a, uintptr_t pc))
{
    struct rt_tls *tls = &rt_tls;
    __asm__("" : "+r"(tls)); /* in a register: its address is not computed again for every field */
    /* A signal handler in the runtime; where no memory is known to be. */
    if (RT_UNLIKELY(tls->depth || !rt_address_ok(a)))
        return rt_access_slow(a, size, write ? GL_ACCESS_WRITE : GL_ACCESS_READ, pc);
    struct gl_thread *t = tls->engine;
    /* Inside, and in a section.  With a tag, rt.forking needs no look (rt_fork_before()). */
    __atomic_store_n(&tls->inside, 1ull << 32 | 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* pairs with the membarrier of revoke() */
    /* Again: from here on no handler runs, before it one may have ended the segment. */
    uint32_t key = __atomic_load_n(&tls->key, __ATOMIC_RELAXED);
    if (RT_UNLIKELY(!key))
        return miss_end(tls, a, size, write, pc, false);
    uint32_t tag = __atomic_load_n(&tls->tag, __ATOMIC_RELAXED),
             owner = gl_load_acquire(rt_owner(a)); /* acquire: as in
                                                                                                      * rt_section_begin() */
    if (RT_UNLIKELY((owner ^ tag) >
                    RT_OWNER_MOVES)) /* with a key there is a tag, or RT_NO_TAG, which nothing has */
        return other(a, pc);
    struct gl_cell cell = size == 8 ? rt_cell_8(a) : rt_cell(a);
    uint64_t word = gl_load_relaxed(cell.word), next; /* relaxed: nobody else is there */
    uint32_t w = (uint32_t)(word >> 32), r = (uint32_t)word,
             mask = size >= 4 ? 0xF : ((1u << size) - 1) << (a & 3);
    if (RT_UNLIKELY(w == GL_CELL_SIDE)) {
        uint32_t mine = key | mask;
        if (gl_side_seen_alone(cell, mine, write) && (size < 8 || rt_own_seen(a + 4, mine, write)))
            return miss_end(tls, a, size, write, pc, true);
        return miss_side(a, mine, pc, size, write);
    }
    uint32_t site = rt_site_known(tls, pc, rt_width_of(size));
    if (RT_UNLIKELY(!site || (size == 8 && gl_load_relaxed(&cell.word[1]) != word)))
        return miss_owned(a, size, write, pc, site);
    if (write) {
        if (size < 4 && ((w | r) & ~mask & 0xF)) {
            /* bytes beside ours: of this segment, place and kind, or not so simple */
            if ((r & 0xF) || (w ^ key) > 0xF || gl_load_relaxed(gl_site_half(cell.sites, true)) != site)
                return miss_bytes(a, size, write, pc, site);
            mask |= w & 0xF;
            w = 0;
        }
        next = (uint64_t)(key | mask) << 32;
    } else {
        if (size < 4 && (r & ~mask & 0xF)) { /* the same */
            if ((r ^ key) > 0xF || gl_load_relaxed(gl_site_half(cell.sites, false)) != site)
                return miss_bytes(a, size, write, pc, site);
            mask |= r & 0xF;
            r = 0;
        }
        next = (word & 0xFFFFFFFF00000000ull) | key | mask;
    }
    if (RT_UNLIKELY(!rt_at_hand(t, w) || !rt_at_hand(t, r)))
        return miss_owned(a, size, write, pc, site);
    gl_site_store(gl_site_half(cell.sites, write), site);
    if (size == 8)
        gl_site_store(gl_site_half(&cell.sites[1], write), site);
    gl_store_relaxed(cell.word, next);
    if (size == 8)
        gl_store_relaxed(&cell.word[1], next);
    __atomic_store_n(&tls->inside, 0, __ATOMIC_RELEASE); /* pairs with revoke(), all_outside() */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (RT_UNLIKELY(__atomic_load_n(&tls->pending, __ATOMIC_RELAXED)))
        return rt_deliver_pending();
}

/* What the check will wait for, and the program after it: its memory, the cell to be changed, and, when a pointer is read that
 * was used before, what it points to.  Between here and the program's own load lies a locked instruction, which lets no later load
 * begin.  The program is about to read these 8 bytes itself, unless they are told in a row (it may meet a fault before them); memory whose cell is
 * empty may be no memory. */
static inline __attribute__((always_inline)) void fetch_ahead(uintptr_t a, unsigned size, bool write)
{
    if (gl_load_relaxed(rt_owner(a)) !=
        RT_OWNER_SHARED) /* relaxed: a guess; on an owned page nothing is locked */
        return;
    if (write) /* clang wants a constant for it */
        __builtin_prefetch((const void *)a, 1);
    else
        __builtin_prefetch((const void *)a, 0);
    __builtin_prefetch((const void *)rt_cell_at(a), 1);
    if (size == 8 && !write && !rt_tls.loop && rt_address_ok(a) && gl_load_relaxed(rt_cell_word(a))) { /* relaxed: a guess */
        uintptr_t to = __atomic_load_n((const uintptr_t *)a, __ATOMIC_RELAXED);
        if (to >= 4096 && rt_address_ok(to)) {
            __builtin_prefetch((const void *)to);
            __builtin_prefetch((const void *)rt_cell_at(to), 1);
        }
    }
}

/* Without a key there is no segment yet, or accesses are ignored. */
#define MISS(name, size, write, first, other)                                                                \
    __attribute__((noinline)) void name(uintptr_t a, uintptr_t pc)                                           \
    {                                                                                                        \
        if (RT_UNLIKELY(!rt_tls.key))                                                                        \
            return first(a, pc);                                                                             \
        if (RT_UNLIKELY(!rt_sampled(a)))                                                                     \
            return;                                                                                          \
        fetch_ahead(a, size, write);                                                                         \
        miss_at_hand(a, size, write, pc, other);                                                             \
    }
MISS(rt_miss_read1, 1, false, first_read1, other_read1)
MISS(rt_miss_read2, 2, false, first_read2, other_read2)
MISS(rt_miss_read4, 4, false, first_read4, other_read4)
MISS(rt_miss_read8, 8, false, first_read8, other_read8)
MISS(rt_miss_write1, 1, true, first_write1, other_write1)
MISS(rt_miss_write2, 2, true, first_write2, other_write2)
MISS(rt_miss_write4, 4, true, first_write4, other_write4)
MISS(rt_miss_write8, 8, true, first_write8, other_write8)
