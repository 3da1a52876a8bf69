/* SPDX-License-Identifier: Apache-2.0
 *
 * One EVENTS section while it is read: its columns, and where in them we are (private to trace/).
 *
 * Events are spread over byte planes (all kinds, all lowest bytes of threads, ...), which zstd packs better than
 * records and which unpack faster; a block of them at a time is put together again.  Planes that were stored as they
 * are stay where they are in the file.
 */
#ifndef GL_TRACE_BINARY_CHUNK_H
#define GL_TRACE_BINARY_CHUNK_H

#include "trace/binary_block.h"
#include "trace/trace.h"

enum {
    GL_CHUNK_STEP = 256, /* events put together at a time: as many as who judges a trace asks for, since whole steps are vector code */
    GL_CHUNK_PLANES = 1 + 4 + 8 + 4
};

/* Byte i of the plane is at[i], or at[i % GL_CHUNK_STEP] of a constant one. */
struct gl_plane {
    const unsigned char *at;
    bool constant;
};

/* What most events need of their kind. */
struct gl_chunk_kind {
    unsigned char op_order[8]; /* as in struct gl_event */
    uint64_t limit;            /* objects are below; 0: there is no such kind */
    unsigned char size[8]; /* and what comes after it, n_reads: none */
};

struct gl_chunk {
    struct gl_codec codec;
    struct goldilocks_trace_events head;
    uint64_t first; /* record number of event 0 */
    uint32_t at;    /* the next event */
    uint64_t operand_at;

    unsigned char *space; /* unpacked planes, then operands; mapped */
    size_t space_size;
    uint64_t *operand; /* in space */
    struct gl_plane kind, thread[4], object[8], site[4];
    unsigned char constant[GL_CHUNK_PLANES][GL_CHUNK_STEP];

    uint32_t threads, sites; /* numbers of both are below */
    uint64_t data_end;
    bool no_sites;                                      /* the caller's: events have site 0, and planes of sites are not unpacked */
    bool has_operands;                                  /* some shape takes operands */
    struct gl_event shape[GOLDILOCKS_TRACE_SHAPES_MAX]; /* what a kind gives every event of it */
    struct gl_chunk_kind kinds[GOLDILOCKS_TRACE_SHAPES_MAX];
    uint8_t size_in_operands[GOLDILOCKS_TRACE_SHAPES_MAX];

    struct { /* the columns of one step */
        uint32_t thread[GL_CHUNK_STEP], low[GL_CHUNK_STEP], high[GL_CHUNK_STEP], site[GL_CHUNK_STEP];
        uint64_t object[GL_CHUNK_STEP];
    } column;
};

/* False: no memory.  fini is right in both cases, and on zeroes. */
bool gl_chunk_init(struct gl_chunk *c, const struct gl_env *env);
void gl_chunk_fini(struct gl_chunk *c);

/* Takes up the payload of an EVENTS section, which stays where it is.  `names` are those that the file gives before
 * it.  NULL: the first gl_chunk_read() begins with event 0; otherwise a sentence: what is wrong. */
const char *gl_chunk_open(struct gl_chunk *c, const unsigned char *payload, uint64_t size, uint64_t first,
                          const struct gl_names *names);

/* Up to n of the next events and their records; *got = 0: there are no more.  NULL, or a sentence about an event
 * among the next n that cannot be (then *got is not set).  Operand lists live until the chunk is opened again. */
const char *gl_chunk_read(struct gl_chunk *c, struct gl_event *events, uint64_t *records, size_t n,
                          size_t *got);

/* The next n events (no more than are left) are passed over.  NULL, or a sentence. */
const char *gl_chunk_skip(struct gl_chunk *c, uint32_t n);

#endif
