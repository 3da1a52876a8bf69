/* SPDX-License-Identifier: Apache-2.0
 *
 * Which descriptor reads and writes which channel, see fd.h.
 *
 * An entry of the table is guarded by the stripe of its number; a channel lives as long as an entry (or another
 * channel) refers to it, so who holds the stripe may use the entry's channels.  Channels with a name (of
 * connections, files, processes ...) are never freed: one end may be closed before the other is known.
 *
 * Locks: stripe before the locks of sync.c.  No two stripes at once.
 */
#include "native/fd_entry.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "native/state.h"
#include "core/atomic.h"
#include "platform/linux/syscall.h"

#define MPTCP   262 /* not in all headers */
#define STRIPES 64u

static struct {
    struct {
        struct gl_spin lock;
        char pad[60]; /* neighbours are used by other threads */
    } stripe[STRIPES];
    _Atomic(struct rt_fd_entry *) chunk[RT_FD_CHUNKS];
    _Atomic int chunks; /* as many, from the first on, may be there */
    struct rt_channel none;    /* of what orders nothing */
    struct rt_channel signals; /* what a signalfd reads */
} fds;

static bool is_pinned(const struct rt_channel *c)
{
    return rt_channel_has_name(c) || ((const char *)c >= (char *)&fds && (const char *)c < (char *)(&fds + 1));
}

static bool orders(const struct rt_channel *c) { return c && c != &fds.none && c != &fds.signals; }

static struct rt_channel *channel_new(void)
{
    struct rt_channel *c = gl_arena_alloc(sizeof *c);
    if (!c) {
        rt_count(RT_COUNT_sync_no_memory);
        gl_core_stop(rt.core);
        return &fds.none;
    }
    gl_store_relaxed(&c->refs, 0); /* not shared yet */
    gl_store_relaxed(&c->watches, NULL);
    return c;
}

static struct rt_channel *channel_hold(struct rt_channel *c)
{
    if (!is_pinned(c))
        gl_add_relaxed(&c->refs, 1); /* relaxed: the caller is kept alive by another reference */
    return c;
}

void rt_channel_drop(struct rt_channel *c)
{
    if (!c || is_pinned(c) || atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) != 1) /* the last one sees all uses */
        return;
    if (gl_load_relaxed(&c->watches)) /* relaxed: nobody else knows it any more */
        rt_channel_unwatch(c);
    rt_sync_destroy(NULL, (uintptr_t)c, RT_USER, 0);
    gl_arena_free(c, sizeof *c);
}

/* ---- the table ---- */

struct rt_fd_entry *rt_fd_entry(int fd, bool make)
{
    if (fd < 0 || fd >= RT_FD_CHUNK * RT_FD_CHUNKS)
        return NULL;
    _Atomic(struct rt_fd_entry *) *place = &fds.chunk[fd / RT_FD_CHUNK];
    struct rt_fd_entry *chunk = gl_load_acquire(place); /* pairs with the exchange below */
    if (!chunk && make) {
        struct rt_fd_entry *fresh = gl_os_map(RT_FD_CHUNK * sizeof *fresh);
        int n = fd / RT_FD_CHUNK + 1, was = gl_load_relaxed(&fds.chunks);
        while (was < n && !atomic_compare_exchange_weak(&fds.chunks, &was, n)) /* before anybody uses the chunk */
            ;
        if (fresh && gl_cas_acq_rel(place, &chunk, fresh)) /* release: pairs with the load above */
            chunk = fresh;
        else if (fresh)
            gl_os_unmap(fresh, RT_FD_CHUNK * sizeof *fresh);
    }
    return chunk ? chunk + fd % RT_FD_CHUNK : NULL;
}

int rt_fd_chunks(void) { return gl_load_relaxed(&fds.chunks); } /* relaxed: chunks stay */

bool rt_fd_is_named(const struct rt_fd_entry *e)
{
    const struct rt_channel *out = gl_load_relaxed(&e->out); /* relaxed: compared only */
    return rt_channel_has_name(out);
}

static struct gl_spin *stripe_of(int fd) { return &fds.stripe[(unsigned)fd % STRIPES].lock; }

