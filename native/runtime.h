/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared declarations of the in-process runtime.
 *
 * Ground rules of living in a stranger's process
 *   - Nothing here calls a function that we intercept.  Every object of the runtime but the
 *     intercept_*.c files is linked into one relocatable file whose references to libc (memcpy, mmap,
 *     open ...) are renamed to platform/'s own (native/internal.syms), and a test reads its symbols.
 *     intercept_*.c reach libc through REAL(name) only.
 *   - Memory comes from platform's page arena, never from malloc.  No stdio, no errno changes
 *     (an interceptor leaves errno as the real function left it).
 *   - Nothing but the names in exports.map is visible.
 *   - A signal handler of the program never runs while its thread is inside the runtime
 *     (rt_tls.depth > 0): asynchronous signals are kept back until rt_leave().
 *   - Nothing fails silently: what is dropped is counted (rt_count) and printed with the report.
 */
#ifndef GL_NATIVE_RUNTIME_H
#define GL_NATIVE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "native/depot.h"

#define RT_EXPORT __attribute__((visibility("default")))
#define RT_LIKELY(x) __builtin_expect(!!(x), 1)
#define RT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define RT_CALLER() ((uintptr_t)__builtin_return_address(0))

/* ---- thread state ------------------------------------------------------------------------- */

struct gl_thread; /* core/thread.h */

#define RT_EXTERNAL_PC (1ull << 60) /* in the program counters of code that is in no module: an interpreter's */

/* One frame of the shadow call stack. */
struct rt_frame {
    uintptr_t pc;  /* return address: where this function was called from */
    uint32_t node; /* the call path up to here in the depot; 0 = not looked up yet */
    uint32_t sp;   /* low half of the stack pointer of the function that was entered, for longjmp */
};

/* A site that a thread looked up before (site.c). */
#define RT_SITE_FAST 2048u
struct rt_site_fast {
    uint64_t place;   /* locks, width and pc, see rt_site_place() */
    uint32_t path, id;
};

/* Locksets (site.c).  Up to RT_LOCKS_TOLD: so many locks, the first that the access's segment tells (gl_core_holds()); above: a number of the
 * depot. */
#define RT_LOCKS_TOLD 14u
#define RT_LOCKS_CHANGED UINT32_MAX /* to be told; more than that stay so */

enum { RT_PENDING_SIGNAL = 1, RT_PENDING_SWEEP = 2 };

/* What of a thread's struct rt_tls goes with it when it does not run: a fiber (fiber.c). */
struct rt_away {
    struct rt_frame *top, *limit, *base;
    uint32_t ignore_accesses, ignore_sync;
    uint32_t key;
    bool ends; /* when it is left; guarded by the registry's lock */
};

#define RT_INTERRUPTED 4u
#define RT_READ        16u

