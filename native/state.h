/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime's own state, shared by the files of native but not by the interceptors.
 */
#ifndef GL_NATIVE_STATE_H
#define GL_NATIVE_STATE_H

#include "core/construct.h"
#include "native/options.h"
#include "native/runtime.h"
#include "native/shadow.h"
#include "platform/platform.h"

#define RT_FRAMES (1u << 16) /* depth of the shadow call stack: 1 MiB, touched as used */

struct rt_global {
    struct gl_core *core;
    struct gl_sides *sides;       /* the core's */
    struct gl_lists *lists;       /* the core's */
    struct rt_options options;
    struct gl_spin registry;      /* guards threads, n_threads, staying, detached/finished/joined/leaving */
    uint32_t staying;             /* threads that neither have ended nor are about to */
    struct rt_thread *threads;    /* all that a report may have to describe */
    uint32_t n_threads;
    _Atomic bool up;              /* rt_init() is through */
    _Atomic uint32_t forking;     /* 1: rt_enter() waits (fork.c); a futex */
    _Atomic bool finished;        /* closing lines are printed */
    bool go;                      /* a program in Go, whose threads are goroutines (go/); written before rt_init() */
    bool forked;                  /* this process began with a fork; written when nobody else is there */
    bool halting;                 /* by on_race=halt; set by the thread that ends the program */
    _Atomic uint64_t counters[RT_COUNT_END];
    bool owners;                  /* pages are owned (owner.h) */
    bool recording;               /* events are also written to a file (record.h) */
    _Atomic uint64_t revocations; /* of tags of threads that live */
    int log_fd;
    bool color;
    size_t static_tls;            /* bytes of thread-local storage that each thread is made with; 0: not known.  Set in rt_init() */
    _Atomic uint32_t reports;     /* printed */
    uint32_t others;              /* printed ones that are not about races; guarded by the report lock */
    _Atomic uint64_t races;       /* occurrences, printed or not, but for those that a suppression holds back */
};
extern struct rt_global rt;

/* ---- memory of threads (spare.c) ---- */

/* The shadow call stack of a new thread or context: room for n frames, as base, top and limit.  Without memory the limit is
 * NULL, and stacks show the innermost line only. */
void rt_frames_new(struct rt_away *out, size_t n);
void rt_frames_free(const struct rt_away *frames, size_t n);
/* A pair of locks that is in the graph of their orders (deadlock.c): one was held when the one at `addr` was waited for. */
struct rt_lock_pair {
    uintptr_t addr;
    uint32_t from, to, modes; /* cookies */
};
#define RT_PAIRS_FEW  64u   /* at first */
#define RT_PAIRS_MANY 4096u /* when as many were replaced by others */
struct rt_lock_pairs {
    struct rt_lock_pair *many; /* by hash, in place of `few`; NULL: none yet */
    uint32_t replaced;         /* how many were */
    struct rt_lock_pair few[RT_PAIRS_FEW];
};
void rt_lock_pairs_end(struct rt_lock_pairs *pairs);

/* ---- sleeping (slept.c) ---- */

#define RT_SLEPT 64u
/* A thread's last sleep, and in which epochs other threads were when it was over. */
struct rt_slept {
    uint32_t stack; /* where; 0: it has not slept */
    struct rt_seen_then {
        uint32_t thread; /* its number + 1; 0: none */
        uint32_t epoch;  /* UINT32_MAX: it had ended */
    } seen[RT_SLEPT];    /* by number; of two in one place the one that was seen last */
};
/* Where t, the calling thread, slept last, if the epoch of that segment, another thread's, had begun when the sleep was over; 0: it had not, or that is not known. */
uint32_t rt_slept_after(const struct rt_thread *t, uint32_t segment);

/* What a thread looked up last, and what else it hands on; it may be what another thread, which ended, did.  NULL: no memory. */
struct rt_caches {
    struct rt_caches *next; /* of the spare ones */
    struct rt_depot_hand depot;
    struct rt_site_fast site_fast[RT_SITE_FAST];
    struct rt_lock_pairs pairs;
    void *signal_stack;    /* that a thread left (rt_signal_stack_take()); NULL: none */
    struct rt_slept slept; /* this thread's own */
};
struct rt_caches *rt_caches_new(void);
void rt_caches_free(struct rt_caches *c);

