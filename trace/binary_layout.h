/* SPDX-License-Identifier: Apache-2.0
 *
 * The sections of a binary trace: where each one lies, found through the index at the end, or, in a file that has
 * none, from section to section (docs/trace-format.md).
 *
 * A section is trusted only after gl_section_open() has verified its sums.
 */
#ifndef GL_TRACE_BINARY_LAYOUT_H
#define GL_TRACE_BINARY_LAYOUT_H

#include "goldilocks/trace_format.h"
#include "trace/trace.h"

struct gl_section {
    uint64_t offset; /* of its head, from the start of the file */
    uint64_t first;  /* EVENTS: record number of its first event */
    uint32_t type;   /* GOLDILOCKS_TRACE_*; 0: what stands here is damaged, and nothing follows */
    uint32_t events; /* EVENTS: how many */
};

struct gl_layout {
    struct gl_env env;
    struct gl_section *section;
    uint32_t *chunk; /* places of EVENTS sections in section[] */
    size_t n, n_chunks;
    size_t room;     /* of section[] and chunk[] */
    uint64_t events; /* in all chunks together */
    bool complete;   /* the file has its index: what wrote it came to its end */
};

/* Are these the first bytes of a binary trace of any version? */
bool gl_layout_detect(const unsigned char *bytes, size_t size, bool whole);

/* The head of a file, without which there is nothing to read.  False: *error is filled. */
bool gl_layout_head(const unsigned char *bytes, size_t size, struct gl_trace_error *error);

/* False: *error is filled (not our format, another version, no memory).  fini is right in both cases. */
bool gl_layout_read(struct gl_layout *l, const struct gl_env *env, const unsigned char *bytes, size_t size,
                    struct gl_trace_error *error);
void gl_layout_fini(struct gl_layout *l);

/* What stands at an offset of a file that may be longer than the `size` bytes that are here. */
enum gl_look {
    GL_LOOK_SECTION, /* a section, all of it; or what is damaged (type 0), and nothing follows */
    GL_LOOK_CUT,     /* a part of a section */
    GL_LOOK_INDEX,   /* the index: nothing but the tail follows */
    GL_LOOK_END      /* room that was reserved and never written: no section follows */
};

/* *s := the section there.  `events` are those in the sections before it.  *need: with GL_LOOK_CUT, to what size the bytes must
 * grow before more can be said; with GL_LOOK_INDEX, where the tail ends. */
enum gl_look gl_layout_look(const unsigned char *bytes, size_t size, uint64_t offset, uint64_t events, struct gl_section *s,
                            uint64_t *need);

/* False: another trace begins behind this one, which ends at `end`, and *error says so. */
bool gl_layout_ends(const unsigned char *bytes, size_t size, uint64_t end, struct gl_trace_error *error);

/* The chunk that holds a record (1 <= record <= l->events), as a place in l->chunk[]. */
size_t gl_layout_chunk_of(const struct gl_layout *l, uint64_t record);

/* *head and *payload := the section, once its place and sums are found right.  False: *error is filled. */
bool gl_section_open(const struct gl_section *s, const unsigned char *bytes, size_t size,
                     struct goldilocks_trace_section *head, const unsigned char **payload,
                     struct gl_trace_error *error);

#endif
