/* SPDX-License-Identifier: Apache-2.0
 *
 * Which descriptor reads and writes which channel, see fd.h.
 *
 * An entry of the table is guarded by the stripe of its number; a channel lives as long as an entry (or another
 * channel) refers to it, so who holds the stripe may use the entry's channels.  Channels of
 * connections are never freed: one end may be closed before the other is known.  They are a fixed table, by
 * hash; two that fall together are one, which may order too much.
 *
 * Locks: stripe before the locks of sync.c.  No two stripes at once.
 */
#include "native/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "native/state.h"
#include "core/atomic.h"
#include "platform/linux/syscall.h"

/* Its address is what sync.c knows. */
struct channel {
    _Atomic uint32_t refs;
    uint32_t spare;
    _Atomic(struct channel *) also; /* an epoll descriptor's that is told of writes here; holds a reference */
};

struct entry {
    _Atomic(struct channel *) in, out; /* NULL: not looked at yet */
    struct {
        _Atomic uint32_t stack, thread; /* where it was made or closed: a depot node; tid + 1; 0: not known */
    } number;                           /* its address is that of the variable that the number is */
    _Atomic uint8_t state;              /* UNKNOWN ... */
    _Atomic bool was_closed;            /* at some time: sync.c may know the entry's address */
    _Atomic bool by_number;             /* an epoll tells of it by its number */
};
_Static_assert(offsetof(struct entry, number) % 8 == 0 && sizeof(struct entry) % 8 == 0, "a variable of 8 bytes");

/* Of a number, as far as we saw. */
enum { UNKNOWN, OPEN, CLOSED };

#define STRIPES 64u
#define CHUNK   4096
#define CHUNKS  1024 /* 4 million descriptors: more than the kernel's usual limit */
#define NAMED   (1u << 14)

static struct {
    struct {
        struct gl_spin lock;
        char pad[60]; /* neighbours are used by other threads */
    } stripe[STRIPES];
    _Atomic(struct entry *) chunk[CHUNKS];
    _Atomic int chunks; /* as many, from the first on, may be there */
    struct channel none;    /* of what orders nothing */
    struct channel signals; /* what a signalfd reads */
    struct channel any;     /* written with channels that several epolls watch */
    struct channel named[NAMED];
} fds;

static bool is_pinned(const struct channel *c)
{
    return (const char *)c >= (char *)&fds && (const char *)c < (char *)(&fds + 1);
}

static struct channel *channel_new(void)
{
    struct channel *c = gl_arena_alloc(sizeof *c);
    if (!c) {
        rt_count(RT_COUNT_sync_no_memory);
        gl_core_stop(rt.core);
        return &fds.none;
    }
    gl_store_relaxed(&c->refs, 0); /* not shared yet */
    gl_store_relaxed(&c->also, NULL);
    return c;
}

static struct channel *channel_hold(struct channel *c)
{
    if (!is_pinned(c))
        gl_add_relaxed(&c->refs, 1); /* relaxed: the caller is kept alive by another reference */
    return c;
}

static void channel_drop(struct channel *c)
{
    while (c && !is_pinned(c) &&
           atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) ==
               1) { /* the last one sees all uses */
        struct channel *also = gl_load_relaxed(&c->also);
        rt_sync_destroy(NULL, (uintptr_t)c, RT_USER, 0);
        gl_arena_free(c, sizeof *c);
        c = also;
    }
}

/* ---- the table ---- */

/* NULL: there is none (`make`: no memory, or a number beyond all limits). */
static struct entry *entry_of(int fd, bool make)
{
    if (fd < 0 || fd >= CHUNK * CHUNKS)
        return NULL;
    _Atomic(struct entry *) *place = &fds.chunk[fd / CHUNK];
    struct entry *chunk = gl_load_acquire(place); /* pairs with the exchange below */
    if (!chunk && make) {
        struct entry *fresh = gl_os_map(CHUNK * sizeof *fresh);
        int n = fd / CHUNK + 1, was = gl_load_relaxed(&fds.chunks);
        while (was < n && !atomic_compare_exchange_weak(&fds.chunks, &was, n)) /* before anybody uses the chunk */
            ;
        if (fresh && gl_cas_acq_rel(place, &chunk, fresh)) /* release: pairs with the load above */
            chunk = fresh;
        else if (fresh)
            gl_os_unmap(fresh, CHUNK * sizeof *fresh);
    }
    return chunk ? chunk + fd % CHUNK : NULL;
}

static struct gl_spin *stripe_of(int fd) { return &fds.stripe[(unsigned)fd % STRIPES].lock; }