#define RT_SIGNAL_STACK (256u << 10) /* bytes, touched as used */
/* A stack for handlers of signals (signal_stack.c): its low end; who takes it has it until it leaves it.  NULL: no memory, or as many as there may
 * be. */
void *rt_signal_stack_take(struct rt_caches *c);
void rt_signal_stack_leave(struct rt_caches *c, void *low);

/* In the child of a fork, while nobody else is there (spare.c). */
void rt_spares_forked(void);

/* ---- signal stacks (signal_stack.c) ---- */

/* The calling thread, t, gets one, if faults are told of and it has none.  It is no business of the program's. */
void rt_signal_stack_begin(struct rt_thread *t);
void rt_signal_stack_end(struct rt_thread *t);
/* What was sent to the thread is no other's, who may get its handle and number (signal_order.c). */
void rt_signal_thread_ends(struct rt_thread *t);
/* Again, after the program has given up one of its own. */
void rt_signal_stack_again(void);
/* A handler of the program's runs there, with this frame, since it asked for an alternate stack and has given none. */
void rt_signal_stack_used(uintptr_t frame);

/* ---- threads (thread.c) ---- */

/* The end of a fiber, which does not run. */
void rt_thread_end_away(struct rt_thread *t);
/* t, which runs as the system's thread of this handle, a new one, has its stack and TLS: fresh memory.  Inside. */
void rt_thread_stack(struct rt_thread *t, uintptr_t pthread);

/* ---- sites: where, on which call path, with which locks, how wide (site.c) ---- */

/* What an id stands for. */
struct rt_site {
    uint32_t stack;   /* pcs by rt_stack_pcs(); the same stack has several, see rt_stack_whatever_locks() */
    uint32_t lockset; /* as rt_tls.locks */
    uint32_t width;   /* RT_WIDTH_* */
};
/* OBJECT: a lock, condition variable or barrier is used (a read of its first byte), made or destroyed (a write). */
enum { RT_WIDTH_1, RT_WIDTH_2, RT_WIDTH_4, RT_WIDTH_8, RT_WIDTH_16, RT_WIDTH_RANGE, RT_WIDTH_FREE, RT_WIDTH_OBJECT };
/* A range of so many bytes, added to the number; a RANGE may be of any. */
#define RT_WIDTH_SIZED      8u
#define RT_WIDTH_SIZED_MOST (0xFFu - RT_WIDTH_SIZED)
/* Of an access of 1, 2, 4, 8 or 16 bytes. */
static inline unsigned rt_width_of(unsigned size)
{
    return size == 1 ? RT_WIDTH_1 : size == 2 ? RT_WIDTH_2 : size == 4 ? RT_WIDTH_4 : size == 8 ? RT_WIDTH_8 : RT_WIDTH_16;
}

/* What tells sites of one path from one another.  RT_LOCKS_CHANGED makes none that a site has. */
static inline uint64_t rt_site_place(uint32_t locks, unsigned width, uintptr_t pc)
{
    return (uint64_t)locks << 56 | (uint64_t)width << 48 | pc;
}
/* Where a thread keeps the site of an access at `pc` on the call path `path`. */
static inline struct rt_site_fast *rt_site_entry(const struct rt_tls *tls, uintptr_t pc, uint32_t path)
{
    return &tls->site_fast[(pc ^ path >> 3 ^ tls->locks * 37) % RT_SITE_FAST];
}
/* As rt_site(), if the thread was there before with as many locks and on the same path; 0: perhaps not. */
static inline __attribute__((always_inline)) uint32_t rt_site_known(struct rt_tls *tls, uintptr_t pc, unsigned width)
{
    struct rt_frame *top = tls->top;
    if (RT_UNLIKELY(top > tls->limit)) /* too deep */
        return 0;
    uint32_t path = top[-1].node; /* 0: one that is not looked up yet, or the empty one */
    const struct rt_site_fast *e = rt_site_entry(tls, pc, path);
    if (RT_UNLIKELY(e->place != rt_site_place(tls->locks, width, pc) || e->path != path || !path))
        return 0;
    return e->id;
}
/* The same for a range of n bytes, and which width its site is to have: the size, as long as the thread remembers no other one of this instruction.
 * So a structure that is copied has its size in reports, and a memcpy() of all kinds of lengths has no site for each. */
