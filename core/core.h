/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine as the front ends drive it: threads, sources and sinks, the happens-before question,
 * accesses.  (The same engine behind the general detector interface: goldilocks.c.)
 *
 * Caveats first
 *   - A struct gl_thread belongs to one caller at a time; its functions are not for two callers at once.
 *   - Calls on one struct gl_sync exclude one another (the caller holds a lock over the call, together
 *     with the real operation where that operation is not exclusive by itself).
 *   - Calls on one cell may overlap.
 *   - When memory runs out: an access is not recorded (GL_NOMEM, counted by the caller); a source or a
 *     sink that cannot be recorded stops checking for good (gl_core_stopped), since every later
 *     answer could be wrong.
 */
#ifndef GL_CORE_CORE_H
#define GL_CORE_CORE_H

#include "core/cell.h"
#include "core/column.h"
#include "core/detector.h"
#include "core/holds.h"
#include "core/log.h"
#include "core/segment.h"

enum gl_counter {
#define X(name, sentence) GL_COUNT_##name,
#include "core/counters.def"
#undef X
    GL_COUNT_END
};

/* A synchronization object: mutex, volatile, atomic, thread end ...  Zero-initialised = new.
 * seen/own tell when a sink would add nothing; both are exact, never guesses. */
struct gl_sync {
    uint32_t node;    /* in the log; 0: no source yet */
    uint32_t own;     /* gl_thread.own when every source since the last assign came from that slot; else 0 */
    uint32_t epoch;   /* with own: who sinks here is ordered after this epoch of that slot, and all before */
    uint32_t behind;  /* how many positions behind that the last record lies that names the object; UINT32_MAX: not known */
    uint64_t version; /* position of the last source's record + 1; 0: empty (no source, or cut off) */
};

/* What `own` says of a slot: slot + 1, and above, how often the slot was retired (slots.c). */
#define GL_OWN_NEXT (1u << 21)
static inline uint32_t gl_own_slot(uint32_t own) { return own % GL_OWN_NEXT - 1; }

/* One lock that a thread holds. */
struct gl_held {
    uint32_t serial;  /* of the lock, never reused */
    uint32_t depth;   /* of a reentrant lock, >= 1 */
    uint32_t cookie;  /* the caller's */
    bool exclusive;   /* a read hold excludes no reader: never a segment's lock */
    uint32_t note;    /* the caller's, of this lock and all taken before it; 0: none, or one of these was given up since */
};

#define GL_SEEN 64u /* entries of the cache of objects whose present content a thread has taken in */

struct gl_seen {
    uint32_t node;
    uint64_t version;
};

/* What a thread knows of M[t][u]: a lower bound that never becomes wrong, and when it is exact. */
struct gl_hint {
    uint64_t exact; /* sink count of t for which M[t][u] < below; 0: not known */
    uint32_t epoch; /* M[t][u] >= epoch, for good */
    uint32_t below;
    uint32_t slot;  /* u */
};
#define GL_HINTS_FEW 16u    /* places for hints in a thread that asked about few others: powers of 2 */
#define GL_HINTS_MOST 4096u /* and at most; a hint that is lost is asked for again */

/* Segments known to be ordered before a thread, by id: gl_before(). */
#define GL_BEFORE 256u
#define GL_SPARE 24u

/* A change of one half of a cell by an access of this thread that was found right before: the half as it was, the access
 * (a half), what became of them, and how the sites follow: a nibble for each access of the new half, the lowest first;
 * i: the site of the i-th access of the old half, GL_FROM_NOW: of the access, GL_FROM_BOTH + i: of both. */
struct gl_step {
    uint32_t old_half, mine;
    uint32_t new_half, recipe;
    uint32_t form; /* how many sites there are after it, and whether the halves are groups: as in struct gl_site_step */
};
enum { GL_FROM_NOW = 7, GL_FROM_BOTH = 8 };
/* What a recipe makes of sites: old (a site, or the number of a list), the access's, and the result. */
struct gl_site_step {
    uint32_t old_site, site;
    uint32_t recipe, form; /* form: of the halves before and after; 0: empty */
    uint32_t new_site;
};
#define GL_STEPS 1024u     /* for reads, and as many for writes */
#define GL_SITE_STEPS 1024u
#define GL_WANTED 1024u
#define GL_WANTED_FEW 64u
#define GL_STEPS_AFTER 256u /* with many threads (GL_MANY), memory for steps is given after so many changes that one could be kept of */
#define GL_HELD_FEW 4u
/* When there are more threads, blocks of columns are asked rarely: ends of segments are kept, so that one segment's set can be followed
 * (gl_column_ask()), and who read before is asked about only when that is cheap. */
