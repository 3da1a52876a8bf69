/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of descriptors, see fd.h: the order between a close and the call that gets the number again, and the variable that a number is.
 * The address of an entry is what sync.c knows, that of its `number` what accesses are made to.
 */
#include "native/fd_entry.h"

#include <fcntl.h>

#include "native/state.h"
#include "platform/linux/syscall.h"

/* ---- closed and opened again ---- */

bool rt_fd_is_open(int fd) { return gl_syscall2(SYS_fcntl, fd, F_GETFD) >= 0; }

bool rt_fd_only_reads(int fd)
{
    long flags = gl_syscall2(SYS_fcntl, fd, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) == O_RDONLY;
}

void rt_fd_closing(struct rt_thread *t, int fd, uintptr_t pc)
{
    struct rt_fd_entry *e = rt_fd_entry(fd, true);
    if (!e)
        return;
    gl_store_relaxed(&e->was_closed, true); /* relaxed: before the real close, which comes before the open that asks */
    rt_release(t, (uintptr_t)e, RT_USER, pc);
}

void rt_fd_closing_range(struct rt_thread *t, int lo, int hi, uintptr_t pc)
{
    if (hi >= RT_FD_CHUNK * RT_FD_CHUNKS)
        hi = RT_FD_CHUNK * RT_FD_CHUNKS - 1;
    for (int fd = lo < 0 ? 0 : lo; fd <= hi; fd++) {
        if (fd >= RT_FD_CHUNK && !rt_fd_entry(fd, false))
            fd |= RT_FD_CHUNK - 1; /* nobody of this chunk is known */
        if (!rt_fd_is_open(fd))
            continue;
        rt_fd_closing(t, fd, pc);
        if (rt_fd_has_lock(fd))
            rt_fd_unlocking(t, fd, pc);
        if (!rt_fd_plain(fd))
            rt_fd_release(t, fd, pc); /* the other end may read the end of the file because of this */
    }
}

/* All relaxed: reports read them, and of `state` threads whose uses race with this. */
static void now_is(struct rt_fd_entry *e, unsigned state, const struct rt_thread *t, uint32_t stack)
{
    gl_store_relaxed(&e->number.stack, stack);
    gl_store_relaxed(&e->number.thread, t ? t->tid + 1 : 0);
    gl_store_relaxed(&e->state, (uint8_t)state);
}

static void is_new(struct rt_fd_entry *e, struct rt_thread *t, uintptr_t pc)
{
    rt_memory_fresh(t, (uintptr_t)&e->number, sizeof e->number);
    now_is(e, RT_FD_OPEN, t, rt_stack_here(t, pc));
}

void rt_fd_opened(struct rt_thread *t, int fd, uintptr_t pc)
{
    struct rt_fd_entry *e = rt_fd_entry(fd, true);
    if (!e)
        return;
    if (gl_load_relaxed(&e->was_closed)) /* relaxed: see rt_fd_closing() */
        rt_acquire(t, (uintptr_t)e, RT_USER, pc);
    is_new(e, t, pc);
}

void rt_fd_replaced(struct rt_thread *t, int fd, bool was_open, uintptr_t pc)
{
    struct rt_fd_entry *e = rt_fd_entry(fd, true);
    if (e && was_open)
        now_is(e, RT_FD_OPEN, t, rt_stack_here(t, pc));
    else if (e)
        is_new(e, t, pc);
}

/* ---- numbers as variables ---- */

#define REOPENED_ROUNDS 200u

/* A number that was closed and yet is open was opened where we did not see it; or who closes it is about to, and is given some time for
 * that. */
static void see_reopened(int fd, struct rt_fd_entry *e)
{
    for (unsigned n = 0; gl_load_relaxed(&e->state) == RT_FD_CLOSED && rt_fd_is_open(fd); n++) { /* relaxed: see now_is() */
        if (n == REOPENED_ROUNDS) {
            rt_enter_always();
            rt_memory_fresh(rt_tls.self, (uintptr_t)&e->number, sizeof e->number);
            now_is(e, RT_FD_UNKNOWN, NULL, 0);
            rt_leave();
            return;
        }
        gl_os_pause(n);
    }
}