static inline __attribute__((always_inline)) uint32_t rt_range_site_known(const struct rt_tls *tls, uintptr_t pc, size_t n, unsigned *width)
{
    const struct rt_frame *top = tls->top;
    *width = RT_WIDTH_RANGE;
    if (RT_UNLIKELY(n > RT_WIDTH_SIZED_MOST || top > tls->limit))
        return 0;
    uint32_t path = top[-1].node;
    const struct rt_site_fast *e = rt_site_entry(tls, pc, path);
    unsigned sized = RT_WIDTH_SIZED + (unsigned)n;
    uint64_t other = e->place ^ rt_site_place(tls->locks, sized, pc);
    bool here = e->path == path && !(other & ~(0xFFull << 48)); /* the entry is of this instruction, whatever its width */
    if (!here || other == 0)
        *width = sized;
    return RT_LIKELY(here && path && (other == 0 || other == (uint64_t)(sized ^ RT_WIDTH_RANGE) << 48)) ? e->id : 0;
}
/* The site of an access at `pc` by the calling thread t.  0: no memory (counted). */
uint32_t rt_site(struct rt_thread *t, uintptr_t pc, unsigned width);
struct rt_site rt_site_decode(uint32_t site); /* not a joined one */
/* One number for the stacks of sites that differ in the locks, and in the sizes of ranges, only; t is the calling thread. */
uint32_t rt_stack_whatever_locks(struct rt_thread *t, uint32_t stack);
/* For gl_thread.join_sites, and back: the site of one byte (a mask of one bit) of the word. */
uint32_t rt_sites_join(void *thread, uint32_t old, uint32_t old_bytes, uint32_t fresh, uint32_t fresh_bytes);
uint32_t rt_site_of_bytes(uint32_t site, uint32_t bytes);
/* The present call path with `pc` as innermost, as a depot node. */
uint32_t rt_stack_here(struct rt_thread *t, uintptr_t pc);
/* The same in two steps, the second later and by any thread t. */
uint32_t rt_path_here(struct rt_thread *t);
uint32_t rt_stack_after(struct rt_thread *t, uint32_t path, uintptr_t pc); /* pc 0: not known, nor is the stack */
/* Innermost first; returns how many (at most max). */
int rt_stack_pcs(uint32_t stack, uintptr_t *pcs, int max);
/* Locks of a lockset, outermost last: numbers for rt_lock_info() and whether held exclusively.  segment: of the access. */
int rt_lockset_locks(uint32_t lockset, uint32_t segment, uint32_t *cookies, bool *exclusive, int max);
void rt_locks_changed(void);

/* ---- checked accesses (access.c) ---- */

/* Out of line part of every access of 1..16 bytes.  kind: GL_ACCESS_*. */
void rt_access_slow(uintptr_t a, unsigned size, unsigned kind, uintptr_t pc);
/* One that is not aligned, or of 16 bytes, with the filter. */
void rt_access_odd(uintptr_t a, unsigned size, bool write, uintptr_t pc);
/* The filter's question again, for one cell, also when the answer is in a side record or in a group that the filter does not know, and will
 * from now on: data that several threads read, words of which only some bytes were seen. */
bool rt_cell_seen(uintptr_t at, uint32_t mask, bool write, uint32_t key);
/* The same for the word of a cell, no side record, if it has a group.  mine: a half. */
bool rt_group_seen(uint64_t word, uint32_t mine, bool write);
/* A range in one page, at most RT_RANGE_SHORT bytes, if that can be done without entering the runtime.  False: nothing is lost, it is to be
 * done in another way.  width: RT_WIDTH_RANGE, or what it is in truth, for the report. */