struct rt_thread {
    struct gl_thread *core;    /* the algorithm's view */
    uint32_t tid;              /* 0 = main, 1, 2 ... in order of creation; never reused */
    uint32_t os_tid;           /* gettid() */
    uint32_t parent;           /* tid of the creator */
    uint32_t create_stack;     /* depot id: where it was created */
    char name[16];             /* pthread_setname_np */
    uintptr_t stack_lo, stack_hi, tls_lo, tls_hi; /* bytes of its stack and static TLS */
    uintptr_t pthread;         /* pthread_self(), for join; 0: not known yet */
    uint64_t named;            /* the how manieth of all threads whose id became known: of two with one id the later has it */
    void *(*start)(void *);    /* what pthread_create was given */
    void *arg;
    uint64_t signals;          /* blocked when its function begins */
    bool detached, finished, joined; /* guarded by the thread registry's lock */
    bool leaving;                    /* likewise: its end has begun */
    bool left;                 /* in a process that was forked: it stayed behind in the other; written when nobody else is there */
    uint32_t epoch_at_fork;    /* likewise: it went on here, perhaps, and what it had done was in epochs before that; 0: it stayed behind, or was not there */
    bool unheeded;             /* detached while somebody waited for it: it may still be joined; the same lock */
    bool wanted;               /* by its creator, who will come back to it; the same lock */
    uint32_t detaches;         /* calls that detach it are under way; the same lock */
    uint64_t waits_begun, waits_over; /* calls that may join it; one that was cut off is never over; the same lock */
    struct rt_tls *tls;        /* its thread-local part; NULL before it runs and after it ended */
    uint64_t end[3];           /* a struct gl_sync: what a join sinks on */
    struct rt_ring *ring;      /* of the recorder (record.h); NULL: none */
    struct rt_caches *caches;  /* what it looked up last (state.h); NULL once the thread ended */
    uint32_t read[RT_READ];    /* numbers of reader-writer locks of which its first use was compared; 0: none */
    struct rt_thread *next;    /* registry list */
    struct rt_away away;
    /* Its own shadow call stack, also while it runs in a context (context.c): then frames_top is where it was before, and `context` the one that
     * makecontext made; else NULL. */
    struct rt_frame *frames, *frames_limit, *frames_top;
    struct rt_context *context;
    /* Written by the thread, read by a sweep (sweep.c): */
    uintptr_t telling;         /* frame of the outermost rt_found() that it is in; 0: none.  The program's handler may run */
    uint32_t telling_in;       /* handlers of signals that it was in then: their stacks may lie anywhere */
    struct rt_interrupted {
        uint32_t handlers;     /* of signals that it is in, one inside the other; the first have a place in frame[] */
        uint32_t n;            /* of segment[]; there may be more than have a place */
        uint64_t segments;     /* how many it had begun when it left the outermost handler */
        uintptr_t frame[RT_INTERRUPTED];
        uint32_t segment[RT_INTERRUPTED]; /* whose keys may be in a filter that was interrupted */
        bool moved;                       /* a handler went on in another context: who it interrupted may go on at any time */
    } interrupted;
};

/* A race that was told (found.c). */
#define RT_TOLD 8u
struct rt_told {
    uintptr_t word;
    uint64_t bytes; /* bit i: byte word+i */
    uint32_t key, then_site;
};

/* A group (core/group.h) and the bytes in it of the segment that asked last: what the filter compares with. */
#define RT_MEMBERS 64u
struct rt_member {
    uint32_t group; /* a half */
    uint32_t mine;  /* a half of that segment */
};

/* The change of a half that the thread made last at a byte of its place in a word: halves in the low 32 bits, sites above. */
struct rt_scan {
    uint64_t old, access, next;
};

/* What the fast path touches, in static TLS. */
/* Pages that nobody had, one after the other, as a thread goes through fresh memory. */
#define RT_NEW_PAGES 4u
struct rt_new_pages {
    uintptr_t last;  /* page of them */
    uintptr_t ready; /* up to there their cells have memory */
    uint32_t n;
};

/* RUNS: handlers of signals are kept back, but for faults'.  FAULT: such a handler runs; signals that were kept back wait on, others come. */
enum { RT_LOOP_NONE, RT_LOOP_RUNS, RT_LOOP_FAULT };

