/* SPDX-License-Identifier: Apache-2.0
 *
 * The side of the recorder that the program's threads run: making records.
 *
 *     record:   inside := odd;  look at the counter;  write the record;  head := head + 1;  inside := even
 *     writer:   limit := counter, counter + 1;  membarrier;  wait for every inside that is odd to change
 *
 * A thread that the writer found outside takes larger numbers than `limit` from then on; the records of one that it found
 * inside are there when it has left.  So what is in the rings up to `limit` is all that there will be.
 */
#include "core/atomic.h"
#include "native/access_inl.h"
#include "native/record.h"
#include "native/sync_object.h"

struct rt_record_state rt_recorder;

/* Room for one record; NULL: nothing is recorded.  record_done() follows. */
static struct rt_event *record_begin(struct rt_ring *ring)
{
    for (;;) {
        gl_store_relaxed(&ring->inside, gl_load_relaxed(&ring->inside) + 1);
        __atomic_signal_fence(__ATOMIC_SEQ_CST); /* pairs with the membarrier of the writer */
        uint32_t head = gl_load_relaxed(&ring->head);
        bool closed = gl_load_relaxed(&rt_recorder.closed); /* relaxed: who closes waits as the writer does */
        if (RT_LIKELY(!closed && head - gl_load_acquire(&ring->tail) < RT_RING)) /* acquire: pairs with the writer */
            return &ring->event[head % RT_RING];
        gl_store_release(&ring->inside, gl_load_relaxed(&ring->inside) + 1);
        if (closed)
            return NULL;
        rt_record_wait(ring);
    }
}

static void record_done(struct rt_ring *ring)
{
    uint32_t head = gl_load_relaxed(&ring->head) + 1;
    gl_store_release(&ring->head, head); /* pairs with the writer's load */
    gl_store_release(&ring->inside, gl_load_relaxed(&ring->inside) + 1);
    if (RT_UNLIKELY(head % (RT_RING / 2) == 0))
        rt_record_wake();
}

static void put(struct rt_thread *t, struct rt_event e, bool sync)
{
    struct rt_event *to = t->ring ? record_begin(t->ring) : NULL;
    if (!to)
        return;
    *to = e;
    /* acq_rel: what a thread did before it took a number is seen by who takes a later one; x86 makes it a full fence */
    to->key = sync ? 2 * atomic_fetch_add_explicit(&rt_recorder.counter, 1, memory_order_acq_rel) + 1
                   : 2 * gl_load_acquire(&rt_recorder.counter);
    record_done(t->ring);
}

/* ---- threads ---- */

void rt_record_attach(struct rt_thread *t, bool forked)
{
    if (!rt.recording)
        return;
    struct rt_ring *ring = gl_os_map(sizeof *ring);
    if (!ring)
        rt_die("no memory for recording thread T%u; lift the memory limit of the process", t->tid);
    ring->tid = t->tid;
    t->ring = ring;
    rt_record_ring_add(ring);
    if (forked)
        put(t, (struct rt_event){.op = GL_OP_BEGIN}, true);
    else
        gl_add_relaxed(&rt_recorder.live, 1);
}

void rt_record_end(struct rt_thread *t)
{
    if (!t->ring)
        return;
    rt_record_locks(t, false);
    put(t, (struct rt_event){.op = GL_OP_END}, true);
    gl_store_release(&t->ring->over, true); /* pairs with the writer, which frees it */
    t->ring = NULL;
    if (atomic_fetch_sub(&rt_recorder.live, 1) == 1)
        rt_record_wake();
}

void rt_record_fork(struct rt_thread *t, struct rt_thread *child)
{
    if (!rt.recording)
        return;
    gl_add_relaxed(&rt_recorder.live, 1);
    put(t, (struct rt_event){.op = GL_OP_FORK, .object = child->tid, .site = child->create_stack}, true);
}

void rt_record_create_failed(void)
{
    if (rt.recording)
        atomic_fetch_sub(&rt_recorder.live, 1);
}

void rt_record_join(struct rt_thread *t, struct rt_thread *child)
{
    if (rt.recording)
        put(t, (struct rt_event){.op = GL_OP_JOIN, .object = child->tid}, true);
}

/* ---- accesses ---- */

/* [a, a+n) in pieces that the format can say: within a page, at most `most` bytes. */
static void put_pieces(struct rt_thread *t, enum gl_op op, uintptr_t a, size_t n, size_t most, uint32_t site)
{
    while (n > 0) {
        size_t k = 4096 - a % 4096;
        k = k < n ? k : n;
        k = k < most ? k : most;
        put(t, (struct rt_event){.op = (uint8_t)op, .object = a, .extra = k, .site = site}, false);
        a += k;
        n -= k;
    }
}

void rt_record_access(struct rt_thread *t, uintptr_t a, unsigned size, bool write, uint32_t site)
{
    put_pieces(t, write ? GL_OP_WRITE : GL_OP_READ, a, size, 64, site);
}