#define RT_RANGE_SHORT 128u
bool rt_range_short(uintptr_t a, size_t n, bool write, uintptr_t pc, unsigned width);
/* The same for `count` accesses of `size` bytes, each `step` bytes after the one before.  Returns how many are done, from the first on. */
size_t rt_row_short(uintptr_t a, size_t count, size_t step, unsigned size, bool write, uintptr_t pc, unsigned width);
/* Aligned ones of 1 to 8 bytes that the filter let through. */
void rt_miss_read1(uintptr_t a, uintptr_t pc);
void rt_miss_read2(uintptr_t a, uintptr_t pc);
void rt_miss_read4(uintptr_t a, uintptr_t pc);
void rt_miss_read8(uintptr_t a, uintptr_t pc);
void rt_miss_write1(uintptr_t a, uintptr_t pc);
void rt_miss_write2(uintptr_t a, uintptr_t pc);
void rt_miss_write4(uintptr_t a, uintptr_t pc);
void rt_miss_write8(uintptr_t a, uintptr_t pc);
void rt_access_range(struct rt_thread *t, uintptr_t a, size_t n, unsigned kind, uint32_t site);
/* A write to all of a block that is freed; of whole pages that nobody used only that is kept (owner.h). */
void rt_free_range(struct rt_thread *t, uintptr_t a, size_t n, uint32_t site);
/* A race that an access ran into. */
struct rt_finding {
    uintptr_t addr;      /* of the access */
    size_t size;
    size_t at;           /* where `bytes` begins in it */
    uint64_t bytes;      /* bit i: byte addr+at+i races; 0: none */
    uintptr_t word;      /* the cell of `race` */
    uint32_t site;
    uint32_t joined;     /* race.then.site as the cell had it, before it was taken apart */
    struct gl_race race;
};
/* Those of one access: at most one per word that it touches. */
struct rt_findings {
    unsigned n;
    struct rt_finding found[5];
};
/* The same, inside the runtime (t known, depth > 0), to be told later by rt_found(). */
void rt_access_inside(struct rt_thread *t, uintptr_t a, unsigned size, unsigned kind, uintptr_t pc,
                      struct rt_findings *f);

/* ---- synchronization objects (sync.c) ---- */

struct rt_lock_info {
    uintptr_t addr;
    uint32_t create_stack; /* depot node; 0: not seen */
    uint32_t number;       /* under which it is told, its cookie: the first of its serials */
    uint16_t kind;
    bool in_graph;         /* of lock orders (deadlock.c); set under its lock.  Here and below: only for that number */
    bool dead;             /* destroyed: the address may be another's */
};
/* By the serial of a lock (struct gl_held) or its cookie, which is one; false: unknown. */
bool rt_lock_info(uint32_t serial, struct rt_lock_info *out);
/* The entry itself, for deadlock.c; NULL: unknown. */
struct rt_lock_info *rt_lock_entry(uint32_t serial);
/* Of the lock at addr, made if there is none: its cookie (0: no memory) and where its present holder took it.  RT_LOCK_BREAKS: false is
 * returned when a mistake with this lock was reported before; then and later it counts as told.  RT_LOCK_OWN: it is one of the program's
 * own (own_lock.h), and what becomes of its memory is not our business. */
struct rt_lock_state {
    uint32_t cookie, lock_stack;
    uint32_t serial; /* of present holds, see struct gl_held */
};
enum rt_lock_ask { RT_LOCK_ASK, RT_LOCK_OWN, RT_LOCK_BREAKS };
bool rt_lock_state(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc, enum rt_lock_ask ask, struct rt_lock_state *out);
/* An annotation at the address of a lock of the library's: it is given up, though held in truth, if t holds it alone; and t has it back, which gave it up so.
 * False: there is no such lock, or the program tells of its own there. */
