/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of descriptors, for fd.c (which channels they read and write), fd_name.c (which of them have names), fd_number.c (what their numbers are) and fd_watch.c (which epolls
 * tell of them).
 */
#ifndef GL_NATIVE_FD_ENTRY_H
#define GL_NATIVE_FD_ENTRY_H

#include <stddef.h>

#include "core/atomic.h"
#include "native/fd.h"

struct rt_watch;

/* Its address is what sync.c knows. */
struct rt_channel {
    _Atomic uint32_t refs;
    uint32_t spare;
    _Atomic(struct rt_watch *) watches; /* of an epoll: what it tells of (fd_watch.c); guarded by the lock there */
};

struct rt_fd_entry {
    _Atomic(struct rt_channel *) in, out; /* NULL: not looked at yet */
    _Atomic(struct rt_channel *) former;  /* what it read before it was replaced by dup2, while it was open; NULL: nothing */
    _Atomic(struct rt_watch *) watches;   /* epolls that tell of it, the last one first (fd_watch.c); guarded by the lock there */
    struct {
        _Atomic uint32_t stack, thread; /* where it was made or closed: a depot node; tid + 1; 0: not known */
    } number;                           /* its address is that of the variable that the number is */
    _Atomic uint8_t state;              /* RT_FD_UNKNOWN ... */
    _Atomic bool was_closed;            /* at some time: sync.c may know the entry's address */
    _Atomic bool streamed;              /* a stream writes to it */
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
/* What the descriptor reads, with a reference; NULL: nothing is known. */
struct rt_channel *rt_fd_reads(int fd);
/* rt_fd_acquire() without what an epoll that is meant tells of: that one, with a reference; NULL: it is none. */
struct rt_channel *rt_fd_acquire_one(struct rt_thread *t, int fd, uintptr_t pc);
/* Gives up a reference, if c is not NULL.  No stripe is held, and no lock of watches. */
void rt_channel_drop(struct rt_channel *c);
/* The last one has been. */
void rt_channel_unwatch(struct rt_channel *epoll);
/* Who asks whether an epoll has something to tell comes after all that it could tell of. */
void rt_fd_watched(struct rt_thread *t, const struct rt_channel *epoll, uintptr_t pc);
/* The descriptor is closed. */
void rt_fd_unwatch(struct rt_fd_entry *e);

static inline uint64_t rt_name_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9E3779B97F4A7C15ull;
    return h ^ h >> 29;
}
/* The channel that is known by that name, from now on if it was not (fd_name.c). */
struct rt_channel *rt_channel_named(enum rt_named what, uint64_t a, uint64_t b);
/* Is it one of these?  They stay. */
bool rt_channel_has_name(const struct rt_channel *c);
/* A number that is kept with the name, if the channel is not shared with others; 0: none. */
void rt_name_set_number(struct rt_channel *c, uint64_t number);
uint64_t rt_name_number(enum rt_named what, uint64_t a, uint64_t b);

/* As many chunks, from the first on, may be there. */
int rt_fd_chunks(void);
/* Does it write to a channel that is known by a name, whose other end may be in another process? */
bool rt_fd_is_named(const struct rt_fd_entry *e);

#endif