struct rt_tls {
    uint32_t key;              /* current segment's half-word with mask 0, see core/cell.h; 0 = none yet */
    uint32_t tag;              /* pages with this tag are the thread's own; RT_NO_TAG: none are; others set it to that */
    union {
        struct {
            uint32_t depth;    /* > 0: inside the runtime; interceptors pass straight through */
            uint32_t quick;    /* 1: in a section (owner.h); depth > 0 then */
        };
        uint64_t inside;       /* both at once */
    };
    struct rt_frame *top;      /* one past the innermost frame */
    struct rt_frame *limit;
    struct rt_frame *base;     /* up to here the layout is known to programs: inline.h */
    struct rt_thread *self;    /* NULL until the thread is known */
    struct gl_thread *engine;  /* self->core */
    struct rt_site_fast *site_fast; /* RT_SITE_FAST entries */
    uint32_t ignore_accesses;  /* > 0: accesses are not checked */
    uint32_t ignore_sync;      /* > 0: synchronization is not recorded */
    uint32_t pending;          /* to be done in rt_leave(): RT_PENDING_* */
    uint32_t loop;             /* a loop whose accesses were told before it began: RT_LOOP_* (loop.c) */
    bool loop_faulted;         /* a fault's handler has run in that loop, whose mask of signals is: */
    uint64_t loop_mask;
    uint32_t locks;            /* the lockset of the locks held now, or RT_LOCKS_CHANGED */
    uint32_t in_libc;          /* > 0: libc's malloc runs for the program, which may have a lock that a fork wants: signals are kept back */
    bool async_cancel;         /* it asked for asynchronous cancellation: kept back while depth > 0 */
    bool ended;                /* the thread is past rt_thread_end() */
    bool counted;              /* as an unknown thread */
    struct rt_told told[RT_TOLD];
    struct rt_member member[RT_MEMBERS];
    struct rt_scan scan[2][4]; /* reads, writes; by the address's two low bits */
    uint32_t hidden_key;       /* where the current segment is said when the filter must not know it */
    uint32_t beside;           /* accesses that it found again in side records, since one was folded (gl_cell_fold()) */
    uint32_t pages_taken;      /* with the present tag */
    uint32_t poor_tags;        /* in a row: see owner.c */
    struct rt_new_pages new_pages[RT_NEW_PAGES];
    uint32_t new_pages_next;   /* to be replaced */
    uintptr_t handler_frame;   /* stack address below which the program's race handler runs; 0: it does not */
    uintptr_t signal_frame;    /* the same of a handler of signals */
    const void *reads;         /* what the descriptor read of which a call was made last (fd_entry.h); compared only */
    int raised;                /* the signal that the process's only thread is sending itself, outside of handlers; 0: none */
    bool signal_asked;         /* the handler that runs is that one's: it may do what it likes */
    uint32_t outer_accesses, outer_sync; /* while such handlers run: ignore_accesses, ignore_sync of what the outermost interrupted */
    struct rt_omp_task *omp;   /* OpenMP's task that it runs (omp.h); NULL: none */
    struct rt_omp_task *omp_waiting; /* stands for the innermost taskwait with dependences that it is in, under libomp */
    struct rt_omp_team *omp_opened; /* the innermost region that it has opened, under libomp */
    uintptr_t omp_caller;      /* who called the function of an OpenMP library that the thread is in; 0: in none that is intercepted */
    void *signal_stack;     /* of ours, of this thread (signal_stack.c): its low end; NULL: none */
    bool signal_stack_used; /* by handlers of the program's */
};
extern __thread struct rt_tls rt_tls __attribute__((tls_model("initial-exec")));

/* Enters the runtime from an interceptor or an ABI function.  NULL: pass straight through to the
 * real function, without rt_leave() (we are not up yet, already inside, or the thread is unknown
 * to us and cannot be made known).  Otherwise every path out calls rt_leave(). */
struct rt_thread *rt_enter(void);
void rt_leave(void);
/* Enters whatever the state of the thread: for its beginning and end, and for what must not be skipped. */
void rt_enter_always(void);

/* A jump has left the handlers of signals that ran: what they interrupted is ignored as before. */
void rt_signal_left(void);
/* What is pending, outside of the runtime: a sweep, handlers of signals that were kept back; called by rt_leave() (intercept_signal.c). */
void rt_deliver_pending(void);

/* Around a stay in the runtime of a thread with rt_tls.async_cancel (intercept_thread.c): libc's own signal for
 * cancellation is not kept back otherwise. */
void rt_cancel_hold(void);
void rt_cancel_release(void);

/* The calling thread asks for asynchronous cancellation (before libc knows), or no longer does (after). */
void rt_async_cancel(bool on);
/* Gives the filter the current segment, or hides it while accesses are ignored or the thread may be cancelled anywhere:
 * then nothing gets past rt_access_slow(), which looks at both. */
void rt_show_key(void);

/* The stack pointer becomes `sp` by longjmp: the frames below it are left. */
void rt_unwind_to(uintptr_t sp);

/* Contexts (makecontext, swapcontext) have shadow call stacks of their own, known by the address of their ucontext_t;
 * the thread stays who it is (context.c).  depth > 0. */