/* The entry becomes this; in and out come with a reference each, or are both NULL. */
static void entry_set(int fd, struct rt_channel *in, struct rt_channel *out)
{
    struct rt_fd_entry *e = rt_fd_entry(fd, in != NULL);
    if (!e) {
        rt_channel_drop(in);
        rt_channel_drop(out);
        return;
    }
    gl_spin_lock(stripe_of(fd));
    struct rt_channel *was_in = gl_load_relaxed(&e->in),
                   *was_out = gl_load_relaxed(&e->out); /* guarded by the stripe */
    gl_store_relaxed(&e->in, in);
    gl_store_relaxed(&e->out, out);
    gl_spin_unlock(stripe_of(fd));
    rt_channel_drop(was_in);
    rt_channel_drop(was_out);
}

/* Who is in a call on the number, and means what it is now, finds that when the call is over. */
static void entry_keep_former(int fd)
{
    struct rt_fd_entry *e = rt_fd_entry(fd, false);
    if (!e)
        return;
    gl_spin_lock(stripe_of(fd));
    struct rt_channel *in = gl_load_relaxed(&e->in), *was = gl_load_relaxed(&e->former); /* guarded by the stripe */
    gl_store_relaxed(&e->former, orders(in) ? channel_hold(in) : NULL);
    gl_spin_unlock(stripe_of(fd));
    rt_channel_drop(was);
}

void rt_fd_pipe(int reads, int writes)
{
    struct rt_channel *c = channel_new();
    channel_hold(c);
    entry_set(writes, &fds.none, channel_hold(c)); /* both held before one may be dropped */
    entry_set(reads, c, &fds.none);
}

void rt_fd_pair(int a, int b)
{
    struct rt_channel *to_a = channel_hold(channel_new()), *to_b = channel_hold(channel_new());
    channel_hold(to_a), channel_hold(to_b);
    entry_set(a, to_a, to_b);
    entry_set(b, to_b, to_a);
}

void rt_fd_event(int fd)
{
    struct rt_channel *c = channel_hold(channel_new());
    channel_hold(c);
    entry_set(fd, c, c);
}

void rt_fd_signals(int fd) { entry_set(fd, &fds.signals, &fds.none); }

void rt_fd_copy(int from, int to)
{
    struct rt_fd_entry *e = rt_fd_entry(from, false);
    struct rt_channel *in = NULL, *out = NULL;
    bool locked = false;
    if (from == to)
        return;
    if (e) {
        locked = gl_load_relaxed(&e->locked); /* relaxed: see rt_fd_has_lock() */
        gl_spin_lock(stripe_of(from));
        if ((in = gl_load_relaxed(&e->in))) { /* guarded by the stripe */
            channel_hold(in);
            out = channel_hold(gl_load_relaxed(&e->out));
        }
        gl_spin_unlock(stripe_of(from));
    }
    entry_set(to, in, out);
    if (locked && (e = rt_fd_entry(to, true)))
        gl_store_relaxed(&e->locked, true);
}

void rt_fd_replace(int from, int to)
{
    struct rt_fd_entry *e = rt_fd_entry(to, false);
    (void)rt_fd_entry_look(from); /* or a call that ends now would look at the other one, in its place, while that is still what it was */
    entry_keep_former(to);
    if (e) {
        gl_store_relaxed(&e->locked, false);
        gl_store_relaxed(&e->streamed, false);
        rt_fd_unwatch(e);
    }
    rt_fd_copy(from, to);
}

void rt_fd_changed(int fd)
{
    struct rt_fd_entry *e = rt_fd_entry(fd, false);
    if (e && gl_load_relaxed(&e->in)) /* relaxed: who uses a descriptor that others make has no order to ask for */
        entry_set(fd, NULL, NULL);
}

