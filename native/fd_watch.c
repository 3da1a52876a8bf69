/* SPDX-License-Identifier: Apache-2.0
 *
 * What an epoll tells: which descriptor it means by the data of an event.  Each epoll_ctl() that gives data makes a *watch*: an event with these data comes
 * after that call, and after what was written to the descriptor.
 *
 * A watch stays until its descriptor or its epoll is closed, also when epoll_ctl() has taken it back or changed it, since another thread may have been
 * told of it and not yet be here; of one descriptor and one epoll the last few stay.  Data that were given for another descriptor since are ordered too much by an old one, never too
 * little.
 *
 * Locks: `lock` before the locks of sync.c, and neither within a stripe of fd.c nor around one.
 */
#include "native/fd_entry.h"

#include "native/chains.h"
#include "native/state.h"

#define KEPT    16u /* watches of one descriptor by one epoll */
#define NESTED  5u  /* epolls in one another: the kernel allows no more */

struct neighbours {
    struct rt_watch *next, *before;
};

struct rt_watch {
    struct rt_chained at;        /* by the epoll and the data */
    struct neighbours of, in;    /* of the descriptor, of the epoll */
    struct rt_channel *epoll;    /* what the epoll's descriptor reads: the epoll, to us */
    uint64_t data;
    int fd;
};

static struct {
    struct gl_spin lock; /* guards all watches and the lists that they are in */
    struct rt_chains at;
} watches;

static uint64_t hash_of(const struct rt_channel *epoll, uint64_t data) { return rt_hash((uintptr_t)epoll ^ rt_hash(data)); }

static struct rt_watch *first_at(const struct rt_channel *epoll, uint64_t data)
{
    return (struct rt_watch *)*rt_chain(&watches.at, hash_of(epoll, data));
}
static struct rt_watch *next_at(const struct rt_watch *w) { return (struct rt_watch *)w->at.next; }

/* The lists of a descriptor and of an epoll, of which others look, without the lock, whether they are empty. */
#define LINK(first, w, list)                          \
    do {                                              \
        struct rt_watch *was_ = gl_load_relaxed(first); \
        (w)->list = (struct neighbours){was_, NULL};  \
        if (was_)                                     \
            was_->list.before = (w);                  \
        gl_store_relaxed(first, w);                   \
    } while (0)

#define UNLINK(first, w, list)                                     \
    do {                                                           \
        if ((w)->list.next)                                        \
            (w)->list.next->list.before = (w)->list.before;        \
        if ((w)->list.before)                                      \
            (w)->list.before->list.next = (w)->list.next;          \
        else                                                       \
            gl_store_relaxed(first, (w)->list.next);               \
    } while (0)

static void end_locked(struct rt_watch *w)
{
    struct rt_fd_entry *e = rt_fd_entry(w->fd, false);
    rt_chain_remove(&watches.at, &w->at);
    UNLINK(&e->watches, w, of);
    UNLINK(&w->epoll->watches, w, in);
    rt_sync_destroy(NULL, (uintptr_t)w, RT_USER, 0);
    gl_arena_free(w, sizeof *w);
}

static void unwatch_locked(struct rt_channel *epoll)
{
    struct rt_watch *w;
    while ((w = gl_load_relaxed(&epoll->watches))) /* guarded by the lock */
        end_locked(w);
}

/* The same again, as a program does that asks anew after each event: nothing is made. */
static struct rt_watch *find_locked(const struct rt_channel *epoll, int fd, uint64_t data)
{
    struct rt_watch *w = first_at(epoll, data);
    while (w && (w->epoll != epoll || w->fd != fd || w->data != data))
        w = next_at(w);
    return w;
}

static struct rt_watch *make_locked(struct rt_channel *epoll, int fd, uint64_t data)
{
    struct rt_fd_entry *e = rt_fd_entry(fd, true);
    struct rt_watch *w = e ? gl_arena_alloc(sizeof *w) : NULL, *last = w;
    unsigned n = 1;
    if (!w)
        return NULL;
    *w = (struct rt_watch){.epoll = epoll, .data = data, .fd = fd};
    rt_chain_add(&watches.at, &w->at, hash_of(epoll, data));
    LINK(&e->watches, w, of);
    LINK(&epoll->watches, w, in);
    for (struct rt_watch *other = w->of.next; other; other = other->of.next)
        if (other->epoll == epoll) {
            n++;
            last = other;
        }
    if (n > KEPT)
        end_locked(last);
    return w;
}