#define RT_CONTEXT_WORDS 42
long *rt_context_make(const void *context, uintptr_t stack, size_t bytes); /* room for the caller's words, as long as the context is this one; NULL: no memory */
/* From `from` (NULL: it is left for good) to `to`, which is on its way to stack pointer `sp`. */
void rt_context_switch(const void *from, const void *to, uintptr_t sp);
/* By longjmp the thread goes on where the stack pointer is sp, maybe in another context, or on its own stack again. */
extern bool rt_contexts_made; /* else that need not be asked */
extern _Atomic bool rt_fibers_used; /* the program says by itself when it switches, and contexts are its own business */
void rt_context_at(struct rt_thread *t, uintptr_t sp);
/* The thread ends, or the fiber: its own frames are nobody's any more. */
void rt_context_end(struct rt_thread *t);

/* Brings the runtime up; idempotent; safe before libc's constructors ran. */
void rt_init(void);

/* ---- memory accesses (pc = the place in the program, RT_CALLER() in the exported function) ---- */

void rt_read_range(struct rt_thread *t, const void *p, size_t n, uintptr_t pc);
void rt_write_range(struct rt_thread *t, const void *p, size_t n, uintptr_t pc);
/* The same by the calling thread, which is not inside the runtime. */
void rt_reads(uintptr_t a, size_t n, uintptr_t pc);
void rt_writes(uintptr_t a, size_t n, uintptr_t pc);
/* Does a long range end where memory is?  Of one that does not, accesses are recorded when they were made, if ever: it may go on for more than there is. */
#define RT_RANGE_ASKED (1u << 20) /* from so many bytes on: the question costs less than recording them */
bool rt_range_reaches(uintptr_t a, size_t n);
static inline bool rt_range_is_there(uintptr_t a, size_t n) { return RT_LIKELY(n < RT_RANGE_ASKED) || rt_range_reaches(a, n); }
/* A lock, condition variable or barrier is used (a read) or made (a write): as ThreadSanitizer, so that who destroys it, or frees its memory, while
 * others may still use it has a race with them. */
void rt_object_used(struct rt_thread *t, uintptr_t object, uintptr_t pc);
void rt_object_made(struct rt_thread *t, uintptr_t object, uintptr_t pc);

/* The block [p, p+n) came from the allocator: its bytes are fresh, `pc` allocated it. */
void rt_heap_alloc(struct rt_thread *t, void *p, size_t n, uintptr_t pc);
/* The same in a heap of the program's own, whose blocks are whole words side by side; of mapped memory. */
void rt_heap_alloc_tight(struct rt_thread *t, uintptr_t p, size_t n, uintptr_t pc);
/* Before the real free: a write of all its bytes; its sync objects end.  Returns the block's size. */
size_t rt_heap_free(struct rt_thread *t, void *p, uintptr_t pc);
/* The size asked for of a live block that starts at p; false: not known to us.  Exact below 1 GiB, else
 * rounded down to whole pages. */
bool rt_heap_size(const void *p, size_t *n);
/* Bytes that the program got from elsewhere (mmap, a new stack) are fresh; sync objects end.
 * t may be NULL. */
void rt_memory_fresh(struct rt_thread *t, uintptr_t p, size_t n);
/* The same for the stack [lo, hi) of a thread that begins. */
void rt_stack_fresh(struct rt_thread *t, uintptr_t lo, uintptr_t hi);

/* ---- synchronization (objects are known by address; made at first use) ------------------------- */

/* Mutexes and spin locks.  Reentrancy is counted here.  acquired: after the real lock;
 * releasing: before the real unlock.  created forgets what was at this address before; destroyed
 * forgets it now. */
enum rt_kind { RT_MUTEX = 1, RT_RWLOCK, RT_SPIN, RT_COND, RT_BARRIER, RT_SEM, RT_ONCE, RT_ATOMIC, RT_USER };

void rt_sync_create(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc);
void rt_sync_destroy(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc);