/* The entry becomes this; in and out come with a reference each, or are both NULL. */
static void entry_set(int fd, struct channel *in, struct channel *out)
{
    struct entry *e = entry_of(fd, in != NULL);
    if (!e) {
        channel_drop(in);
        channel_drop(out);
        return;
    }
    gl_spin_lock(stripe_of(fd));
    struct channel *was_in = gl_load_relaxed(&e->in),
                   *was_out = gl_load_relaxed(&e->out); /* guarded by the stripe */
    gl_store_relaxed(&e->in, in);
    gl_store_relaxed(&e->out, out);
    gl_store_relaxed(&e->by_number, false);
    gl_spin_unlock(stripe_of(fd));
    channel_drop(was_in);
    channel_drop(was_out);
}

void rt_fd_pipe(int reads, int writes)
{
    struct channel *c = channel_new();
    channel_hold(c);
    entry_set(writes, &fds.none, channel_hold(c)); /* both held before one may be dropped */
    entry_set(reads, c, &fds.none);
}

void rt_fd_pair(int a, int b)
{
    struct channel *to_a = channel_hold(channel_new()), *to_b = channel_hold(channel_new());
    channel_hold(to_a), channel_hold(to_b);
    entry_set(a, to_a, to_b);
    entry_set(b, to_b, to_a);
}

void rt_fd_event(int fd)
{
    struct channel *c = channel_hold(channel_new());
    channel_hold(c);
    entry_set(fd, c, c);
}

void rt_fd_signals(int fd) { entry_set(fd, &fds.signals, &fds.none); }

void rt_fd_copy(int from, int to)
{
    struct entry *e = entry_of(from, false);
    struct channel *in = NULL, *out = NULL;
    if (from == to)
        return;
    if (e) {
        gl_spin_lock(stripe_of(from));
        if ((in = gl_load_relaxed(&e->in))) { /* guarded by the stripe */
            channel_hold(in);
            out = channel_hold(gl_load_relaxed(&e->out));
        }
        gl_spin_unlock(stripe_of(from));
    }
    entry_set(to, in, out);
}

void rt_fd_forget(int lo, int hi)
{
    if (hi >= CHUNK * CHUNKS)
        hi = CHUNK * CHUNKS - 1;
    for (int fd = lo < 0 ? 0 : lo; fd <= hi; fd++) {
        struct entry *e = entry_of(fd, false);
        if (!e)
            fd |= CHUNK - 1; /* nobody of this chunk is known */
        else if (gl_load_relaxed(
                     &e->in)) /* relaxed: who closes a descriptor that others make has no order to ask for */
            entry_set(fd, NULL, NULL);
    }
}

/* ---- numbers: the entry's address is what sync.c knows ---- */

bool rt_fd_is_open(int fd) { return gl_syscall2(SYS_fcntl, fd, F_GETFD) >= 0; }

void rt_fd_closing(struct rt_thread *t, int fd, uintptr_t pc)
{
    struct entry *e = entry_of(fd, true);
    if (!e)
        return;
    gl_store_relaxed(&e->was_closed, true); /* relaxed: before the real close, which comes before the open that asks */
    rt_release(t, (uintptr_t)e, RT_USER, pc);
}

void rt_fd_closing_range(struct rt_thread *t, int lo, int hi, uintptr_t pc)
{
    if (hi >= CHUNK * CHUNKS)
        hi = CHUNK * CHUNKS - 1;
    for (int fd = lo < 0 ? 0 : lo; fd <= hi; fd++) {
        if (fd >= CHUNK && !entry_of(fd, false))
            fd |= CHUNK - 1; /* nobody of this chunk is known */
        if (!rt_fd_is_open(fd))
            continue;
        rt_fd_closing(t, fd, pc);
        if (!rt_fd_plain(fd))
            rt_fd_release(t, fd, pc); /* the other end may read the end of the file because of this */
    }
}

/* All relaxed: reports read them, and of `state` threads whose uses race with this. */
static void now_is(struct entry *e, unsigned state, const struct rt_thread *t, uint32_t stack)
{
    gl_store_relaxed(&e->number.stack, stack);
    gl_store_relaxed(&e->number.thread, t ? t->tid + 1 : 0);
    gl_store_relaxed(&e->state, (uint8_t)state);
}

static void is_new(struct entry *e, struct rt_thread *t, uintptr_t pc)
{
    rt_memory_fresh(t, (uintptr_t)&e->number, sizeof e->number);
    now_is(e, OPEN, t, rt_stack_here(t, pc));
}