void rt_fd_forget(int lo, int hi)
{
    if (hi >= RT_FD_CHUNK * RT_FD_CHUNKS)
        hi = RT_FD_CHUNK * RT_FD_CHUNKS - 1;
    for (int fd = lo < 0 ? 0 : lo; fd <= hi; fd++) {
        struct rt_fd_entry *e = rt_fd_entry(fd, false);
        if (!e) {
            fd |= RT_FD_CHUNK - 1; /* nobody of this chunk is known */
            continue;
        }
        rt_fd_changed(fd);
        gl_store_relaxed(&e->locked, false);
        gl_store_relaxed(&e->streamed, false);
        rt_fd_unwatch(e);
    }
}

void rt_fd_queue(int fd)
{
    struct stat st;
    struct rt_channel *c =
        gl_syscall2(SYS_fstat, fd, &st) == 0 ? rt_channel_named(RT_NAMED_FILE, st.st_dev, st.st_ino) : &fds.none;
    entry_set(fd, c, c);
}

/* ---- locks of files ---- */

bool rt_fd_has_lock(int fd)
{
    struct rt_fd_entry *e = rt_fd_entry(fd, false);
    return e && gl_load_relaxed(&e->locked); /* relaxed: set by this thread, or by one that it comes after */
}

void rt_fd_unlocking(struct rt_thread *t, int fd, uintptr_t pc)
{
    uintptr_t name = rt_named_file(RT_NAMED_FLOCK, fd);
    if (name)
        rt_release(t, name, RT_USER, pc);
}

/* A lock for writing may become one for reading, so whoever takes one gives up the one that he has. */
void rt_fd_locking(struct rt_thread *t, int fd, bool unlocks, uintptr_t pc)
{
    if (unlocks || rt_fd_has_lock(fd))
        rt_fd_unlocking(t, fd, pc);
}

void rt_fd_locked(struct rt_thread *t, int fd, bool unlocks, bool all, uintptr_t pc)
{
    uintptr_t name = unlocks ? 0 : rt_named_file(RT_NAMED_FLOCK, fd);
    struct rt_fd_entry *e = rt_fd_entry(fd, !unlocks);
    if (name)
        rt_acquire(t, name, RT_USER, pc);
    if (e && (!unlocks || all))
        gl_store_relaxed(&e->locked, !unlocks);
}

/* ---- sockets ---- */

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un path;
    struct sockaddr_storage room;
};

/* A number for the address: of its port, or of its path; 0: it has none. */
static uint64_t number_of(const struct sockaddr *a, socklen_t n)
{
    const size_t before = offsetof(struct sockaddr_un, sun_path);
    if (n < sizeof a->sa_family)
        return 0;
    if (a->sa_family == AF_INET && n >= sizeof(struct sockaddr_in))
        return ((const struct sockaddr_in *)(const void *)a)->sin_port;
    if (a->sa_family == AF_INET6 && n >= sizeof(struct sockaddr_in6))
        return ((const struct sockaddr_in6 *)(const void *)a)->sin6_port;
    if (a->sa_family != AF_UNIX || n <= before)
        return 0;
    const char *path = ((const struct sockaddr_un *)(const void *)a)->sun_path;
    uint64_t h = 1;
    for (size_t i = 0; i < n - before && (path[i] || i == 0); i++) /* an abstract name begins with a zero */
        h = rt_name_mix(h, (unsigned char)path[i]);
    return h | 1ull << 32; /* no port */
}

/* A socket has a file by that name. */
static bool socket_file(const struct sockaddr *a, socklen_t n, struct stat *st)
{
    const size_t before = offsetof(struct sockaddr_un, sun_path);
    char path[sizeof(struct sockaddr_storage)];
    if (n <= before || n > sizeof path || a->sa_family != AF_UNIX)
        return false;
    memcpy(path, (const char *)a + before, n - before);
    path[n - before] = 0;
    return path[0] && gl_syscall4(SYS_newfstatat, AT_FDCWD, path, st, 0) == 0 && S_ISSOCK(st->st_mode);
}

void rt_fd_bound(const struct sockaddr *at, socklen_t n)
{
    struct stat st;
    if (!socket_file(at, n, &st))
        return;
    struct rt_channel *c = rt_channel_named(RT_NAMED_PATH, st.st_dev, st.st_ino);
    rt_name_set_number(c, number_of(at, n));
}

