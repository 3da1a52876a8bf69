/* SPDX-License-Identifier: Apache-2.0
 *
 * Names: what the numbers in events stand for.
 *
 * Threads and objects are numbered 0, 1, 2 ... per kind in the order of their first mention (a kind per
 * class of event.h, so that mutex 3 and semaphore 3 are unrelated).  Location 0 is "none".
 *
 * Data variables share one dense space of bytes, so that a detector may index by it: a named variable takes a
 * 4-byte cell of its own (size 4); an address takes its 4096-byte page the first time that the page is mentioned, so
 * that accesses of any size overlap as they did in memory.
 */
#ifndef GL_TRACE_NAMES_H
#define GL_TRACE_NAMES_H

#include "core/env.h"
#include "core/event.h"

enum gl_name_kind {
    GL_NAME_THREAD,
    GL_NAME_DATA,      /* named variables only */
    GL_NAME_MUTEX,
    GL_NAME_RWLOCK,
    GL_NAME_VOLATILE,
    GL_NAME_ATOMIC,
    GL_NAME_BARRIER,
    GL_NAME_SEMAPHORE,
    GL_NAME_LOCATION,
    GL_NAME_STRING,    /* functions and files of stacks */
    GL_NAME_KINDS
};

struct gl_names;

struct gl_names *gl_names_create(const struct gl_env *env); /* NULL: no memory */
void gl_names_destroy(struct gl_names *n);

/* The number of a name, which is new or known; UINT32_MAX: no memory, or more than 2^32 - 2 of them.
 * The bytes are copied. */
uint32_t gl_name_number(struct gl_names *n, enum gl_name_kind kind, const char *name, size_t length);
/* Room for so many more names of a kind at once, where it is known that they come.  False: no memory. */
bool gl_names_reserve(struct gl_names *n, enum gl_name_kind kind, uint32_t more);
/* `count` new names of a kind, zero-terminated, one after the other in `bytes` bytes, which are copied; *used := how many bytes they are.  As
 * gl_name_number() for each, but sooner.  After a fault some of them may be known. */
enum gl_run_fault {
    GL_RUN_FINE,
    GL_RUN_NO_MEMORY,
    GL_RUN_NO_END, /* they are fewer */
    GL_RUN_TWICE   /* one of them is known */
};
enum gl_run_fault gl_names_run(struct gl_names *n, enum gl_name_kind kind, const char *names, size_t bytes, uint32_t count, size_t *used);
/* The number of a known name; UINT32_MAX: not known. */
uint32_t gl_name_find(const struct gl_names *n, enum gl_name_kind kind, const char *name, size_t length);

enum { GL_NAME_SPELLED_MAX = 3 * 4096 }; /* bytes of a name as the text form spells it */

/* From that spelling: %XX becomes the byte, but %00 does not (names end with a zero); any other % is itself.  Room for n bytes is
 * enough.  The length. */
size_t gl_name_decode(char *to, const char *s, size_t n);
/* A number's name, zero-terminated; NULL: no such number. */
const char *gl_name_of(const struct gl_names *n, enum gl_name_kind kind, uint32_t number);
uint32_t gl_names_count(const struct gl_names *n, enum gl_name_kind kind);

/* The place of named variable `number` in the dense space, and of an address; UINT64_MAX: no memory. */
uint64_t gl_data_of_name(struct gl_names *n, uint32_t number);
uint64_t gl_data_of_address(struct gl_names *n, uint64_t address);
/* The place of an address whose page was mentioned; UINT64_MAX: it was not. */
uint64_t gl_data_find_address(const struct gl_names *n, uint64_t address);
/* What page number `page` (data / 4096 < gl_data_end() / 4096) is.  True: bytes of memory from address *base on;
 * false: the cells of 1024 named variables from number *base on. */
bool gl_data_page(const struct gl_names *n, uint64_t page, uint64_t *base);
/* What lies at `data`: writes a zero-terminated name ("x", or "0x7f001230") of at most size - 1 characters. */
void gl_data_name(const struct gl_names *n, uint64_t data, char *text, size_t size);
/* How many bytes of the dense space are in use: every event.object of class DATA lies below. */
uint64_t gl_data_end(const struct gl_names *n);

/* A frame of a call stack: numbers of names of kind STRING, UINT32_MAX: not known. */
struct gl_stack_frame {
    uint32_t function, file;
    uint32_t line; /* from 1; 0: not known */
};

/* The call stack that a location stands for, the innermost frame first (n > 0); once per location.  The frames are copied.
 * False: no memory, no such location or string, or the location has a stack. */
bool gl_stack_set(struct gl_names *n, uint32_t location, const struct gl_stack_frame *frames, uint32_t count);
/* How many frames it has (0: no stack is known), and where they are, valid until the next gl_stack_set(). */
uint32_t gl_stack_of(const struct gl_names *n, uint32_t location, const struct gl_stack_frame **frames);
/* How many locations have a stack. */
uint32_t gl_stacks_count(const struct gl_names *n);

/* A variable of the program that was recorded: its bytes, in memory, and its name (of kind STRING).  Told once for
 * each page of the data space on which it lies. */
struct gl_data_symbol {
    uint64_t start, size;
    uint32_t page, name;
};

/* False: no memory, no such name, no such page of memory, or the variable does not touch it. */
bool gl_data_symbol_add(struct gl_names *n, const struct gl_data_symbol *symbol);
uint64_t gl_data_symbols_count(const struct gl_names *n);
const struct gl_data_symbol *gl_data_symbol_at(const struct gl_names *n, uint64_t i); /* in the order of their adding */
/* Where `data` lies in a variable of the program: "queue+8", zero-terminated, at most size - 1 characters.  False: not
 * known. */
bool gl_data_symbol_name(const struct gl_names *n, uint64_t data, char *text, size_t size);

/* The kind that goes with a class of objects; GL_NAME_KINDS for NONE and TRANSACTION. */
enum gl_name_kind gl_name_kind_of_class(enum gl_class c);

#endif