void rt_fd_opened(struct rt_thread *t, int fd, uintptr_t pc)
{
    struct entry *e = entry_of(fd, true);
    if (!e)
        return;
    if (gl_load_relaxed(&e->was_closed)) /* relaxed: see rt_fd_closing() */
        rt_acquire(t, (uintptr_t)e, RT_USER, pc);
    is_new(e, t, pc);
}

void rt_fd_replaced(struct rt_thread *t, int fd, bool was_open, uintptr_t pc)
{
    struct entry *e = entry_of(fd, true);
    if (e && was_open)
        now_is(e, OPEN, t, rt_stack_here(t, pc));
    else if (e)
        is_new(e, t, pc);
}

/* ---- numbers as variables ---- */

static struct entry *entry_look(int fd);

#define REOPENED_ROUNDS 200u

/* A number that was closed and yet is open was opened where we did not see it; or who closes it is about to, and is given some time for
 * that. */
static void see_reopened(int fd, struct entry *e)
{
    for (unsigned n = 0; gl_load_relaxed(&e->state) == CLOSED && rt_fd_is_open(fd); n++) { /* relaxed: see now_is() */
        if (n == REOPENED_ROUNDS) {
            rt_enter_always();
            rt_memory_fresh(rt_tls.self, (uintptr_t)&e->number, sizeof e->number);
            now_is(e, UNKNOWN, NULL, 0);
            rt_leave();
            return;
        }
        gl_os_pause(n);
    }
}

static void touch(struct entry *e, unsigned kind, uintptr_t pc)
{
    uintptr_t a = (uintptr_t)&e->number;
    if (rt_address_ok(a))
        rt_access_slow(a, sizeof e->number, kind, pc);
}

void rt_fd_used(int fd, uintptr_t pc)
{
    struct entry *e = rt_tls.depth ? NULL : entry_of(fd, true);
    if (!e)
        return;
    see_reopened(fd, e);
    touch(e, GL_ACCESS_READ, pc);
}

void rt_fd_used_to_send(int fd, uintptr_t pc)
{
    struct rt_thread *t = rt_enter();
    struct entry *e = t ? entry_look(fd) : NULL;
    const struct channel *out = e ? gl_load_relaxed(&e->out) : NULL; /* relaxed: compared only */
    if (t)
        rt_leave();
    if (out < fds.named || out >= fds.named + NAMED)
        rt_fd_used(fd, pc);
}

bool rt_fd_ending(int fd, uintptr_t pc)
{
    bool open = rt_fd_is_open(fd);
    struct entry *e = rt_tls.depth ? NULL : entry_of(fd, open);
    if (!e)
        return open;
    if (open)
        see_reopened(fd, e);
    else if (gl_load_relaxed(&e->state) != CLOSED || rt.forked) /* relaxed: see now_is() */
        return false;
    touch(e, GL_ACCESS_WRITE, pc);
    if (open) {
        struct rt_thread *t = rt_enter();
        now_is(e, CLOSED, t, t ? rt_stack_here(t, pc) : 0);
        if (t)
            rt_leave();
    }
    return open;
}

void rt_fd_ending_range(int lo, int hi, uintptr_t pc)
{
    if (hi >= CHUNK * CHUNKS)
        hi = CHUNK * CHUNKS - 1;
    for (int fd = lo < 0 ? 0 : lo; fd <= hi; fd++) {
        if (fd >= CHUNK && !entry_of(fd, false))
            fd |= CHUNK - 1; /* nobody of this chunk is known */
        else if (rt_fd_is_open(fd))
            (void)rt_fd_ending(fd, pc);
    }
}

void rt_fd_forked(void)
{
    for (int i = 0; i < gl_load_relaxed(&fds.chunks); i++) { /* relaxed: chunks stay */
        struct entry *chunk = entry_of(i * CHUNK, false);
        if (chunk && rt_address_ok((uintptr_t)chunk))
            rt_shadow_fresh((uintptr_t)chunk, CHUNK * sizeof *chunk, true); /* a new recording knows nothing of it anyway */
    }
}

bool rt_fd_find(uintptr_t a, struct rt_fd_number *out)
{
    for (int i = 0; i < gl_load_relaxed(&fds.chunks); i++) { /* relaxed: chunks stay */
        struct entry *chunk = entry_of(i * CHUNK, false), *e;
        if (!chunk || a < (uintptr_t)chunk || a >= (uintptr_t)(chunk + CHUNK))
            continue;
        e = chunk + (a - (uintptr_t)chunk) / sizeof *e;
        uint32_t thread = gl_load_relaxed(&e->number.thread); /* all relaxed: see now_is() */
        *out = (struct rt_fd_number){.fd = i * CHUNK + (int)(e - chunk),
                                     .closed = gl_load_relaxed(&e->state) == CLOSED,
                                     .tid = thread - 1,
                                     .stack = gl_load_relaxed(&e->number.stack)};
        return true;
    }
    return false;
}