/* The number of the address to which a call leads. */
static uint64_t number_there(const struct sockaddr *to, socklen_t n)
{
    struct stat st;
    uint64_t bound = socket_file(to, n, &st) ? rt_name_number(RT_NAMED_PATH, st.st_dev, st.st_ino) : 0;
    return bound ? bound : number_of(to, n);
}

static uint64_t name_of(long call, int fd)
{
    union address a;
    socklen_t n = sizeof a;
    return gl_syscall3(call, fd, &a, &n) == 0 ? number_of(&a.any, n < sizeof a ? n : (socklen_t)sizeof a) : 0;
}

static bool connected(int fd)
{
    union address a;
    socklen_t n = sizeof a;
    return gl_syscall3(SYS_getpeername, fd, &a, &n) == 0;
}

static int socket_option(int fd, int option)
{
    int value = 0;
    socklen_t n = sizeof value;
    return gl_syscall6(SYS_getsockopt, fd, SOL_SOCKET, option, (long)&value, (long)&n, 0) == 0 ? value : -1;
}

bool rt_fd_is_tcp(int fd)
{
    int protocol = socket_option(fd, SO_PROTOCOL);
    return protocol == IPPROTO_TCP || protocol == MPTCP;
}

/* Which channels a socket has at present; false: it is not clear yet (not connected, not bound). */
static bool socket_channels(int fd, struct rt_channel **in, struct rt_channel **out)
{
    uint64_t own = name_of(SYS_getsockname, fd), peer = name_of(SYS_getpeername, fd);
    int type = socket_option(fd, SO_TYPE);
    if (type == SOCK_DGRAM) {
        if (!own && !peer)
            return false;
        *in = own ? rt_channel_named(RT_NAMED_DATAGRAM, own, 0) : &fds.none;
        *out = peer ? rt_channel_named(RT_NAMED_DATAGRAM, peer, 0)
                    : &fds.none; /* else with the address of each: rt_fd_sending() */
        return true;
    }
    if (type != SOCK_STREAM && type != SOCK_SEQPACKET)
        return true; /* raw, netlink ...: none */
    if (socket_option(fd, SO_ACCEPTCONN) == 1) {
        *in = rt_channel_named(RT_NAMED_CONNECTION, own, 0);
        return true;
    }
    if (!connected(fd))
        return false;
    if (own && peer) {
        *in = rt_channel_named(RT_NAMED_CONNECTION, own, peer);
        *out = rt_channel_named(RT_NAMED_CONNECTION, peer, own);
    } else if (own || peer) { /* only the server's end has a path */
        *in = rt_channel_named(RT_NAMED_CONNECTION, own | peer, own ? 1 : 2);
        *out = rt_channel_named(RT_NAMED_CONNECTION, own | peer, own ? 2 : 1);
    }
    return true;
}

static bool is_pipe(int fd, const struct stat *pipe)
{
    struct stat st;
    return gl_syscall2(SYS_fstat, fd, &st) == 0 && S_ISFIFO(st.st_mode) && st.st_dev == pipe->st_dev && st.st_ino == pipe->st_ino;
}

/* The channel of this pipe, if another descriptor of the process is known to lead to it: one came over a socket, or was opened by its name below
 * /proc.  With a reference; NULL: none. */
static struct rt_channel *channel_of_pipe(int fd, const struct stat *pipe)
{
    struct rt_channel *found = NULL;
    for (int other = 0, end = rt_fd_chunks() * RT_FD_CHUNK; other < end && !found; other++) {
        struct rt_fd_entry *e = rt_fd_entry(other, false);
        if (!e) {
            other |= RT_FD_CHUNK - 1;
            continue;
        }
        /* relaxed: a hint; looked at again under the stripe */
        if (other == fd || !gl_load_relaxed(&e->in) || !is_pipe(other, pipe))
            continue;
        gl_spin_lock(stripe_of(other));
        struct rt_channel *in = gl_load_relaxed(&e->in), *out = gl_load_relaxed(&e->out); /* guarded by the stripe */
        found = in && in != &fds.none ? in : out;
        if (found && found != &fds.none)
            channel_hold(found);
        else
            found = NULL;
        gl_spin_unlock(stripe_of(other));
        if (found && !is_pipe(other, pipe)) { /* it was closed, and the number is another's */
            rt_channel_drop(found);
            found = NULL;
        }
    }
    return found;
}

