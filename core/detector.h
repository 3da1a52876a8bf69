/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface every detector has: the core engine, the papers' other detectors, and wrappers
 * around them.  Events go in, verdicts come out, nothing else flows back.
 *
 * Contract on the caller
 *   1. the events of one thread come in program order;
 *   2. a release is reported before the real release, an acquire after the real acquire, and events
 *      on one synchronization object are reported in the order in which they took effect;
 *   3. a detector that says GL_CAN_CONCUR may be called from several threads at once, for different
 *      event.thread; calls on one variable may overlap.  All others: one call at a time.
 */
#ifndef GL_CORE_DETECTOR_H
#define GL_CORE_DETECTOR_H

#include "core/env.h"
#include "core/event.h"
#include "core/race.h"

typedef enum {
    GL_OK = 0,
    GL_RACE,    /* the access raced; *race says with what */
    GL_NOMEM,   /* memory ran out: an access was not recorded, or (sync) checking has stopped */
    GL_INVALID, /* the event is impossible here: unlock of a free mutex, join of an unknown thread */
    GL_LIMIT    /* more threads, objects or segments than the representation holds */
} gl_status;

const char *gl_status_message(gl_status s); /* a sentence */

enum { GL_CAN_PRECISE = 1, GL_CAN_CONCUR = 2 }; /* gl_detector.can */

struct gl_state; /* a detector's own */

/* Called once per counter: name (identifier), what it counts (sentence), value. */
typedef void gl_count_fn(void *ctx, const char *name, const char *sentence, uint64_t value);

/* A part of a detector that can be turned on and off, to see what it does. */
struct gl_switch {
    const char *name;
    bool usual; /* on, unless set */
    const char *sentence;
};

struct gl_detector {
    size_t size;      /* of this struct: lets it grow */
    const char *name; /* "goldilocks", "goldilocks-eager" ... */
    unsigned can;     /* GL_CAN_* */
    const char *sentence; /* what it is and what it promises, for a list of detectors */

    struct gl_state *(*create)(const struct gl_env *env); /* NULL: no memory */
    void (*destroy)(struct gl_state *);

    /* One event.  GL_RACE: *race is filled (race may be NULL: then only the status says it).
     * After a race the access counts as made: detection goes on with it as the last access. */
    gl_status (*event)(struct gl_state *, const struct gl_event *, struct gl_race *race);

    void (*counts)(const struct gl_state *, gl_count_fn *, void *ctx);

    /* Optional (NULL: none): switches for study, by name, set before the first event. */
    const struct gl_switch *switches; /* ends with a NULL name */
    void (*set)(struct gl_state *, const char *name, bool on);

    /* Optional (NULL: none), for who has many events at hand and is the only caller: no other call on this state overlaps.
     * The same as event() on one of e[0..n), n > 0, after the other, up to the first whose status is not GL_OK.
     * Returns how many that were; *status and *race are the last one's. */
    size_t (*events)(struct gl_state *, const struct gl_event *e, size_t n, struct gl_race *race, gl_status *status);
};

extern const struct gl_detector gl_detector_goldilocks; /* core/goldilocks.c */

#endif