static void touch(struct rt_fd_entry *e, unsigned kind, uintptr_t pc)
{
    uintptr_t a = (uintptr_t)&e->number;
    if (rt_address_ok(a))
        rt_access_slow(a, sizeof e->number, kind, pc);
}

void rt_fd_used(int fd, uintptr_t pc)
{
    struct rt_fd_entry *e = rt_tls.depth ? NULL : rt_fd_entry(fd, true);
    if (!e)
        return;
    see_reopened(fd, e);
    rt_tls.reads = gl_load_relaxed(&e->in); /* relaxed: compared only */
    touch(e, GL_ACCESS_READ, pc);
}

void rt_fd_used_to_send(int fd, uintptr_t pc)
{
    struct rt_thread *t = rt_enter();
    struct rt_fd_entry *e = t ? rt_fd_entry_look(fd) : NULL;
    bool by_name = e && rt_fd_is_named(e);
    if (t)
        rt_leave();
    if (!by_name)
        rt_fd_used(fd, pc);
}

bool rt_fd_ending(int fd, uintptr_t pc)
{
    bool open = rt_fd_is_open(fd);
    struct rt_fd_entry *e = rt_tls.depth ? NULL : rt_fd_entry(fd, open);
    if (!e)
        return open;
    if (open)
        see_reopened(fd, e);
    else if (gl_load_relaxed(&e->state) != RT_FD_CLOSED || rt.forked) /* relaxed: see now_is() */
        return false;
    touch(e, GL_ACCESS_WRITE, pc);
    if (open) {
        struct rt_thread *t = rt_enter();
        now_is(e, RT_FD_CLOSED, t, t ? rt_stack_here(t, pc) : 0);
        if (t)
            rt_leave();
    }
    return open;
}

void rt_fd_ending_range(int lo, int hi, uintptr_t pc)
{
    if (hi >= RT_FD_CHUNK * RT_FD_CHUNKS)
        hi = RT_FD_CHUNK * RT_FD_CHUNKS - 1;
    for (int fd = lo < 0 ? 0 : lo; fd <= hi; fd++) {
        if (fd >= RT_FD_CHUNK && !rt_fd_entry(fd, false))
            fd |= RT_FD_CHUNK - 1; /* nobody of this chunk is known */
        else if (rt_fd_is_open(fd))
            (void)rt_fd_ending(fd, pc);
    }
}

void rt_fd_forked(void)
{
    for (int i = 0; i < rt_fd_chunks(); i++) {
        struct rt_fd_entry *chunk = rt_fd_entry(i * RT_FD_CHUNK, false);
        if (chunk && rt_address_ok((uintptr_t)chunk))
            rt_shadow_fresh((uintptr_t)chunk, RT_FD_CHUNK * sizeof *chunk, true); /* a new recording knows nothing of it anyway */
    }
}

bool rt_fd_find(uintptr_t a, struct rt_fd_number *out)
{
    for (int i = 0; i < rt_fd_chunks(); i++) {
        struct rt_fd_entry *chunk = rt_fd_entry(i * RT_FD_CHUNK, false), *e;
        if (!chunk || a < (uintptr_t)chunk || a >= (uintptr_t)(chunk + RT_FD_CHUNK))
            continue;
        e = chunk + (a - (uintptr_t)chunk) / sizeof *e;
        uint32_t thread = gl_load_relaxed(&e->number.thread); /* all relaxed: see now_is() */
        *out = (struct rt_fd_number){.fd = i * RT_FD_CHUNK + (int)(e - chunk),
                                     .closed = gl_load_relaxed(&e->state) == RT_FD_CLOSED,
                                     .tid = thread - 1,
                                     .stack = gl_load_relaxed(&e->number.stack)};
        return true;
    }
    return false;
}

void rt_fd_uses(struct rt_used *tids)
{
    for (int i = 0; i < rt_fd_chunks(); i++) {
        struct rt_fd_entry *chunk = rt_fd_entry(i * RT_FD_CHUNK, false);
        for (int k = 0; chunk && k < RT_FD_CHUNK; k++)
            rt_use(tids, gl_load_relaxed(&chunk[k].number.thread) - 1); /* relaxed: alone; -1: in no set */
    }
}