#define GL_MANY 128u
#define GL_LOCK_SETS 8u      /* places for the numbers of sets of locks at hand */

/* What a thread keeps of changes of cells: empty and everybody's (gl_no_steps) until it has made some. */
struct gl_steps {
    struct gl_step step[2][GL_STEPS]; /* reads, writes */
    struct gl_site_step site_step[GL_SITE_STEPS];
    uint32_t wanted[GL_WANTED]; /* see gl_thread */
};
extern struct gl_steps gl_no_steps; /* nothing is ever written to it */

/* Where in a side record a thread's only read was when it was made again: there it still is, or its place is another's, if the thread has made
 * no access since that could add one.  Among plenty (cell.c) it need not be the only one, and counts by what stands at the place. */
struct gl_reread {
    const _Atomic uint64_t *word; /* of the cell */
    uint64_t accesses;            /* of the thread that reached gl_access() till then */
    uint32_t at;                  /* entry */
};
#define GL_REREADS 2u

/* Where the thread's atomic accesses to a cell probably are in its side record, by the cell's place: what stands there tells whether they are. */
#define GL_ATOMICS 4u
struct gl_atomics { uint16_t at[2]; /* its read, its write */ };

/* One page: there may be a hundred thousand, most of which do little. */
enum { GL_PRUNE_NOT, GL_PRUNE_KNOWN, GL_PRUNE_ROW, GL_PRUNE_ASK };

struct gl_thread {
    struct gl_core *core;
    void *place; /* the memory it lies in */
    struct gl_segments *segments; /* the core's */
    uint32_t slot;
    uint32_t uid;
    uint32_t epoch;      /* the current one: 1 + epochs ended */
    uint32_t segment;    /* id of the current segment; 0: no access recorded in this epoch */
    struct gl_hint *hints; /* at slot & hint_mask; hints_few until too many were lost */
    uint32_t hint_mask;
    uint32_t own;        /* what gl_sync.own says of this thread; not 0 */
    uint32_t n_held, cap_held;
    struct gl_held *held; /* held_few, until they are more */
    uint32_t *key;       /* where the front end's filter reads the current segment: gl_half(segment, 0, 0), or 0 */
    uint64_t sink_pos;   /* position of its last sink's record + 1 */
    uint64_t bump_pos;   /* of the last record that ended an epoch of it; 0: none did */
    uint64_t sink_count; /* 1, 2 ... */
    uint64_t again;      /* gl_sync.version of the object whose row is this thread's, because the thread's last record was a source to it; 0: none */
    struct gl_room room; /* in the log */
    uint64_t count[GL_COUNT_END];
    struct gl_holds_hand holds; /* with lock_at_once */
    uint32_t again_held;  /* with `again`, of a mutex that the thread gave up: locks that it holds still; UINT32_MAX: the mutex was not the innermost */
    uint32_t ending;      /* id of the segment whose end is about to be appended; 0: none */
    uint32_t ended;       /* id of the segment that ended last; 0: none, or an epoch has ended since that had none */
    uint32_t mutant_lock; /* for the planted mistake STALE_ALOCK only */
    bool lock_at_once; /* locks are told by the segment while it is open (gl_core_holds()): one that is held alone as soon as it is, more when
                        * the segment begins and by gl_segment_tell_held(); else at its end.  Set by the front end before the thread's first access */
    bool counted;      /* the log has counted the end of the present segment already: it goes on, see gl_segment_resume() */
    uint8_t prune;     /* GL_PRUNE_...: reads that are ordered before the present one are dropped, see meet() */
    bool row;          /* very many questions about one record: by a row (gl_row_says()) */
    uint32_t own_key;    /* key points here when the front end gave none */
    uint32_t batch, batch_left; /* segment ids at hand */
    uint32_t own_first,
        own_span; /* ids from own_first to own_first + own_span are its own: those of its batch; see gl_is_own() */
    uint32_t own_least; /* none below it is, nor of who had the slot before; UINT32_MAX: none yet */
    struct gl_sync fence_release; /* F_t */
    struct gl_sync fence_acquire; /* A_t */
    struct gl_held held_few[GL_HELD_FEW];
    uint32_t lock_set[GL_LOCK_SETS]; /* numbers of lists of serials, by hash; 0: none */
    uint32_t before[GL_BEFORE];
    struct gl_steps *steps;
    int32_t credit;                   /* changes found again, less what making groups costs: see half_for() */
    uint32_t denied;                  /* groups, for want of credit */
    uint32_t unkept;                  /* changes of which no step was kept, since there was no memory for any yet */
    uint32_t hints_lost;
    uint32_t ends_seen; /* of threads that it waited for */
    uint32_t *wanted, wanted_shift;   /* hashes of groups that would have served once; a hash's place is its highest bits */
    uint32_t wanted_few[GL_WANTED_FEW];
    uint32_t whole; /* the batch that was handed out last, as it was then: its first id, and its level (segment.h); 0: none was */
    /* One site that stands for `old` on the bytes old_bytes of a word and for `fresh` on fresh_bytes (disjoint), so
     * that accesses of one segment at several places to parts of one word need no side record; 0: it cannot
     * be.  NULL: sites are not joined.  Called with the cell locked: it must not come back to the core. */
    uint32_t (*join_sites)(void *ctx, uint32_t old, uint32_t old_bytes, uint32_t fresh, uint32_t fresh_bytes);
    void *join_ctx;
    struct gl_side *spare[GL_SPARE]; /* side records of the smallest size at hand */
    uint32_t n_spare, spare_batch;   /* how many were taken at once the last time */
    struct gl_seen seen[GL_SEEN]; /* taken into row(t) */
    struct gl_seen *seen_a;       /* as many, taken into row(t) or row(A_t); NULL: none yet */
    struct gl_thread *next, *prev; /* all live threads; guarded by core->lock */
    struct gl_reread reread[GL_REREADS]; /* by the cell's place */
    struct gl_atomics atomics[GL_ATOMICS];
    struct gl_hint hints_few[GL_HINTS_FEW];
};
/* A thread lies some lines into its page, by its slot: the same field of different threads is not in the same set of the caches. */
#define GL_THREAD_BYTES 4096u
#define GL_THREAD_LINES ((GL_THREAD_BYTES - (uint32_t)sizeof(struct gl_thread)) / 64 + 1)
_Static_assert(sizeof(struct gl_thread) <= GL_THREAD_BYTES - 6 * 64, "a thread is one page, with room to move");