bool rt_lock_lend(struct rt_thread *t, uintptr_t addr, uintptr_t pc);
bool rt_lock_is_lent(struct rt_thread *t, uintptr_t addr);
bool rt_lock_take_back(struct rt_thread *t, uintptr_t addr, uintptr_t pc);
/* t does not hold the lock of its own at addr alone any more, which another thread has given up or taken meanwhile: no source. */
void rt_lock_forget_holds(struct rt_thread *t, uintptr_t addr, enum rt_kind kind);
/* Is it one of the program's own, of which annotations tell (own_lock.h)? */
bool rt_lock_is_own(struct rt_thread *t, uintptr_t addr, enum rt_kind kind);
/* In the child of a fork: has the lock at addr, which its thread held, another process for its holder? */
bool rt_lock_is_others(uintptr_t addr, enum rt_kind kind);
/* The sync objects in [p, p+n) end; fresh: their bytes are fresh, not free. */
void rt_sync_forget_range(uintptr_t p, size_t n, bool fresh);
/* The same before a free by t, told where it races with the last use of a lock there. */
void rt_sync_free_range(struct rt_thread *t, uintptr_t p, size_t n, uintptr_t pc);
/* They move along with their memory, whose ranges may overlap; what was at dst ends.  No other thread uses them meanwhile. */
void rt_sync_move(uintptr_t src, uintptr_t dst, size_t n);
/* For atomics: the object at addr, locked.  When there is none and !make: the place is locked against
 * the making of one, so that an operation that needs no record is still one step; s is NULL then. */
struct rt_atomic {
    struct gl_sync *s;
    struct rt_sync *object;
    struct gl_spin *stripe;
    bool loose; /* there is none, and nothing was locked: abi_atomic.c */
};
struct rt_atomic rt_atomic_lock(struct rt_thread *t, uintptr_t addr, bool make);
void rt_atomic_unlock(struct rt_atomic *a);
/* The release side of a store; what annotations have told of the place stays. */
void rt_atomic_stored(struct rt_thread *t, struct rt_atomic *a, enum gl_order order);
/* The compiler's memory_order number (with target bits above 15 cut off). */
static inline enum gl_order rt_order_of(int memory_order)
{
    static const uint8_t map[] = {GL_RLX, GL_ACQ /* consume */, GL_ACQ, GL_REL, GL_AR, GL_SC};
    int order = RT_UNLIKELY(rt.options.force_seq_cst_atomics) ? 5 : memory_order & 0xFFFF;
    return (enum gl_order)map[order < 6 ? order : 5];
}
/* For a load without the lock: a look at the object before it, and after it the question whether the object told all the while what the thread knows already.
 * acquires: the load's order does. */
struct rt_glance {
    const struct rt_sync *object; /* NULL: there is none, or more in it than the thread knows */
    uint64_t version;
};
struct rt_glance rt_atomic_glance(struct rt_thread *t, uintptr_t addr, bool acquires);
bool rt_atomic_same(const struct rt_glance *g, uintptr_t addr);

/* ---- heap blocks (heap.c) ---- */
struct rt_block {
    uintptr_t start;
    size_t size;
    uint32_t stack, tid;
};
bool rt_heap_find(uintptr_t a, struct rt_block *out);
void rt_heap_know_libraries(void); /* once, in rt_init() */
bool rt_heap_called_by_libc(uintptr_t pc); /* or by the dynamic linker */
bool rt_heap_maybe_called_by_libc(uintptr_t pc); /* in a static program, where its code is among the rest, nobody can tell */
/* The blocks that start in whole words [p, p+n) are none any more, or are moved; no other thread uses them meanwhile. */
void rt_heap_forget(uintptr_t p, size_t n);
void rt_heap_move(uintptr_t src, uintptr_t dst, size_t n);
/* Who allocated the block that started at `a` and was freed; false: unknown. */
bool rt_heap_was(uintptr_t a, uint32_t *stack, uint32_t *tid);

/* ---- races (found.c) ---- */