/* What has an inode of its own, but pipes, of which look() finds the channel; of what has none the kernel is asked. */
static bool is_socket(const struct stat *st) { return S_ISSOCK(st->st_mode); }
static bool has_no_inode(const struct stat *st) { return (st->st_mode & S_IFMT) == 0; } /* eventfd, timerfd, epoll ... */

static bool is_same(int fd, const struct stat *of, int other)
{
    struct stat st;
    if (gl_syscall2(SYS_fstat, other, &st) != 0 || st.st_dev != of->st_dev || st.st_ino != of->st_ino || st.st_mode != of->st_mode)
        return false;
    return is_socket(of) || gl_syscall6(SYS_kcmp, gl_os_pid(), gl_os_pid(), KCMP_FILE, fd, other, 0) == 0;
}

void rt_fd_came(int fd)
{
    struct stat st;
    rt_fd_forget(fd, fd);
    if (gl_syscall2(SYS_fstat, fd, &st) != 0 || !(is_socket(&st) || has_no_inode(&st)))
        return;
    for (int other = 0, end = rt_fd_chunks() * RT_FD_CHUNK; other < end; other++) {
        struct rt_fd_entry *e = rt_fd_entry(other, false);
        if (!e) {
            other |= RT_FD_CHUNK - 1;
            continue;
        }
        /* relaxed: a hint; rt_fd_copy() looks under the stripe */
        if (other == fd || !gl_load_relaxed(&e->in) || rt_fd_plain(other) || !is_same(fd, &st, other))
            continue;
        rt_fd_copy(other, fd);
        if (is_same(fd, &st, other))
            return;
        rt_fd_forget(fd, fd); /* the other one was closed, and the number is another's */
    }
}

/* Looks at a descriptor that we did not see made. */
static void look(int fd)
{
    struct stat st;
    struct rt_channel *in = &fds.none, *out = &fds.none;
    if (gl_syscall2(SYS_fstat, fd, &st) != 0)
        return;
    if (S_ISFIFO(st.st_mode)) {
        struct rt_channel *c = channel_of_pipe(fd, &st);
        in = out = c ? channel_hold(c) : rt_channel_named(RT_NAMED_FILE, st.st_dev, st.st_ino);
    } else if (S_ISSOCK(st.st_mode) && !socket_channels(fd, &in, &out))
        return;
    entry_set(fd, in, out);
}

/* The entry, looked at; NULL: nothing is known. */
struct rt_fd_entry *rt_fd_entry_look(int fd)
{
    struct rt_fd_entry *e = rt_fd_entry(fd, true);
    if (e && !gl_load_relaxed(&e->in)) /* relaxed: a hint; entry_set() publishes under the stripe */
        look(fd);
    return e && gl_load_relaxed(&e->in) ? e : NULL;
}

/* ---- order ---- */

bool rt_fd_plain(int fd)
{
    struct rt_fd_entry *e = rt_fd_entry(fd, false);
    /* relaxed: compared only */
    return e && gl_load_relaxed(&e->in) == &fds.none && gl_load_relaxed(&e->out) == &fds.none && !gl_load_relaxed(&e->former);
}

bool rt_fd_is_signals(int fd)
{
    struct rt_fd_entry *e = rt_fd_entry(fd, false);
    return e && gl_load_relaxed(&e->in) == &fds.signals; /* relaxed: compared only */
}

void rt_fd_release(struct rt_thread *t, int fd, uintptr_t pc)
{
    struct rt_fd_entry *e = rt_fd_entry_look(fd);
    if (!e)
        return;
    gl_spin_lock(stripe_of(fd));
    struct rt_channel *c = gl_load_relaxed(&e->out); /* guarded by the stripe */
    if (orders(c))
        rt_release(t, (uintptr_t)c, RT_USER, pc);
    gl_spin_unlock(stripe_of(fd));
}

