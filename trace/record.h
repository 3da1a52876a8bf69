/* SPDX-License-Identifier: Apache-2.0
 *
 * Recording what a detector is told: a wrapper behind the detector interface, for front ends.
 *
 *     struct gl_state *inner = gl_detector_goldilocks.create(&env);
 *     struct gl_state *both = gl_record_over(&env, &gl_detector_goldilocks, inner, put_bytes, file);
 *     gl_detector_record.event(both, &event, &race);      is written, then judged
 *     gl_record_close(both);                              writes the end; inner is the caller's again
 *
 * The events are those of core/event.h, with the caller's own numbers and addresses; the file has names made of the numbers
 * ("T3", "m0"), and addresses.  Atomics are all with data or all without: a trace cannot hold both.  One call at a time.
 */
#ifndef GL_TRACE_RECORD_H
#define GL_TRACE_RECORD_H

#include "trace/writer.h"

/* The interface over a state that gl_record_over() made; .create gives NULL, since it does not know what to wrap.  destroy
 * is gl_record_close() for who does not ask whether all was written.  Statuses and races are the wrapped detector's, which
 * also judges on when writing has failed. */
extern const struct gl_detector gl_detector_record;

/* Begins a recording in our binary format, which goes to `out`.  `inner`: passed every event; NULL: only written, and every
 * status is GL_OK.  NULL: no memory, or nothing could be written. */
struct gl_state *gl_record_over(const struct gl_env *env, const struct gl_detector *detector, struct gl_state *inner,
                                gl_bytes_fn *out, void *ctx);
/* The name of a site, if not "L<site>": before the first event with it.  Names must differ.  False: no memory. */
bool gl_record_site(struct gl_state *s, uint32_t site, const char *name);
/* The name of the variable of `size` bytes at an address, which readers show beside the address: once for each.  It ends at the page
 * on which it begins.  False: no memory. */
bool gl_record_variable(struct gl_state *s, uint64_t address, uint64_t size, const char *name);
/* Everything that was given goes out as whole sections, so that a reader finds it should nothing follow. */
bool gl_record_flush(struct gl_state *s);
/* Writes what is left.  False: not everything could be written. */
bool gl_record_close(struct gl_state *s);

/* An event on its way to a trace; false: stop. */
typedef bool gl_event_fn(void *ctx, const struct gl_event *e);

/* Gives `put` the event on memory (class DATA, or ATOMIC with data), whose object is an address, as events that the binary
 * format can hold: with places of `names`, each within one page, of at most 64 bytes unless it is an ALLOC.  `size` stands
 * for e->size, which an ALLOC may exceed.  Of an ALLOC only the first page and those that were mentioned before come out:
 * the others have nothing to forget.  False: no memory, or put() said so. */
bool gl_record_places(struct gl_names *names, const struct gl_event *e, uint64_t size, gl_event_fn *put, void *ctx);

#endif