void rt_fd_watch(struct rt_thread *t, int epoll, int fd, uint64_t data, uintptr_t pc)
{
    struct rt_channel *c = rt_fd_reads(epoll);
    if (!c)
        return;
    gl_spin_lock(&watches.lock);
    struct rt_watch *w = find_locked(c, fd, data);
    if (!w && !(w = make_locked(c, fd, data))) {
        rt_count(RT_COUNT_sync_no_memory);
        gl_core_stop(rt.core);
    }
    if (w)
        rt_release(t, (uintptr_t)w, RT_USER, pc);
    gl_spin_unlock(&watches.lock);
    rt_channel_drop(c);
}

/* Descriptors of watches, to be looked at without the lock. */
#define AT_ONCE 16u
struct found {
    uint32_t n, room;
    int *fd, own[AT_ONCE];
};

static void add(struct found *f, int fd)
{
    if (f->n == f->room) {
        int *more = gl_arena_alloc(2 * f->room * sizeof *more);
        if (!more) {
            rt_count(RT_COUNT_sync_no_memory);
            gl_core_stop(rt.core);
            return;
        }
        for (uint32_t i = 0; i < f->n; i++)
            more[i] = f->fd[i];
        if (f->fd != f->own)
            gl_arena_free(f->fd, f->room * sizeof *f->fd);
        f->fd = more;
        f->room *= 2;
    }
    f->fd[f->n++] = fd;
}

static void acquire_found(struct rt_thread *t, struct found *f, uintptr_t pc, unsigned depth);

static void acquire_all(struct rt_thread *t, const struct rt_channel *epoll, uintptr_t pc, unsigned depth)
{
    struct found f = {.room = AT_ONCE};
    f.fd = f.own;
    gl_spin_lock(&watches.lock);
    for (const struct rt_watch *w = gl_load_relaxed(&epoll->watches); w; w = w->in.next) { /* guarded by the lock */
        rt_acquire(t, (uintptr_t)w, RT_USER, pc);
        add(&f, w->fd);
    }
    gl_spin_unlock(&watches.lock);
    acquire_found(t, &f, pc, depth);
}

static void acquire_found(struct rt_thread *t, struct found *f, uintptr_t pc, unsigned depth)
{
    for (uint32_t i = 0; i < f->n; i++) {
        struct rt_channel *inner = rt_fd_acquire_one(t, f->fd[i], pc);
        if (inner && depth < NESTED)
            acquire_all(t, inner, pc, depth + 1);
        rt_channel_drop(inner);
    }
    if (f->fd != f->own)
        gl_arena_free(f->fd, f->room * sizeof *f->fd);
}

void rt_fd_watched(struct rt_thread *t, const struct rt_channel *epoll, uintptr_t pc) { acquire_all(t, epoll, pc, 1); }

void rt_fd_told(struct rt_thread *t, int epoll, uint64_t data, bool came, uintptr_t pc)
{
    struct found f = {.room = AT_ONCE};
    struct rt_channel *c = rt_fd_reads(epoll);
    f.fd = f.own;
    if (!c)
        return;
    gl_spin_lock(&watches.lock);
    for (const struct rt_watch *w = first_at(c, data); w; w = next_at(w)) {
        if (w->epoll != c || w->data != data)
            continue;
        rt_acquire(t, (uintptr_t)w, RT_USER, pc);
        if (came)
            add(&f, w->fd);
    }
    gl_spin_unlock(&watches.lock);
    acquire_found(t, &f, pc, 1);
    rt_channel_drop(c);
}

void rt_fd_unwatch(struct rt_fd_entry *e)
{
    struct rt_watch *w;
    if (!gl_load_relaxed(&e->watches)) /* relaxed: who asks for events of a descriptor comes before who closes it, or nobody knows */
        return;
    gl_spin_lock(&watches.lock);
    while ((w = gl_load_relaxed(&e->watches))) /* guarded by the lock */
        end_locked(w);
    gl_spin_unlock(&watches.lock);
}

void rt_channel_unwatch(struct rt_channel *epoll)
{
    gl_spin_lock(&watches.lock);
    unwatch_locked(epoll);
    gl_spin_unlock(&watches.lock);
}