/* relaxed, here and below: who writes out another's stream has no order to ask for, but what the program makes itself */
void rt_fd_streamed(int fd)
{
    struct rt_fd_entry *e = rt_fd_entry(fd, false);
    if (e && !gl_load_relaxed(&e->streamed))
        gl_store_relaxed(&e->streamed, true);
}

void rt_fd_release_streams(struct rt_thread *t, uintptr_t pc)
{
    for (int fd = 0, end = rt_fd_chunks() * RT_FD_CHUNK; fd < end; fd++) {
        struct rt_fd_entry *e = rt_fd_entry(fd, false);
        if (!e)
            fd |= RT_FD_CHUNK - 1;
        else if (gl_load_relaxed(&e->streamed))
            rt_fd_release(t, fd, pc);
    }
}

void rt_fd_shut(struct rt_thread *t, int fd, uintptr_t pc)
{
    struct rt_fd_entry *e = rt_fd_entry_look(fd);
    rt_fd_release(t, fd, pc);
    if (!e)
        return;
    gl_spin_lock(stripe_of(fd));
    struct rt_channel *c = gl_load_relaxed(&e->in); /* guarded by the stripe */
    if (orders(c))
        rt_release(t, (uintptr_t)c, RT_USER, pc);
    gl_spin_unlock(stripe_of(fd));
}

struct rt_channel *rt_fd_reads(int fd)
{
    struct rt_fd_entry *e = rt_fd_entry_look(fd);
    if (!e)
        return NULL;
    gl_spin_lock(stripe_of(fd));
    struct rt_channel *c = gl_load_relaxed(&e->in); /* guarded by the stripe */
    if (c)
        channel_hold(c);
    gl_spin_unlock(stripe_of(fd));
    return c;
}

struct rt_channel *rt_fd_acquire_one(struct rt_thread *t, int fd, uintptr_t pc)
{
    struct rt_fd_entry *e = rt_fd_entry_look(fd);
    if (!e)
        return NULL;
    gl_spin_lock(stripe_of(fd));
    struct rt_channel *c = gl_load_relaxed(&e->in); /* guarded by the stripe */
    if (orders(c))
        rt_acquire(t, (uintptr_t)c, RT_USER, pc);
    struct rt_channel *former = gl_load_relaxed(&e->former);
    if (former && former != c && former == rt_tls.reads) /* the call began before the number was replaced */
        rt_acquire(t, (uintptr_t)former, RT_USER, pc);
    bool tells = orders(c) && gl_load_relaxed(&c->watches); /* relaxed: who asked for events comes before, or nobody knows */
    if (tells)
        channel_hold(c);
    gl_spin_unlock(stripe_of(fd));
    return tells ? c : NULL;
}

void rt_fd_acquire(struct rt_thread *t, int fd, uintptr_t pc)
{
    struct rt_channel *epoll = rt_fd_acquire_one(t, fd, pc);
    if (!epoll)
        return;
    rt_fd_watched(t, epoll, pc);
    rt_channel_drop(epoll);
}

void rt_fd_connecting(struct rt_thread *t, int fd, const struct sockaddr *to, socklen_t n, uintptr_t pc)
{
    uint64_t there = number_there(to, n);
    rt_fd_changed(fd);
    if (there && socket_option(fd, SO_TYPE) != SOCK_DGRAM)
        rt_release(t, (uintptr_t)rt_channel_named(RT_NAMED_CONNECTION, there, 0), RT_USER, pc);
}

void rt_fd_sending(struct rt_thread *t, int fd, const struct sockaddr *to, socklen_t n, uintptr_t pc)
{
    uint64_t there = to ? number_there(to, n) : 0;
    int type = there ? socket_option(fd, SO_TYPE) : -1;
    if (type == SOCK_DGRAM)
        rt_release(t, (uintptr_t)rt_channel_named(RT_NAMED_DATAGRAM, there, 0), RT_USER, pc);
    else if (type == SOCK_STREAM && !connected(fd)) /* MSG_FASTOPEN: it connects, and who accepts comes after what it sends */
        rt_fd_connecting(t, fd, to, n, pc);
    else
        rt_fd_release(t, fd, pc);
}