/* Before an object is destroyed: a write.  Of a lock, the race with the last use of it is told here; with other uses but a thread's first it is not. */
void rt_object_ending(struct rt_thread *t, uintptr_t object, enum rt_kind kind, uintptr_t pc);
void rt_mutex_acquired(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc);
/* false: t was not known to hold it. */
bool rt_mutex_releasing(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc);
bool rt_mutex_is_held(struct rt_thread *t, uintptr_t addr); /* by t, as far as we saw */
void rt_mutex_robust(struct rt_thread *t, uintptr_t addr); /* t has taken it, and it is robust */
bool rt_mutex_passes_on(struct rt_thread *t, uintptr_t addr); /* t holds it, as far as we saw, and it is robust */
/* Condition wait: gives the mutex up whatever its depth; returns the depth for the way back. */
uint32_t rt_mutex_wait_begin(struct rt_thread *t, uintptr_t mutex, uintptr_t pc);
void rt_mutex_wait_end(struct rt_thread *t, uintptr_t mutex, uint32_t depth, uintptr_t pc);

void rt_rwlock_read_acquired(struct rt_thread *t, uintptr_t addr, uintptr_t pc);
void rt_rwlock_write_acquired(struct rt_thread *t, uintptr_t addr, uintptr_t pc);
void rt_rwlock_releasing(struct rt_thread *t, uintptr_t addr, uintptr_t pc); /* either kind */

/* Plain edges.  Several sources before a sink all count (merge). */
void rt_release(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc);
void rt_acquire(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc);
/* The same by annotation, of whatever is at addr: also of what atomic operations there pass on. */
void rt_told_release(struct rt_thread *t, uintptr_t addr, uintptr_t pc);
void rt_told_acquire(struct rt_thread *t, uintptr_t addr, uintptr_t pc);

/* The same with the object's lock held across a real operation, so that record and effect are one
 * step (semaphores, atomics): lock, try the real thing, then record while still locked. */
struct rt_sync;
struct rt_sync *rt_sync_lock(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc);
void rt_sync_release_locked(struct rt_thread *t, struct rt_sync *s);
void rt_sync_acquire_locked(struct rt_thread *t, struct rt_sync *s);
uint32_t *rt_sync_futex_word(struct rt_sync *s); /* for waiting outside the lock; valid while the object lives */
void rt_sync_unlock(struct rt_sync *s);

/* Barriers: the runtime implements the wait itself, so that generations are exact.
 * Returns what pthread_barrier_wait returns.  t: NULL where the thread is not known, which counts and orders nothing. */
void rt_barrier_create(struct rt_thread *t, uintptr_t addr, uint32_t count, uintptr_t pc);
int rt_barrier_wait(struct rt_thread *t, uintptr_t addr, uintptr_t pc, bool *known);

/* ---- threads -------------------------------------------------------------------------------- */

/* pthread_create: the creator makes the child's record before the real call (which gets
 * the record as argument) and drops it when the real call failed. */
struct rt_thread *rt_thread_create(struct rt_thread *creator, void *(*start)(void *), void *arg,
                                   bool detached, uintptr_t pc);
void rt_thread_create_failed(struct rt_thread *creator, struct rt_thread *child);
void rt_thread_created(struct rt_thread *child, const uintptr_t *pthread); /* the real call succeeded, and wrote that */
void rt_thread_unwanted(struct rt_thread *child);                   /* then the creator is done with it */
void rt_thread_begin(struct rt_thread *t, uintptr_t pthread); /* the calling thread is t from here on; pthread: pthread_self() */
/* The calling thread is about to end; true: all others that are known have, or are about to. */
bool rt_thread_leaves(void);
/* An exit handler begins: the thread may have ended for us, with its signals blocked. */
void rt_thread_exits(void);
void rt_thread_end(void);                  /* the calling thread's last act, from a TLS-destructor-like hook */
/* The record of a joinable thread, by pthread_t; NULL: not one of ours. */
struct rt_thread *rt_thread_find(uintptr_t pthread);
/* The same before a real join, and after it, whatever came of it. */
struct rt_thread *rt_thread_wait_begin(uintptr_t pthread);
void rt_thread_wait_end(struct rt_thread *child);
void rt_thread_joined(struct rt_thread *t, struct rt_thread *child); /* after a successful real join */
/* The same before a real detach, and after it, with what the first call said of the waits for the thread that were over. */
struct rt_thread *rt_thread_detach_begin(uintptr_t pthread, uint64_t *waits_over);
void rt_thread_detach_end(struct rt_thread *child, bool detached, uint64_t waits_over);