/* Tells them: report, handler, trap, as the options say.  Before the access; no lock of ours is held. */
void rt_found(struct rt_thread *t, const struct rt_finding *found, unsigned n);
static inline void rt_tell(struct rt_thread *t, const struct rt_findings *f)
{
    if (RT_UNLIKELY(f->n))
        rt_found(t, f->found, f->n);
}
bool rt_handler_is_set(void);
struct rt_thread *rt_thread_by_tid(uint32_t tid);

void rt_found_summary(void);  /* the closing lines about reports */
void rt_report_closing(void); /* the last of them (collect.c) */
struct rt_thread *rt_thread_start_main(void);
void rt_fork_wait(void);
/* When a thread, or with it the program, ends: is something still ignored? */
void rt_check_ignores(void);
/* Nobody else is inside the runtime, or in a section, until rt_alone_end(), and the registry is locked.  False: another thread is about to be
 * alone, or one stays inside.  depth > 0, no lock is held. */
bool rt_alone_begin(void);
void rt_alone_end(void);

/* ---- what goes when nothing names it any more (sweep.c) ---- */

/* By the thread that was told that it is due (RT_PENDING_SWEEP), outside of the runtime. */
void rt_sweep(void);
/* A handler of a signal begins; in_filter: it may have interrupted a look at a cell.  It is over: what the first returned. */
uint32_t rt_interrupted_begin(struct rt_thread *t, uintptr_t frame, bool in_filter);
void rt_interrupted_end(struct rt_thread *t, uint32_t before);
/* The calling thread, at the frame `here`, is not in the rt_found() that t->telling says: it was left. */
bool rt_telling_left(const struct rt_thread *t, uintptr_t here);
/* The stack pointer of the calling thread becomes sp: handlers of signals and of races are left. */
void rt_handlers_left(struct rt_thread *t, uintptr_t sp);
/* Numbers that are in use, a bit each. */
struct rt_used {
    uint64_t *bits;
    uint32_t n;
};
static inline void rt_use(struct rt_used *u, uint32_t number)
{
    if (number < u->n)
        u->bits[number / 64] |= 1ull << number % 64;
}
static inline bool rt_is_used(const struct rt_used *u, uint32_t number)
{
    return number >= u->n || (u->bits[number / 64] >> number % 64 & 1);
}
/* Alone: frees the records of ended threads whose number is not in use, except those that made a thread whose record stays. */
void rt_threads_forget(struct rt_used *tids);
/* Alone: marks the threads of edges (deadlock.c). */
void rt_lock_order_uses(struct rt_used *tids);
/* Alone.  Locks are told by their serials in chunks of so many: `chunks` are those that are used.  rt_locks_use() marks those of locks
 * that are there, and that were named for good; rt_locks_forget() frees what is told of the others. */
#define RT_LOCK_CHUNK 1024u
#define RT_LOCK_CHUNKS (1u << 21)
void rt_locks_use(struct rt_used *chunks);
void rt_locks_forget(const struct rt_used *chunks);
/* What is told of this lock stays: something that is never freed names it.  Any thread, any time. */
void rt_lock_named(uint32_t cookie);

/* From now on a thread may ask to come after everything that the others did, which they then need not tell: rt_acquire_all(), inside
 * the runtime, with no lock of ours held.  rt_all_ending(): a thread ends; alone: nobody else comes after it (fork.c). */
void rt_all_asked(void);
void rt_all_ending(struct rt_thread *t, bool alone);
void rt_acquire_all(struct rt_thread *t);
void rt_log_forked(void);    /* in the child */

/* Races in [p, p+n) are expected: AnnotateBenignRace and its kin (abi_annotate.c). */
void rt_benign_add(uintptr_t p, size_t n);
bool rt_benign(uintptr_t p, size_t n);
void __tsan_set_fiber_name(void *fiber, const char *name); /* of a thread, too */

/* ---- messages ---- */
/* To the log (stderr or log_path). */
void rt_print(const char *text, size_t n);
void rt_log_to(const char *path); /* as option log_path says */
void rt_log_to_descriptor(int fd); /* the program's own */
/* One sentence and exit code 2: the runtime cannot work here. */
_Noreturn void rt_die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