struct gl_core;

struct gl_core *gl_core_create(const struct gl_env *env);
void gl_core_destroy(struct gl_core *core); /* no thread is inside; frees threads too */
bool gl_core_stopped(const struct gl_core *core);
const struct gl_env *gl_core_env(const struct gl_core *core);
void gl_core_counts(struct gl_core *core, gl_count_fn *fn, void *ctx);
/* What an id stands for that a cell of this core holds. */
struct gl_segment {
    uint32_t slot, epoch, uid;
    uint32_t lock; /* a lock held exclusively at its end, by serial: for a thread with lock_at_once the first that was told, if there
                    * is one; 0: none, or open */
};
struct gl_segment gl_core_segment(struct gl_core *core, uint32_t id);
/* Calls fn for threads that have not ended, `most` at most, the newest first: the caller's number of each, and its epoch as of now.  Any thread, any time;
 * fn under the core's lock. */
void gl_core_epochs(struct gl_core *core, uint32_t most, void (*fn)(void *ctx, uint32_t uid, uint32_t epoch), void *ctx);
/* Of a segment of a thread with lock_at_once: the first locks that were told in it, the outermost first, as gl_hold_word()s; at most `most`, and
 * no more than GL_HOLDS_MOST.  Returns how many. */
uint32_t gl_core_holds(struct gl_core *core, uint32_t id, uint32_t *words, uint32_t most);
struct gl_sides *gl_core_sides(struct gl_core *core);
/* Is it the half of one access by a thread of this slot? */
bool gl_core_is_of_slot(struct gl_core *core, uint32_t half, uint32_t slot);
uint32_t gl_thread_slot(const struct gl_thread *t);
struct gl_lists *gl_core_lists(struct gl_core *core);
/* Makes groups without waiting for a repetition.  For tests, before threads run. */
void gl_core_group_at_once(struct gl_core *core, bool on);
/* Does with few threads what is usual with many (GL_MANY).  For tests, before threads run. */
void gl_core_as_with_many(struct gl_core *core, bool on);
/* Does with few threads and reads what is usual with more than GL_SPREAD_THREADS_MOST threads and many reads of one cell (cell.c, plenty()).  For tests,
 * before threads run. */
void gl_core_as_with_plenty(struct gl_core *core, bool on);
/* Spreads reads (spread.h) the first time that one is replaced.  For tests, before threads run. */
void gl_core_spread_at_once(struct gl_core *core, bool on);
/* A synchronization was lost (the caller ran out of memory): checking is over. */
void gl_core_stop(struct gl_core *core);

/* ---- threads ---- */

/* A new thread, ordered after everything that `creator` did so far (fork); creator NULL: after nothing.
 * Called by the creator.  `key`: see struct gl_thread, may be NULL.  NULL: no memory or slots. */
