/* SPDX-License-Identifier: Apache-2.0
 *
 * How a report is made: begin, fill in with the parts below, tell, end.
 *
 *     struct rt_report *p = rt_report_begin(false);
 *     if (p) {
 *         p->r.type = ...;
 *         rt_report_place(p, addr);
 *         verdict = rt_report_tell(p);
 *         rt_report_end();
 *     }
 *
 * Between begin and end the report lock is held (rank 1).  Inside the runtime only, no lock of ours held.
 */
#ifndef GL_NATIVE_COLLECT_H
#define GL_NATIVE_COLLECT_H

#include "native/state.h"
#include "report/report.h"

enum {
    RT_MAX_PCS = 256,
    RT_MAX_HELD = 64,
    RT_MAX_CYCLE = 32,
    RT_MAX_THREADS = RT_MAX_CYCLE + 12,
    RT_MAX_STACKS = 25 + 2 * RT_MAX_HELD + 3 * RT_MAX_CYCLE
};

/* What a report borrows while it is printed. */
struct rt_report {
    struct gl_report r;
    struct gl_report_held held[2][RT_MAX_HELD];
    struct gl_report_mutex mutex[2 * RT_MAX_HELD];
    uint32_t cookie[2 * RT_MAX_HELD]; /* of mutex[i] */
    struct gl_report_thread thread[RT_MAX_THREADS];
    struct gl_report_stack stack[2];
    struct gl_report_edge edge[RT_MAX_CYCLE];
    uintptr_t pcs[RT_MAX_STACKS][RT_MAX_PCS];
    size_t stacks; /* used of pcs */
    char why[400];
};

/* An empty report.  NULL, and the lock is not held: no memory, or the closing lines are out (at_end: before they are). */
struct rt_report *rt_report_begin(bool at_end);
/* The same, at the end of the program, for who holds other locks: NULL as well when another report takes long, which may wait for those. */
struct rt_report *rt_report_begin_soon(void);
void rt_report_end(void);
bool rt_in_runtime(uintptr_t pc); /* is it our own code? */
bool rt_report_is_mine(void); /* is the calling thread between the two? */

enum rt_verdict {
    RT_PRINTED,
    RT_NOT_PRINTED, /* told before, or past the limit: counted */
    RT_HELD_BACK    /* by a suppression: counts as if it had not happened */
};
bool rt_report_full(void); /* is the limit reached?  Then one more is counted as not printed */
enum rt_verdict rt_report_tell(struct rt_report *p);
/* What the options say is to be done after a report: nothing, the end of the program, a trap.  The report lock is not held. */
void rt_report_done(enum rt_verdict verdict);

/* ---- parts ---- */

/* The stack of a depot node, without the frames that only start a thread or the program. */
struct gl_report_stack rt_report_stack(struct rt_report *p, uint32_t node);
/* Has this stack's innermost frame called a function that uses a mutex, a reader-writer lock or a spin lock? */
bool rt_report_uses_lock(const struct gl_report_stack *s);
/* Adds one of r.stack. */
void rt_report_where(struct rt_report *p, uint32_t node);
/* The thread; those that created it come when all is told. */
void rt_report_thread(struct rt_report *p, uint32_t tid);
/* The mutex of a serial or cookie; its number in this report. */
uint32_t rt_report_mutex(struct rt_report *p, uint32_t serial);
/* The locks of an access in this segment. */
void rt_report_locks(struct rt_report *p, int which, uint32_t lockset, uint32_t segment);
/* What is at the address. */
void rt_report_place(struct rt_report *p, uintptr_t a);
/* A block that was freed: its extent is that of the free. */
void rt_report_freed(struct rt_report *p, const struct gl_report_access *freed);

/* Whose stack or thread-local memory is at the address, and its extent; false: nobody's. */
bool rt_place_of_thread(uintptr_t a, enum gl_report_place *place, uint32_t *thread, uintptr_t *start, size_t *size);

/* The report whose hook runs; NULL: none does (abi_report.c). */
extern struct rt_report *rt_current_report;

/* ---- suppressions (suppressions.c) ---- */

/* Reads the file of option `suppressions` and the program's defaults.  At start; ends the program when they are wrong. */
void rt_suppressions_read(void);
/* Is this report held back?  Counted.  Under the report lock. */
bool rt_suppressed(const struct gl_report *r);
bool rt_suppressions_any(void);
/* With option print_suppressions: what matched how often. */
void rt_suppressions_print(void);
/* Is the module of this code left out by called_from_lib or ignore_noninstrumented_modules? */
bool rt_module_ignored(uintptr_t pc);

/* Frames of a program counter as the options want them; for printers. */
int rt_report_frames(void *ctx, uintptr_t pc, struct gl_report_frame *out, int max);

#endif
