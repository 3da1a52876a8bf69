/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole operating system on one page.  The only folder that makes system calls; it makes them
 * directly (no libc wrapper, no errno), so that it can be called inside a stranger's process.
 * All functions are safe from any thread and from signal handlers unless it says otherwise.
 */
#ifndef GL_PLATFORM_H
#define GL_PLATFORM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/spin.h"

/* ---- memory ---- */
void *gl_os_map(size_t bytes);                       /* zeroed pages; NULL: none left */
bool gl_os_map_at(uintptr_t at, size_t bytes);       /* exactly there, NORESERVE, zeroed, not in core dumps */
void *gl_os_map_near(uintptr_t place, size_t bytes); /* zeroed pages at most 1 GiB from there; NULL: none is free */
void gl_os_unmap(void *p, size_t bytes);
bool gl_os_code_open(uintptr_t p, size_t bytes);     /* whole pages of code can be written, and still run; false: the system forbids it */
bool gl_os_code_close(uintptr_t p, size_t bytes);    /* they can run and be read */
bool gl_os_data_open(uintptr_t p, size_t bytes);     /* whole pages of data can be written; false: the system forbids it */
bool gl_os_data_close(uintptr_t p, size_t bytes);    /* they can be read only */
bool gl_os_one_thread(void);                         /* is the caller the only thread of its process? Where /proc is missing: yes */
void gl_os_discard(uintptr_t p, size_t bytes);       /* whole pages: contents become zero, memory goes back */
void gl_os_unneeded(uintptr_t p, size_t bytes);      /* advice: whole pages whose contents, from now on anything, nobody wants */
void gl_os_populate(uintptr_t p, size_t bytes);      /* advice: whole pages that are about to be written get their memory at once */

/* Advice: may be backed by huge pages, or should not. */
void gl_os_huge_pages(uintptr_t p, size_t bytes, bool want);
size_t gl_os_page_size(void);

/* Page arena: small blocks that live long; freed blocks are reused by size class (powers of two and
 * 1.5 times them, from 16 bytes); blocks over 1 MiB are mapped singly.  Zeroed.  NULL: none left.
 * Thread-safe; a lock per size class.  Not from a signal handler that may interrupt the arena itself.
 * Blocks over 24 bytes are 16-byte aligned.  `bytes` of a free: as it was allocated. */
void *gl_arena_alloc(size_t bytes);
void gl_arena_free(void *p, size_t bytes);
size_t gl_arena_bytes(void); /* mapped now */
/* Around fork(), so that no class lock is held by a thread that the child does not have.  After: in
 * parent and child. */
void gl_arena_fork_before(void);
void gl_arena_fork_after(void);

/* A stack of our own, for work that may not depend on how much of its stack the program has left. */
void *gl_os_map_stack(size_t bytes);                 /* its top; a guard page lies at its end; NULL: no memory */
void gl_os_call_on(void *stack_top, void (*work)(void *), void *arg); /* work must return */
/* The calling thread's alternate stack for handlers of signals.  False: it has another one, and keeps it. */
bool gl_os_signal_stack_begin(void *low, size_t bytes);
/* It has none from now on, if it has this one.  False: it runs on this one right now. */
bool gl_os_signal_stack_end(const void *low);
bool gl_os_is_mapped(uintptr_t page);                /* is memory there, of whatever kind? */
bool gl_os_is_readable(uintptr_t p, size_t bytes);    /* without a fault? */
bool gl_os_is_shared(uintptr_t p, bool unknown);      /* is it one with other processes' (MAP_SHARED)?  unknown: the answer where /proc is missing */

/* ---- waiting ---- */
void gl_os_pause(unsigned rounds);                   /* the body of a wait loop: pause, later yield */
void gl_os_sleep_ms(unsigned ms);                    /* a signal may end it early */
/* 0: woken or value differs; else -errno (-ETIMEDOUT, -EINTR).  deadline: absolute, NULL = none */
struct timespec;
int gl_os_futex_wait(uint32_t *word, uint32_t expect, const struct timespec *deadline, bool realtime);
void gl_os_futex_wake(uint32_t *word, int count);
void gl_os_time_in(struct timespec *out, uint32_t milliseconds); /* a deadline, not realtime */

/* ---- files and process ---- */
/* Both give a descriptor with a high number, where the program does not look for its own, or -errno. */
int gl_os_open_append(const char *path);             /* creates */
int gl_os_write_error(const char *path);             /* 0: the file or folder may be written to; else errno */
/* Creates a file for writing, or opens a device or pipe that is there (-EEXIST: a file is). */
int gl_os_open_new(const char *path);
int gl_os_truncate(int fd, uint64_t size);           /* and writes go on there; 0 or -errno */
long gl_os_write(int fd, const void *p, size_t n);   /* all of it, or -errno */
long gl_os_write_quietly(int fd, const void *p, size_t n); /* and no SIGPIPE or SIGXFSZ */
int gl_os_moved_up(int fd);                          /* as such a number, closed when a program is executed; as it is if there is none */
const char *gl_os_error(int error);                  /* an errno in words, for a message */
void gl_os_close(int fd);
struct gl_os_file { uint64_t device, inode; };       /* which file it is */
bool gl_os_file_of(int fd, struct gl_os_file *out);  /* false: it is closed */
/* The calling thread gets a table of descriptors of its own, empty but for the n of `kept`, in rising order: what it opens takes no number from the others,
 * and what they close is closed.  False: the kernel cannot (before Linux 5.9), or there is no memory; nothing has changed. */