struct gl_thread *gl_thread_create(struct gl_core *core, struct gl_thread *creator, uint32_t uid, uint32_t *key);
void gl_thread_set_key(struct gl_thread *t, uint32_t *key);
/* The last act of a thread: `end` (zeroed, the caller's) becomes what a join sinks on.  The slot may
 * be taken over by a thread that is ordered after this.  `t` is freed. */
void gl_thread_end(struct gl_thread *t, struct gl_sync *end);
/* Right before: nobody will sink on `end`.  So nobody comes after what the thread did since its last release: of many such reads of a cell one
 * is remembered for each byte, since a write that comes later races with it as it would with the others.  Or somebody may, but then it comes after what all
 * threads of this group did, and there is no more to come for it: the thread releases nothing but that after this. */
void gl_thread_ends_alone(struct gl_thread *t, uint32_t group);

/* ---- sources and sinks ---- */

/* row(s) := row(t) when `assign` or when s is empty, else row(s) := max; ends the epoch when an access was
 * recorded in it.  `lock`: serial of the lock being given up exclusively; 0: another kind of source. */
void gl_source(struct gl_thread *t, struct gl_sync *s, bool assign, uint32_t lock);
/* row(t) := max(row(t), row(s)) */
void gl_sink(struct gl_thread *t, struct gl_sync *s);
/* The same for what a thread's end left (gl_thread_end()), by who waited for it. */
void gl_sink_end(struct gl_thread *t, struct gl_sync *end);
/* The version of s, if the acquire part of an atomic operation would take in nothing of it; else 0.  The thread itself, without the object's lock:
 * s may change meanwhile (docs/concurrency.md, D.2). */
uint64_t gl_sync_known(struct gl_thread *t, const struct gl_sync *s, bool acquires);
/* row(dst) := (assign) or max= row(src), for the fence objects; src may be NULL: the object becomes empty. */
void gl_transfer(struct gl_thread *t, struct gl_sync *dst, struct gl_sync *src, bool assign);
/* The object is gone: its node may be used again. */
void gl_sync_free(struct gl_core *core, struct gl_sync *s);

/* ---- locks held (for the short circuit lock-held, and for reports) ---- */
uint32_t gl_lock_serial(struct gl_core *core);
/* The last that was given out; a number that may be stale. */
uint32_t gl_lock_serial_last(const struct gl_core *core);
/* The entry, or NULL when it is not held. */
struct gl_held *gl_held_find(const struct gl_thread *t, uint32_t serial);
/* False: no memory (the hold is then not known; sources and sinks still are: never wrong). */
bool gl_held_push(struct gl_thread *t, uint32_t serial, bool exclusive, uint32_t cookie);
void gl_held_drop(struct gl_thread *t, uint32_t serial);
/* Before an access under more than one lock: gl_core_holds() of the thread's segment, if it is open, knows all that are held now, up to
 * GL_HOLDS_MOST; they are lost when there is no memory (counted). */
void gl_segment_tell_held(struct gl_thread *t);

/* ---- the question ---- */

/* Is segment `id` ordered before what thread t does now (t in its Goldilockset)? */
bool gl_ordered(struct gl_thread *t, uint32_t id);
/* Is t ordered after the accesses that the thread of the last source of s made before it?  Also true when s is empty, or has sources of several
 * threads.  No sweep may have been since that source (gl_core_sweeps()).  As calls on s. */
bool gl_sync_before(struct gl_thread *t, const struct gl_sync *s);

/* Epochs of a slot, at most: in the last GL_SEGMENT_CHUNK of them a thread's accesses may not be recorded any more. */
#define GL_EPOCH_MOST (UINT32_MAX - 1)

/* Gives the thread a segment for its current epoch; false: no id or no epoch left. */
bool gl_segment_begin(struct gl_thread *t);

/* The thread took a lock, told by s, which excludes everybody else.  If its last segment ended when it gave up this very lock, and neither the thread nor
 * anybody who held the lock has recorded anything since, nobody can know of that end, and the segment goes on (docs/algorithm.md, fact 8b).
 * `again`: gl_thread.again before the acquire was told. */
void gl_segment_resume(struct gl_thread *t, const struct gl_sync *s, uint64_t again);
/* The segment that could go on so, as a key; 0: none could.  Of the thread's records since its end there is none but the one that ended it, which was a source
 * to the object; and it is the last that the thread was given, which sweeps keep. */
static inline uint32_t gl_segment_resumable(const struct gl_thread *t)
{
    return t->again && t->bump_pos == t->again && !t->segment && t->ended == t->batch - 1 ? gl_half(t->ended, 0, 0) : 0;
}
/* The front end has let it go on already, when the lock whose gl_sync.version is gl_thread.again was taken.  False: that is not its key. */
bool gl_segment_went_on(struct gl_thread *t, uint32_t key);

#endif
