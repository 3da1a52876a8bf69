/* SPDX-License-Identifier: Apache-2.0
 *
 * Program counters to function, file and line; addresses to global variables; for the process that
 * we are part of, whatever it loads and unloads.
 *
 *     struct gl_frame f[8];
 *     int n = gl_symbolize(return_address, GL_PC_RETURN, f, 8);   // f[0] is the innermost inlined one
 *
 * Any thread may call at any time; one call works at a time, the others wait.  It is slow (the first
 * call into a module reads its debug information), so no hot path calls it.  It may fail, and then
 * says less; it never crashes on a bad address and never blocks forever: a call from a signal
 * handler that interrupted another call in the same thread, or one that had to wait for ten seconds,
 * gets what is known without looking (the pc).  It uses about 2 KiB of the caller's stack; the
 * libraries behind it run on a stack of their own.
 *
 * All strings live as long as the process.
 */
#ifndef GL_SYMBOL_SYMBOL_H
#define GL_SYMBOL_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gl_pc_kind {
    GL_PC_EXACT, /* the address of an instruction */
    GL_PC_RETURN /* a return address: the call is the instruction before it */
};

struct gl_frame {
    uintptr_t pc;         /* as it was given */
    const char *function; /* demangled; NULL: unknown */
    const char *file;     /* NULL: unknown */
    uint32_t line;        /* 0: unknown */
    uint32_t column;      /* 0: unknown (always, without gl_symbol_use(): libbacktrace tells none) */
    const char *module;   /* path of the executable or shared object; NULL: in none */
    uintptr_t offset;     /* of the instruction in it, as addr2line and nm count */
};

struct gl_object {
    const char *name;   /* demangled; NULL: no symbol covers the address */
    uintptr_t start;    /* of the variable; the address itself when name is NULL */
    size_t size;        /* 0 when name is NULL */
    const char *module; /* path of the executable or shared object */
    uintptr_t offset;   /* of `start` in it */
};

/* The frames at pc, innermost inlined function first: at least 1, at most `max` (> 0); the outermost are
 * cut. */
int gl_symbolize(uintptr_t pc, enum gl_pc_kind kind, struct gl_frame *out, int max);

/* Only the module of `pc` and the offset in it, which costs no reading of files; the rest stays empty.  False: pc is in none. */
bool gl_symbol_module(uintptr_t pc, enum gl_pc_kind kind, struct gl_frame *out);

/* The global or static variable at addr.  False: addr is not in the data of a loaded object. */
bool gl_symbol_object(uintptr_t addr, struct gl_object *out);

/* Has lines and functions come from the program at `path`, an llvm-symbolizer or an addr2line by its name; one without a slash is looked
 * for in the PATH of `environment`, which it gets but for what concerns us (both live on).  It is started when something is first asked; where it knows nothing, and
 * when it cannot be started or ends (gl_symbol_trouble()), libbacktrace answers as ever.  An answer may then take as long as the program does, at most a minute.
 * NULL: so it is; else why not, in words, and nothing has changed.  Once, before any other call. */
const char *gl_symbol_use(const char *path, char *const *environment);

/* Why that program is not asked any more, a sentence without a full stop; NULL: it is. */
const char *gl_symbol_trouble(void);

/* Around fork(), so that the child finds no call half done.  After: in parent and child. */
void gl_symbol_fork_before(void);
void gl_symbol_fork_after(void);

#endif