bool gl_os_own_files(const int *kept, unsigned n);
uint32_t gl_os_files(void);                          /* which table the calling thread has: 0: that of the program */
bool gl_os_isatty(int fd);
uint32_t gl_os_pid(void);
uint32_t gl_os_tid(void);
/* Does the calling thread, which runs somewhere below `frame`, leave that frame when its stack pointer becomes sp?  Knows of the
 * alternate stack of signal handlers. */
bool gl_os_stack_left(uintptr_t frame, uintptr_t sp);
/* Has it left that frame by now, though nobody said so? */
bool gl_os_frame_gone(uintptr_t frame);
/* Does it leave the alternate stack then, on which it runs now, and which is there? */
bool gl_os_signal_stack_left(uintptr_t sp, uintptr_t *low, size_t *bytes);
uintptr_t gl_os_stack_top(void);                     /* of the first thread: where it began; 0: unknown */
uintptr_t gl_os_program_entry(void);                 /* where the executable file begins to run; 0: unknown */
uintptr_t gl_os_heap_end(void);                      /* brk */
_Noreturn void gl_os_exit_group(int code);
void gl_os_raise(int sig);                           /* to the calling thread */
/* Executes the program anew, same arguments, so that its mappings come to lie elsewhere: from the top down when an unlimited
 * stack or its personality made them grow up from the middle; else without address randomization; else, where that may not be
 * switched off, at other random addresses, 2000 times at most.  The variable GOLDILOCKS_RESTARTS counts.  Returns when nothing of
 * that can change anything or the program cannot be executed.  At start only: one thread. */
void gl_os_restart(char **environ);
/* Was the limit of the stack lowered for that?  It is lifted again, for the first thread and for what the program starts; but libc
 * has taken it for the size of other threads' stacks. */
bool gl_os_restarted_with_limited_stack(char **environ);
bool gl_os_membarrier_known(void);                   /* can the process be registered? */
/* False: gl_os_membarrier() takes milliseconds.  Itself takes 10 to 60 of them, but in a process of one thread. */
bool gl_os_membarrier_register(void);
void gl_os_membarrier(void);                         /* every thread of the process passes a full fence */
/* Whole small file into buf (NUL-terminated); length or -errno (-EFBIG: needs more than cap - 1). */
long gl_os_read_file(const char *path, char *buf, size_t cap);
bool gl_os_exists(const char *path);
bool gl_os_executes(const char *path);               /* a file that may be executed */
/* The whole file, read-only, until gl_os_unmap(); NULL: none, empty, not readable. */
const void *gl_os_map_file(const char *path, size_t *size);
/* Target of a symbolic link, NUL-terminated; length or -errno (-ENAMETOOLONG: does not fit). */
long gl_os_readlink(const char *path, char *buf, size_t cap);
/* A link to the file of the program that runs, for the calling thread: the usual one leads nowhere when the main thread has ended. */
const char *gl_os_executable(void);

/* ---- a process of our own ---- */
/* It runs another program; its standard input and output are one socket, of which we hold the other end.  The program that we are in does
 * not notice it (linux/child.c).  One thread at a time.  After a fork() the other process still is the parent's: gl_os_child_forget(). */
struct gl_os_child {
    int fd;                   /* -1: none */
    struct gl_os_file socket; /* which our end is */
};
int gl_os_child_start(struct gl_os_child *c, const char *path, char *const *argv, char *const *envp); /* 0 or -errno */
bool gl_os_child_is(const struct gl_os_child *c);    /* false: the program has closed our end, and the number may be another file's */
int gl_os_child_write(const struct gl_os_child *c, const void *p, size_t n); /* all of it: 0, or -errno; no SIGPIPE */
long gl_os_child_read(const struct gl_os_child *c, void *p, size_t n, unsigned milliseconds); /* bytes; 0: it has ended; -errno (-ETIMEDOUT) */
void gl_os_child_forget(struct gl_os_child *c);      /* closes our end; who else has it can go on */
void gl_os_child_end(struct gl_os_child *c);         /* and it reads nothing any more, which ought to end it */

/* ---- text, without stdio or locale ---- */
/* %s %d %u %ld %lu %lld %llu %zu %x %lx %llx %p %c %%, width and 0-flag, %.*s, %-Ns.  Always terminates buf (cap > 0);
 * returns the length it would have. */
int gl_format(char *buf, size_t cap, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int gl_vformat(char *buf, size_t cap, const char *fmt, va_list ap);

#endif
