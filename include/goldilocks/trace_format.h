/* SPDX-License-Identifier: Apache-2.0
 *
 * The binary form of recorded executions, for programs that read or write it themselves: what lies where in a file
 * ("*.gltrace").  docs/trace-format.md is the specification; this is its layout in C.
 *
 *     head | section | section | ... | INDEX section | tail
 *
 * All numbers are little-endian.  The structs have no padding, so that a little-endian machine may copy them out of
 * the file as they are; nothing in a file is aligned.  C and C++.
 */
#ifndef GOLDILOCKS_TRACE_FORMAT_H
#define GOLDILOCKS_TRACE_FORMAT_H

#include <stdint.h>

#define GOLDILOCKS_TRACE_MAGIC     "\x89GLT\r\n\x1a\n" /* 8 bytes, without the zero */
#define GOLDILOCKS_TRACE_END_MAGIC "\x89GLE\r\n\x1a\n" /* 8 bytes, without the zero */

enum {
    GOLDILOCKS_TRACE_VERSION = 1,
    GOLDILOCKS_TRACE_BLOCK_MAX = 1 << 24,   /* bytes of a block when unpacked */
    GOLDILOCKS_TRACE_EVENTS_MAX = 1 << 20,  /* events in one EVENTS section */
    GOLDILOCKS_TRACE_OPERANDS_MAX = 1 << 21, /* operands in one EVENTS section */
    GOLDILOCKS_TRACE_SHAPES_MAX = 256,      /* shapes in one EVENTS section */
    GOLDILOCKS_TRACE_PAGE = 4096            /* bytes of a page of the data space */
};

/* The first bytes of a file. */
struct goldilocks_trace_head {
    uint8_t magic[8];  /* GOLDILOCKS_TRACE_MAGIC */
    uint32_t version;  /* GOLDILOCKS_TRACE_VERSION */
    uint32_t reserved; /* 0 */
};

/* Section types: four characters, the first one in the lowest byte. */
#define GOLDILOCKS_TRACE_FOUR(a, b, c, d) \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define GOLDILOCKS_TRACE_EVENTS GOLDILOCKS_TRACE_FOUR('E', 'V', 'T', 'S')
#define GOLDILOCKS_TRACE_NAMES  GOLDILOCKS_TRACE_FOUR('N', 'A', 'M', 'E')
#define GOLDILOCKS_TRACE_PAGES  GOLDILOCKS_TRACE_FOUR('P', 'A', 'G', 'E')
#define GOLDILOCKS_TRACE_STACKS GOLDILOCKS_TRACE_FOUR('S', 'T', 'C', 'K')
#define GOLDILOCKS_TRACE_SYMBOLS GOLDILOCKS_TRACE_FOUR('S', 'Y', 'M', 'B')
#define GOLDILOCKS_TRACE_INDEX  GOLDILOCKS_TRACE_FOUR('I', 'N', 'D', 'X')

enum { GOLDILOCKS_TRACE_REQUIRED = 1 }; /* section.flags: who does not know the type cannot read the file */

/* Stands before the payload of each section. */
struct goldilocks_trace_section {
    uint32_t type;        /* GOLDILOCKS_TRACE_*; a reader skips types that it does not know */
    uint32_t flags;       /* GOLDILOCKS_TRACE_REQUIRED or 0 */
    uint64_t size;        /* bytes of the payload, which follows */
    uint64_t first;       /* EVENTS: record number of its first event (from 1); INDEX: events in the file; else 0 */
    uint64_t payload_sum; /* XXH64, seed 0, of the payload */
    uint64_t head_sum;    /* XXH64, seed 0, of the 32 bytes before it */
};

enum {
    GOLDILOCKS_TRACE_STORED = 0,   /* the bytes themselves */
    GOLDILOCKS_TRACE_CONSTANT = 1, /* one byte, which all of them equal */
    GOLDILOCKS_TRACE_ZSTD = 2,     /* one Zstandard frame (RFC 8878) */
    GOLDILOCKS_TRACE_FOUR = 3      /* four values, then two bits for each byte, the first one's lowest: which of the values it is */
};

/* A run of bytes, perhaps packed. */
struct goldilocks_trace_block {
    uint32_t coding;   /* GOLDILOCKS_TRACE_STORED ... */
    uint32_t unpacked; /* bytes when unpacked, <= GOLDILOCKS_TRACE_BLOCK_MAX */
    uint32_t packed;   /* bytes in the file */
};