/* Threads without a stack size of their own get the one that libc gives them when stacks are unlimited (intercept_thread.c). */
void rt_threads_default_stack(void);

/* A flow of control that libc will run on threads of its own (timers): made by t, so it comes after what t did.  A thread
 * that is not known steps in, the first thing that it does, and is that thread until it steps out; its handle is `pthread`.  false: another is in, or it is
 * ended.  depth > 0 (fiber.c). */
struct rt_thread *rt_thread_aside(struct rt_thread *t, uintptr_t pc);
/* The same with room for so many frames on its shadow call stack, which grows; depth > 0, both. */
struct rt_thread *rt_thread_aside_with(struct rt_thread *t, uintptr_t pc, size_t frames);
void rt_frames_grow(void);
bool rt_thread_step_in(struct rt_thread *aside, uintptr_t pthread);
void rt_thread_step_out(struct rt_thread *aside);
void rt_thread_aside_end(struct rt_thread *aside); /* at once, or when the one who is in steps out */
/* The calling thread of the system, which is `home` when it runs nobody else, goes on as `to` (made by rt_thread_aside(), or home): the only one who runs it,
 * though the thread that did before need not have said that it no longer does.  What it looks up is kept by home.  depth > 0 (fiber.c). */
void rt_thread_run_as(struct rt_thread *to, struct rt_thread *home);

/* ---- process ---------------------------------------------------------------------------------- */
void rt_fork_before(void);
void rt_fork_parent(void);
void rt_fork_child(void);
/* At normal exit: prints the closing lines; returns the exit code to use in place of `code`
 * (66 by default when races were reported). */
int rt_finish(int code);
void rt_death(void); /* depth 0: calls the program's death callback, once */

/* The descriptor of the recording, which is not the program's to close; -1: none.  Any depth. */
int rt_record_descriptor(void);
/* The program has put something there by dup2: if that is stdout or stderr, reports may go there. */
void rt_log_given(int fd);

/* The calling thread has slept; from outside the runtime (slept.c). */
void rt_has_slept(uintptr_t pc);

/* Functions of these names the program may have (<sanitizer/tsan_interface.h>). */
RT_EXPORT void __tsan_on_initialize(void);
RT_EXPORT int __tsan_on_finalize(int failed);
void rt_finalize_find(void); /* those of another library, once */

/* Says of loaded modules that are not instrumented, or not wholly, what has not been said yet (modules.c).  depth > 0. */
void rt_modules_look(void);
/* Behind the reports: names a library of those that the program began with that is known to order what it does not tell. */
void rt_modules_closing(void);
/* Is this the frame of ours that stands in a stack between an exit handler and the place where it was registered (intercept_late.c)? */
bool rt_exit_note(uintptr_t pc);
/* Is the code at pc, a return address, instrumented, or of a library that comes with compilers?  For reports. */
bool rt_module_seen(uintptr_t pc);
/* When the runtime begins; when code with `pc`, of a library's constructor, does, before all other code of the library; and when a library with this address
 * in it ends, its destructors still to run.  The last two under the linker's lock for loading; depth 0. */
void rt_modules_init(void);
void rt_module_begins(uintptr_t pc);
void rt_module_ends(uintptr_t inside);
/* The library at `lo` is not mapped any more, as of when so many had been loaded ever.  depth > 0. */
void rt_module_gone(uintptr_t lo, unsigned long loads);
/* How often one of the last two was called.  As long as that is the same, an address stays in the module in which it is. */
uint64_t rt_modules_ended(void);

/* ---- counting what was not done ------------------------------------------------------------ */
enum rt_counter {
#define X(name, sentence) RT_COUNT_##name,
#include "native/counters.def"
#undef X
    RT_COUNT_END
};
void rt_count(enum rt_counter c);

#endif
