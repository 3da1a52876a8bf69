/* SPDX-License-Identifier: Apache-2.0
 *
 * The libc that the runtime and the libraries inside it (libbacktrace, libiberty) see.  Inside a
 * program under test the names memcpy, open, malloc ... are intercepted or the program's own, so the
 * objects of the runtime are linked with these names replaced by gl_libc_<name> (native/internal.syms).
 * Each does what C and POSIX say of the name without gl_libc_, by raw system calls and the page
 * arena; differences are noted.  Thread-safe; async-signal-safe but for the allocator.
 */
#ifndef GL_PLATFORM_INTERNAL_LIBC_H
#define GL_PLATFORM_INTERNAL_LIBC_H

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

struct stat;

void *gl_libc_memcpy(void *restrict to, const void *restrict from, size_t n);
void *gl_libc_memmove(void *to, const void *from, size_t n);
void *gl_libc_memset(void *p, int byte, size_t n);
int gl_libc_memcmp(const void *a, const void *b, size_t n);
int gl_libc_bcmp(const void *a, const void *b, size_t n);
void *gl_libc_memchr(const void *p, int byte, size_t n);

size_t gl_libc_strlen(const char *s);
size_t gl_libc_strnlen(const char *s, size_t max);
int gl_libc_strcmp(const char *a, const char *b);
int gl_libc_strncmp(const char *a, const char *b, size_t n);
char *gl_libc_strchr(const char *s, int c);
char *gl_libc_strrchr(const char *s, int c);
char *gl_libc_strcpy(char *restrict to, const char *restrict from);
char *gl_libc_strncpy(char *restrict to, const char *restrict from, size_t n);
char *gl_libc_strdup(const char *s);

/* Formats of gl_vformat() only. */
int gl_libc_snprintf(char *buf, size_t cap, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int gl_libc_sprintf(char *buf, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same under _FORTIFY_SOURCE: `size` is what the compiler knows of buf. */
int gl_libc___snprintf_chk(char *buf, size_t cap, int flag, size_t size, const char *fmt, ...);
int gl_libc___sprintf_chk(char *buf, int flag, size_t size, const char *fmt, ...);

void *gl_libc_malloc(size_t n);
void *gl_libc_calloc(size_t count, size_t n);
void *gl_libc_realloc(void *p, size_t n);
void gl_libc_free(void *p);

/* errno here is the runtime's own, never the program's. */
int *gl_libc___errno_location(void);
void *gl_libc_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset);
int gl_libc_munmap(void *p, size_t n);
int gl_libc_open(const char *path, int flags, ...);
int gl_libc_close(int fd);
ssize_t gl_libc_read(int fd, void *buf, size_t n);
off_t gl_libc_lseek(int fd, off_t offset, int whence);
int gl_libc_fcntl(int fd, int command, ...);
int gl_libc_fstat(int fd, struct stat *st);
int gl_libc_stat(const char *path, struct stat *st);
int gl_libc_lstat(const char *path, struct stat *st);
ssize_t gl_libc_readlink(const char *path, char *buf, size_t n);
pid_t gl_libc_getpid(void);
int gl_libc_getpagesize(void);

/* Runs no handler of the program: the process ends with SIGABRT. */
_Noreturn void gl_libc_abort(void);
_Noreturn void gl_libc___stack_chk_fail(void);

/* Hooks that libzstd offers to the program that it is part of; in here it is in a stranger's.  0: not traced. */
unsigned long long gl_libc_ZSTD_trace_compress_begin(const void *context);
void gl_libc_ZSTD_trace_compress_end(unsigned long long context, const void *trace);

#endif
