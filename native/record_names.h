/* SPDX-License-Identifier: Apache-2.0
 *
 * From records to the events of a trace: what numbers and names their threads, objects, places and sites have in the file.
 * For the writer alone, under its lock.
 */
#ifndef GL_NATIVE_RECORD_NAMES_H
#define GL_NATIVE_RECORD_NAMES_H

#include "native/record.h"
#include "trace/record.h"

/* Numbers by number, 0: none yet. */
struct rt_number_map {
    uint32_t *at;
    uint64_t room;
};

struct rt_translation {
    const struct gl_env *env;
    struct gl_names *names; /* of the file */
    struct gl_names *paths; /* numbers of call paths: strings by their pcs, data by their frames */
    struct rt_number_map threads, objects, sites;
    uint64_t pages; /* of the data space that were looked at for variables of the program */
    struct rt_number_map locations, lines; /* of a call path by its pcs, and by its frames */
};

/* False: no memory. */
bool rt_translation_begin(struct rt_translation *x, const struct gl_env *env);
void rt_translation_end(struct rt_translation *x);

/* Calls `put` for what the record of thread `tid` is in the file; an ALLOC may be several events.  False: no memory, or put
 * said so. */
bool rt_translate(struct rt_translation *x, uint32_t tid, const struct rt_event *r, gl_event_fn *put, void *ctx);

#endif
