/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of descriptors, for fd.c (which channels they read and write) and fd_number.c (what their numbers are).
 */
#ifndef GL_NATIVE_FD_ENTRY_H
#define GL_NATIVE_FD_ENTRY_H

#include <stddef.h>

#include "core/atomic.h"
#include "native/fd.h"

struct rt_channel;

struct rt_fd_entry {
    _Atomic(struct rt_channel *) in, out; /* NULL: not looked at yet */
    struct {
        _Atomic uint32_t stack, thread; /* where it was made or closed: a depot node; tid + 1; 0: not known */
    } number;                           /* its address is that of the variable that the number is */
    _Atomic uint8_t state;              /* RT_FD_UNKNOWN ... */
    _Atomic bool was_closed;            /* at some time: sync.c may know the entry's address */
    _Atomic bool by_number;             /* an epoll tells of it by its number */
    _Atomic bool locked;                /* a lock of the file was taken by this number, and not yet given up by it */
};
_Static_assert(offsetof(struct rt_fd_entry, number) % 8 == 0 && sizeof(struct rt_fd_entry) % 8 == 0, "a variable of 8 bytes");

/* Of a number, as far as we saw. */
enum { RT_FD_UNKNOWN, RT_FD_OPEN, RT_FD_CLOSED };

#define RT_FD_CHUNK  4096
#define RT_FD_CHUNKS 1024 /* 4 million descriptors: more than the kernel's usual limit */

/* NULL: there is none (`make`: no memory, or a number beyond all limits).  Entries stay. */
struct rt_fd_entry *rt_fd_entry(int fd, bool make);
/* The same, after a look at what it is, if nobody has looked. */
struct rt_fd_entry *rt_fd_entry_look(int fd);
/* As many chunks, from the first on, may be there. */
int rt_fd_chunks(void);
/* Does it write to a channel that is known by a name, whose other end may be in another process? */
bool rt_fd_is_named(const struct rt_fd_entry *e);

#endif