/* Does the filter know all of [a, a+n)? */
static bool is_known(uintptr_t a, size_t n, bool write)
{
    for (uintptr_t at = a; at < a + n;) {
        uint32_t first = at & 3, k = 4 - first;
        if (k > a + n - at)
            k = (uint32_t)(a + n - at);
        if (!rt_cell_hit(at, ((1u << k) - 1) << first, write, rt_tls.key))
            return false;
        at += k;
    }
    return true;
}

void rt_record_range(struct rt_thread *t, uintptr_t a, size_t n, unsigned kind, uint32_t site)
{
    bool write = (kind & GL_ACCESS_WRITE) != 0;
    enum gl_op op = !write ? GL_OP_READ : rt_site_decode(site).width == RT_WIDTH_FREE ? GL_OP_FREE : GL_OP_WRITE;
    for (uintptr_t at = a, end = a + n, next; at < end; at = next) {
        next = (at | 63) + 1 < end ? (at | 63) + 1 : end;
        /* with key 0 (all is recorded) nothing is known */
        if (op == GL_OP_FREE || !is_known(at, next - at, write))
            put_pieces(t, op, at, next - at, 64, site);
    }
}

void rt_record_alloc(struct rt_thread *t, uintptr_t a, size_t n, uintptr_t pc)
{
    if (rt.recording && t && n > 0)
        put(t, (struct rt_event){.op = GL_OP_ALLOC, .object = a, .extra = n, .site = pc ? rt_stack_here(t, pc) : 0}, true);
}

/* ---- atomics ---- */

void rt_record_atomic(struct rt_thread *t, enum gl_op op, enum gl_order order, uintptr_t a, unsigned size, uintptr_t pc)
{
    if (!rt.recording)
        return;
    /* What C11 forbids and compilers pass on: the half that has a meaning counts, as in the core. */
    if (op == GL_OP_LOAD && (order == GL_REL || order == GL_AR))
        order = order == GL_AR ? GL_ACQ : GL_RLX;
    if (op == GL_OP_STORE && (order == GL_ACQ || order == GL_AR))
        order = order == GL_AR ? GL_REL : GL_RLX;
    if (a % 4096 + size > 4096)
        size = (unsigned)(4096 - a % 4096);
    put(t,
        (struct rt_event){.op = (uint8_t)op,
                          .order = (uint8_t)order,
                          .object = a,
                          .extra = size,
                          .site = pc ? rt_stack_here(t, pc) : 0},
        true);
}

void rt_record_fence(struct rt_thread *t, enum gl_order order, uintptr_t pc)
{
    if (rt.recording && order != GL_RLX)
        put(t, (struct rt_event){.op = GL_OP_FENCE, .order = (uint8_t)order, .site = rt_stack_here(t, pc)}, true);
}

/* A relaxed store ends all release sequences.  As an access it goes with the free before it, or is forgotten again. */
void rt_record_atomic_gone(struct rt_thread *t, uintptr_t a, bool fresh)
{
    rt_record_atomic(t, GL_OP_STORE, GL_RLX, a, 1, 0);
    if (fresh)
        rt_record_alloc(t, a, 1, 0);
}

/* ---- other objects ---- */

void rt_record_object(struct rt_thread *t, enum gl_op op, struct rt_recorded *r, uintptr_t addr, uint32_t as,
                      uintptr_t pc)
{
    if (!r->serial)
        r->serial = gl_add_relaxed(&rt_recorder.serials, 1) + 1; /* relaxed: only uniqueness matters */
    put(t,
        (struct rt_event){.op = (uint8_t)op,
                          .object = addr,
                          .extra = (uint64_t)as << 32 | r->serial,
                          .site = pc ? rt_stack_here(t, pc) : 0},
        true);
}

/* ---- what is held when a recording begins or ends ---- */

void rt_record_locks(struct rt_thread *t, bool taken)
{
    for (uint32_t i = 0; i < t->core->n_held; i++) {
        const struct gl_held *h = &t->core->held[i];
        struct rt_lock_info info;
        struct rt_sync *s = rt_lock_info(h->cookie, &info) ? rt_object_find(t, info.addr, info.kind, 0) : NULL;
        if (!s)
            continue;
        if (s->kind == RT_RWLOCK && taken)
            rt_record_rwlock_acquired(t, rt_sync_record(s), s->addr, h->exclusive, 0);
        else if (s->kind == RT_RWLOCK)
            rt_record_rwlock_releasing(t, rt_sync_record(s), s->addr, !h->exclusive, 0);
        else if (taken)
            rt_record_acquired(t, rt_sync_record(s), s->addr, h->depth, 0);
        else
            rt_record_given_up(t, rt_sync_record(s), s->addr, 0);
        rt_sync_unlock(s);
    }
}