/* Payload of EVENTS: this, `shapes` shapes, the blocks' heads, the blocks' bytes.  Blocks: kinds; planes of threads,
 * objects and sites, lowest byte first; operands, unless there are none. */
struct goldilocks_trace_events {
    uint32_t events;      /* 1 .. GOLDILOCKS_TRACE_EVENTS_MAX */
    uint32_t operands;    /* <= GOLDILOCKS_TRACE_OPERANDS_MAX; each is a uint64_t */
    uint16_t shapes;      /* 1 .. GOLDILOCKS_TRACE_SHAPES_MAX */
    uint8_t thread_bytes; /* planes of the thread numbers, 0 .. 4 */
    uint8_t object_bytes; /* planes of the objects, 0 .. 8 */
    uint8_t site_bytes;   /* planes of the sites, 0 .. 4 */
    uint8_t reserved[3];  /* 0 */
};

enum { GOLDILOCKS_TRACE_SIZE_IN_OPERANDS = 1 }; /* shape.flags */

/* What many events have in common.  The numbers of ops and orders are in docs/trace-format.md. */
struct goldilocks_trace_shape {
    uint8_t op;
    uint8_t order;  /* 0 for operations without one */
    uint16_t flags; /* GOLDILOCKS_TRACE_SIZE_IN_OPERANDS or 0 */
    uint32_t size;  /* bytes of data; 0 when the operands say it */
};

/* Kinds of names. */
enum {
    GOLDILOCKS_TRACE_NAME_THREAD,
    GOLDILOCKS_TRACE_NAME_DATA,
    GOLDILOCKS_TRACE_NAME_MUTEX,
    GOLDILOCKS_TRACE_NAME_RWLOCK,
    GOLDILOCKS_TRACE_NAME_VOLATILE,
    GOLDILOCKS_TRACE_NAME_ATOMIC,
    GOLDILOCKS_TRACE_NAME_BARRIER,
    GOLDILOCKS_TRACE_NAME_SEMAPHORE,
    GOLDILOCKS_TRACE_NAME_LOCATION,
    GOLDILOCKS_TRACE_NAME_STRING /* functions and files of stacks */
};

/* Payload of NAMES: a block of such runs, each followed by `bytes` bytes: `count` names that end with a zero. */
struct goldilocks_trace_name_run {
    uint32_t kind;  /* GOLDILOCKS_TRACE_NAME_*; a reader skips kinds that it does not know */
    uint32_t first; /* number of the first name: how many of this kind the file has before (LOCATION: and 1) */
    uint32_t count;
    uint32_t bytes; /* zeroes included */
};

/* Payload of PAGES: a block of uint64_t, one for each next page of the data space: the address of the page (a multiple
 * of GOLDILOCKS_TRACE_PAGE); or k * GOLDILOCKS_TRACE_PAGE + GOLDILOCKS_TRACE_PAGE_OF_NAMES: the 4-byte cells of the
 * named variables from k * 1024 on. */
enum { GOLDILOCKS_TRACE_PAGE_OF_NAMES = 1 };

/* Payload of STACKS: a block of such heads, each followed by `frames` frames, the innermost first. */
struct goldilocks_trace_stack {
    uint32_t location; /* the name of kind LOCATION that this stack belongs to */
    uint32_t frames;
};

struct goldilocks_trace_frame {
    uint32_t function; /* names of kind STRING, UINT32_MAX = not known */
    uint32_t file;
    uint32_t line;     /* from 1, 0 = not known */
};

/* Payload of SYMBOLS: a block of these. */
struct goldilocks_trace_symbol {
    uint64_t start; /* address of a variable of the program */
    uint64_t size;  /* its bytes, > 0 */
    uint32_t page;  /* a page of the data space, of memory, on which a part of it lies */
    uint32_t name;  /* of kind STRING */
};

/* Payload of INDEX: one for each section before it, in order. */
struct goldilocks_trace_index_entry {
    uint64_t offset; /* of the section, from the start of the file */
    uint64_t first;  /* as in the section */
    uint32_t type;   /* as in the section */
    uint32_t events; /* EVENTS: how many; else 0 */
};

/* The last bytes of a file that was written to its end. */
struct goldilocks_trace_tail {
    uint64_t index; /* offset of the INDEX section */
    uint8_t magic[8]; /* GOLDILOCKS_TRACE_END_MAGIC */
};

#endif
