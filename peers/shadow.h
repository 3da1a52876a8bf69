/* SPDX-License-Identifier: Apache-2.0
 *
 * What a clock-based detector remembers of the data: one cell per four bytes of the flat address space, and the
 * way from an event to its cells and back to one verdict.  The rule for a variable is the detector's (gl_var_rule).
 *
 * Four bytes that were always accessed together are one variable, in the cell itself: 32 bytes, half a cache line.
 * The first access (or ALLOC) of only some of them splits the cell into four variables, one per byte, each with a copy
 * of what was known; so nothing is widened and nothing lost.  A plain write of all four makes the cell whole again,
 * since it replaces all that was known; so does an ALLOC.
 *
 *     cell.write  is GL_VAR_SPLIT:  the four variables are in cell.split; the other fields are 0
 *     otherwise:                    the cell is a variable
 */
#ifndef GL_PEERS_SHADOW_H
#define GL_PEERS_SHADOW_H

#include "peers/hb_sync.h"
#include "peers/history.h"

enum gl_access { GL_PLAIN_READ, GL_PLAIN_WRITE, GL_ATOMIC_READ, GL_ATOMIC_WRITE, GL_ACCESSES };

/* These are not epochs of any thread: numbers above GL_CLOCK_THREADS are known to nobody. */
#define GL_VAR_SPLIT  ((uint64_t)1 << 63)
#define GL_VAR_SHARED ((uint64_t)1 << 63)

/* More than two epochs can say; made when it is needed. */
struct gl_var_more {
    struct gl_history of[GL_ACCESSES];
};

struct gl_var {
    uint64_t write; /* epoch of the last plain write, or 0 */
    uint64_t read;  /* epoch of the last plain read since, or 0; GL_VAR_SHARED: see more */
    uint32_t write_site, read_site;
    union {
        struct gl_var_more *more; /* NULL: there is no more */
        struct gl_var *split;     /* GL_VAR_SPLIT: four variables */
    };
};

_Static_assert(sizeof(struct gl_var) == 32, "two cells to a cache line");

/* The verdict on one variable. */
enum gl_var_verdict { GL_VAR_OK, GL_VAR_RACE, GL_VAR_NOMEM };

/* One access of a variable that is not split: compares it with the earlier ones, and remembers it.  After a plain write
 * nothing earlier is remembered.  On a race *then is an earlier access that it races with. */
typedef enum gl_var_verdict gl_var_rule(struct gl_hb *hb, struct gl_var *v, const struct gl_hb_thread *t,
                                        enum gl_access kind, uint32_t site, struct gl_race_access *then);

struct gl_shadow {
    struct gl_table cells; /* by address / 4 */
    gl_var_rule *rule;
};

#define GL_SHADOW_SHIFT 10

/* The cell of the four bytes around the address, made when it is new.  NULL: no memory, or too high an address. */
static inline struct gl_var *gl_shadow_cell(struct gl_shadow *s, struct gl_hb *hb, uint64_t address)
{
    return gl_table_at(&s->cells, &hb->pool, address >> 2, sizeof(struct gl_var), GL_SHADOW_SHIFT);
}

/* Forgets everything about a variable that is not split. */
void gl_var_forget(struct gl_var *v, struct gl_hb *hb);

/* The variable's histories, made when they are new.  NULL: no memory. */
struct gl_var_more *gl_var_more(struct gl_var *v, struct gl_hb *hb);

/* Is there an access in this history that the thread does not know?  Then *then is one. */
bool gl_var_unordered(const struct gl_var *v, enum gl_access kind, const struct gl_hb_thread *t,
                      struct gl_race_access *then);

/* A detector made of clocks and cells: its gl_detector.event is this, or a short cut in front of it. */
struct gl_clock_detector {
    struct gl_hb hb;
    struct gl_shadow shadow;
    gl_status stopped; /* not GL_OK: an order was lost, and any later verdict could be wrong */
    uint64_t n_accesses, n_syncs, n_races; /* possible events; n_accesses: those that come this far */
};

/* A detector's state of `size` bytes that begins with a gl_clock_detector.  NULL: no memory. */
void *gl_clock_detector_create(size_t size, const struct gl_env *env, const struct gl_hb_kind *kind,
                               gl_var_rule *rule);
void gl_clock_detector_destroy(struct gl_clock_detector *d, size_t size);

/* gl_detector.event */
gl_status gl_clock_detector_event(struct gl_clock_detector *d, const struct gl_event *e,
                                  struct gl_race *race);

/* The counters of the parts, and events, accesses and races: `short_cuts` accesses never came to the function above. */
void gl_clock_detector_counts(const struct gl_clock_detector *d, uint64_t short_cuts, gl_count_fn *count,
                              void *ctx);

#endif