void rt_fd_uses(struct rt_used *tids)
{
    for (int i = 0; i < gl_load_relaxed(&fds.chunks); i++) { /* relaxed: chunks stay */
        struct entry *chunk = entry_of(i * CHUNK, false);
        for (int k = 0; chunk && k < CHUNK; k++)
            rt_use(tids, gl_load_relaxed(&chunk[k].number.thread) - 1); /* relaxed: alone; -1: in no set */
    }
}

/* ---- names ---- */

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9E3779B97F4A7C15ull;
    return h ^ h >> 29;
}

static struct channel *named(enum rt_named what, uint64_t a, uint64_t b)
{
    return &fds.named[mix(mix(mix(0, what), a), b) % NAMED];
}

uintptr_t rt_named(enum rt_named what, uint64_t a, uint64_t b) { return (uintptr_t)named(what, a, b); }

uintptr_t rt_named_file(enum rt_named what, int fd)
{
    struct stat st;
    return gl_syscall2(SYS_fstat, fd, &st) == 0 ? rt_named(what, st.st_dev, st.st_ino) : 0;
}

void rt_fd_queue(int fd)
{
    struct stat st;
    struct channel *c =
        gl_syscall2(SYS_fstat, fd, &st) == 0 ? named(RT_NAMED_FILE, st.st_dev, st.st_ino) : &fds.none;
    entry_set(fd, c, c);
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
        h = mix(h, (unsigned char)path[i]);
    return h | 1ull << 32; /* no port */
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

/* Which channels a socket has at present; false: it is not clear yet (not connected, not bound). */
static bool socket_channels(int fd, struct channel **in, struct channel **out)
{
    uint64_t own = name_of(SYS_getsockname, fd), peer = name_of(SYS_getpeername, fd);
    int type = socket_option(fd, SO_TYPE);
    if (type == SOCK_DGRAM) {
        if (!own && !peer)
            return false;
        *in = own ? named(RT_NAMED_DATAGRAM, own, 0) : &fds.none;
        *out = peer ? named(RT_NAMED_DATAGRAM, peer, 0)
                    : &fds.none; /* else with the address of each: rt_fd_sending() */
        return true;
    }
    if (type != SOCK_STREAM && type != SOCK_SEQPACKET)
        return true; /* raw, netlink ...: none */
    if (socket_option(fd, SO_ACCEPTCONN) == 1) {
        *in = named(RT_NAMED_CONNECTION, own, 0);
        return true;
    }
    if (!connected(fd))
        return false;
    if (own && peer) {
        *in = named(RT_NAMED_CONNECTION, own, peer);
        *out = named(RT_NAMED_CONNECTION, peer, own);
    } else if (own || peer) { /* only the server's end has a path */
        *in = named(RT_NAMED_CONNECTION, own | peer, own ? 1 : 2);
        *out = named(RT_NAMED_CONNECTION, own | peer, own ? 2 : 1);
    }
    return true;
}

/* Looks at a descriptor that we did not see made. */
static void look(int fd)
{
    struct stat st;
    struct channel *in = &fds.none, *out = &fds.none;
    if (gl_syscall2(SYS_fstat, fd, &st) != 0)
        return;
    if (S_ISFIFO(st.st_mode))
        in = out = named(RT_NAMED_FILE, st.st_dev, st.st_ino);
    else if (S_ISSOCK(st.st_mode) && !socket_channels(fd, &in, &out))
        return;
    entry_set(fd, in, out);
}

/* The entry, looked at; NULL: nothing is known. */
static struct entry *entry_look(int fd)
{
    struct entry *e = entry_of(fd, true);
    if (e && !gl_load_relaxed(&e->in)) /* relaxed: a hint; entry_set() publishes under the stripe */
        look(fd);
    return e && gl_load_relaxed(&e->in) ? e : NULL;
}

/* ---- order ---- */

bool rt_fd_plain(int fd)
{
    struct entry *e = entry_of(fd, false);
    /* relaxed: compared only */
    return e && gl_load_relaxed(&e->in) == &fds.none && gl_load_relaxed(&e->out) == &fds.none;
}

bool rt_fd_is_signals(int fd)
{
    struct entry *e = entry_of(fd, false);
    return e && gl_load_relaxed(&e->in) == &fds.signals; /* relaxed: compared only */
}

static bool orders(const struct channel *c) { return c && c != &fds.none && c != &fds.signals; }

void rt_fd_release(struct rt_thread *t, int fd, uintptr_t pc)
{
    struct entry *e = entry_look(fd);
    if (!e)
        return;
    gl_spin_lock(stripe_of(fd));
    struct channel *c = gl_load_relaxed(&e->out); /* guarded by the stripe */
    if (orders(c)) {
        struct channel *also = gl_load_acquire(&c->also); /* pairs with rt_fd_watch() */
        rt_release(t, (uintptr_t)c, RT_USER, pc);
        if (also)
            rt_release(t, (uintptr_t)also, RT_USER, pc);
    }
    gl_spin_unlock(stripe_of(fd));
}


void rt_fd_shut(struct rt_thread *t, int fd, uintptr_t pc)
{
    struct entry *e = entry_look(fd);
    rt_fd_release(t, fd, pc);
    if (!e)
        return;
    gl_spin_lock(stripe_of(fd));
    struct channel *c = gl_load_relaxed(&e->in); /* guarded by the stripe */
    if (orders(c))
        rt_release(t, (uintptr_t)c, RT_USER, pc);
    gl_spin_unlock(stripe_of(fd));
}

void rt_fd_acquire(struct rt_thread *t, int fd, uintptr_t pc)
{
    struct entry *e = entry_look(fd);
    if (!e)
        return;
    gl_spin_lock(stripe_of(fd));
    struct channel *c = gl_load_relaxed(&e->in); /* guarded by the stripe */
    if (orders(c))
        rt_acquire(t, (uintptr_t)c, RT_USER, pc);
    gl_spin_unlock(stripe_of(fd));
}

void rt_fd_connecting(struct rt_thread *t, int fd, const struct sockaddr *to, socklen_t n, uintptr_t pc)
{
    uint64_t there = number_of(to, n);
    rt_fd_forget(fd, fd); /* its channels are others now */
    if (there && socket_option(fd, SO_TYPE) != SOCK_DGRAM)
        rt_release(t, (uintptr_t)named(RT_NAMED_CONNECTION, there, 0), RT_USER, pc);
}

void rt_fd_sending(struct rt_thread *t, int fd, const struct sockaddr *to, socklen_t n, uintptr_t pc)
{
    uint64_t there = to ? number_of(to, n) : 0;
    if (there && socket_option(fd, SO_TYPE) == SOCK_DGRAM)
        rt_release(t, (uintptr_t)named(RT_NAMED_DATAGRAM, there, 0), RT_USER, pc);
    else
        rt_fd_release(t, fd, pc);
}

/* ---- epoll ---- */

/* Most programs give the number of the descriptor as what the wait shall tell.  Of any other data we keep nothing: then
 * writes to what is watched are sources of the epoll descriptor itself. */
void rt_fd_watch(int epoll, int fd, uint64_t data)
{
    struct entry *e = entry_look(fd), *of_epoll = entry_look(epoll);
    if (!e || !of_epoll)
        return;
    gl_spin_lock(stripe_of(epoll));
    struct channel *events = gl_load_relaxed(&of_epoll->in); /* guarded by the stripe */
    if (events)
        channel_hold(events);
    gl_spin_unlock(stripe_of(epoll));
    if (!events)
        return;
    gl_spin_lock(stripe_of(fd));
    struct channel *c = gl_load_relaxed(&e->in), *was = NULL; /* guarded by the stripe */
    bool by_number = (int)(uint32_t)data == fd;
    gl_store_relaxed(&e->by_number, by_number);
    if (!by_number && orders(c) && !gl_cas_acq_rel(&c->also, &was, events) &&
        was != events)                        /* release: pairs with rt_fd_release() */
        gl_store_release(&c->also, &fds.any); /* `was` keeps its reference: a write may be using it */
    else if (!by_number && orders(c) && !was)
        events = NULL; /* the reference is the channel's now */
    gl_spin_unlock(stripe_of(fd));
    channel_drop(events);
}

void rt_fd_told(struct rt_thread *t, int epoll, uint64_t data, uintptr_t pc)
{
    int fd = (int)(uint32_t)data;
    struct entry *e = entry_of(fd, false);
    if (e &&
        gl_load_relaxed(&e->by_number)) /* relaxed: set before the wait began, by who is ordered before it */
        rt_fd_acquire(t, fd, pc);
    rt_fd_acquire(t, epoll, pc);
    rt_acquire(t, (uintptr_t)&fds.any, RT_USER, pc);
}
