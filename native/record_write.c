/* SPDX-License-Identifier: Apache-2.0
 *
 * The side of the recorder that writes: merges the threads' rings by key, and gives the events to the writer of the
 * binary format.
 *
 * The work is done by a thread of its own, which begins with the program, or in a forked child when a ring is half full;
 * by whoever ends the process; and by a thread that waits for room where there is no such thread.
 */
#include <time.h>

#include "core/atomic.h"
#include "native/record_names.h"

#define BATCH 512u
#define PASS_MS 100u    /* the writer looks at least so often */
#define FLUSH_PASSES 10u /* and then writes a chunk that is not full: what is lost in a crash is bounded in time too */

struct source {
    struct rt_ring *ring;
    uint32_t at, end;
};

static struct {
    struct gl_spin lock;      /* the writer's work; taken by a forker after all others are outside */
    struct gl_spin list_lock; /* guards rings */
    struct rt_ring *rings;
    uint32_t wake;            /* futex: counts calls of rt_record_wake() */
    _Atomic bool thread;      /* the writer's thread runs */
    struct gl_env env;
    struct rt_translation names;
    struct gl_trace_writer *writer;
    struct gl_event batch[BATCH];
    uint32_t n;
    char path[GL_OPTION_TEXT_MAX + 48];
    int fd;         /* -1: not open yet */
    int error;      /* of the first write that failed; 0: none */
    bool failed;    /* the recording has ended before the program */
    bool finished;
    bool forked;    /* of a child: FILE.<pid> */
    uint64_t sealed; /* where to cut the file when exec fails */
    struct source *heap;
    uint32_t n_heap, room;
    uint32_t passes; /* with events that are not written yet */
} writer = {.fd = -1};

/* ---- failure ---- */

static bool drop(void *ctx, const void *bytes, size_t n)
{
    (void)ctx, (void)bytes, (void)n;
    return true;
}

static bool out(void *ctx, const void *bytes, size_t n)
{
    (void)ctx;
    if (writer.fd < 0)
        return drop(NULL, bytes, n);
    long r = gl_os_write_quietly(writer.fd, bytes, n);
    if (r < 0)
        writer.error = (int)-r;
    return r >= 0;
}

/* The recording ends here; the program goes on. */
static void fail(void)
{
    if (writer.failed)
        return;
    writer.failed = true;
    gl_store_relaxed(&rt_recorder.closed, true);
    char text[GL_OPTION_TEXT_MAX + 256];
    int n = writer.error ? gl_format(text, sizeof text,
                                     "goldilocks: the recording %s cannot be written any further (%s, error %d); it ends "
                                     "here, the program goes on, and exit code 0 becomes 2\n",
                                     writer.path, gl_os_error(writer.error), writer.error)
                         : gl_format(text, sizeof text,
                                     "goldilocks: no memory for the recording %s; it ends here, the program goes on, and exit "
                                     "code 0 becomes 2\n",
                                     writer.path);
    rt_print(text, (size_t)n);
}

/* ---- the file ---- */

static int open_file(void)
{
    const char *path = rt.options.record;
    gl_format(writer.path, sizeof writer.path, "%s", path);
    int fd = writer.forked ? -17 /* EEXIST */ : gl_os_open_new(writer.path);
    for (unsigned k = 0; fd == -17 && k < 1000; k++) { /* never over another's recording: exec keeps the pid */
        int n = gl_format(writer.path, sizeof writer.path, "%s.%u", path, gl_os_pid());
        if (k)
            gl_format(writer.path + n, sizeof writer.path - (size_t)n, ".%u", k + 1);
        fd = gl_os_open_new(writer.path);
    }
    return fd;
}

/* Opens the file and its writer, unless they are. */
static bool begin_file(void)
{
    if (writer.writer)
        return true;
    int fd = open_file();
    if (fd < 0) {
        writer.error = -fd;
        return false;
    }
    writer.fd = fd;
    writer.env = *gl_core_env(rt.core);
    if (rt_translation_begin(&writer.names, &writer.env))
        writer.writer = gl_trace_writer_open(&writer.env, GL_TRACE_BINARY, writer.names.names, out, NULL);
    return writer.writer;
}

static bool write_batch(void)
{
    uint32_t n = writer.n;
    writer.n = 0;
    return n == 0 || gl_trace_write(writer.writer, writer.batch, n);
}

static bool put_event(void *ctx, const struct gl_event *e)
{
    (void)ctx;
    writer.batch[writer.n++] = *e;
    return writer.n < BATCH || write_batch();
}

/* ---- merging ---- */

static uint64_t key_of(const struct source *s)
{
    return s->ring->event[s->at % RT_RING].key;
}

/* The heap's top has a new key, or the place is to be filled. */
static void sift_down(void)
{
    struct source *h = writer.heap, s = h[0];
    uint32_t i = 0, n = writer.n_heap;
    for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && key_of(&h[child + 1]) < key_of(&h[child]))
            child++;
        if (key_of(&s) <= key_of(&h[child]))
            break;
        h[i] = h[child];
    }
    h[i] = s;
}

static bool heap_add(struct source s)
{
    if (writer.n_heap == writer.room) {
        uint32_t room = writer.room ? writer.room * 2 : 256;
        struct source *bigger = gl_os_map(room * sizeof *bigger);
        if (!bigger)
            return false;
        if (writer.heap) {
            __builtin_memcpy(bigger, writer.heap, writer.room * sizeof *bigger);
            gl_os_unmap(writer.heap, writer.room * sizeof *bigger);
        }
        writer.heap = bigger;
        writer.room = room;
    }
    uint32_t i = writer.n_heap++;
    for (; i && key_of(&s) < key_of(&writer.heap[(i - 1) / 2]); i = (i - 1) / 2)
        writer.heap[i] = writer.heap[(i - 1) / 2];
    writer.heap[i] = s;
    return true;
}

/* Gives room back to the thread. */
static void advance(struct rt_ring *ring, uint32_t tail)
{
    gl_store_release(&ring->tail, tail); /* pairs with record_begin() */
    __atomic_fetch_add(&ring->space, 1, __ATOMIC_SEQ_CST);
    if (atomic_load(&ring->waiting))
        gl_os_futex_wake(&ring->space, 1);
}

/* All records up to `limit`, in order. */
static bool merge(uint64_t limit)
{
    while (writer.n_heap) {
        struct source *top = &writer.heap[0];
        uint64_t next = limit; /* as long as its keys are not above those of the others, the top goes on */
        for (uint32_t child = 1; child <= 2 && child < writer.n_heap; child++)
            if (key_of(&writer.heap[child]) < next)
                next = key_of(&writer.heap[child]);
        uint32_t from = top->at;
        while (top->at != top->end && key_of(top) <= next) {
            if (!writer.failed && !rt_translate(&writer.names, top->ring->tid, &top->ring->event[top->at % RT_RING], put_event, NULL))
                fail();
            top->at++;
            if (top->at - from == RT_RING / 4) {
                advance(top->ring, top->at);
                from = top->at;
            }
        }
        advance(top->ring, top->at);
        if (top->at == top->end || key_of(top) > limit)
            *top = writer.heap[--writer.n_heap];
        if (writer.n_heap)
            sift_down();
    }
    return !writer.failed;
}

/* Rings of threads that ended, once they are empty. */
static void free_rings(void)
{
    gl_spin_lock(&writer.list_lock);
    for (struct rt_ring **link = &writer.rings, *r; (r = *link);) {
        if (gl_load_acquire(&r->over) && gl_load_relaxed(&r->head) == gl_load_relaxed(&r->tail)) { /* acquire: the last record */
            *link = r->next;
            gl_os_unmap(r, sizeof *r);
        } else {
            link = &r->next;
        }
    }
    gl_spin_unlock(&writer.list_lock);
}

/* Everything that is there goes to the file's writer.  Under the lock. */
static bool pass(void)
{
    if (writer.finished || writer.failed)
        return false;
    uint64_t limit = 2 * atomic_fetch_add(&rt_recorder.counter, 1) + 1;
    gl_os_membarrier();
    if (!begin_file()) {
        fail();
        return false;
    }
    bool fine = true;
    gl_spin_lock(&writer.list_lock); /* rings that come later hold larger keys */
    struct rt_ring *first = writer.rings;
    gl_spin_unlock(&writer.list_lock);
    for (struct rt_ring *r = first; r; r = r->next) {
        uint32_t inside = gl_load_acquire(&r->inside); /* pairs with record_done() */
        for (unsigned n = 0; inside % 2 && gl_load_acquire(&r->inside) == inside; n++)
            gl_os_pause(n);
        struct source s = {.ring = r, .at = gl_load_relaxed(&r->tail), .end = gl_load_acquire(&r->head)}; /* pairs with record_done() */
        if (s.at != s.end && key_of(&s) <= limit)
            fine = heap_add(s) && fine;
    }
    if (!fine) {
        fail();
        return false;
    }
    fine = merge(limit) && write_batch();
    if (!fine)
        fail();
    free_rings();
    return fine;
}

/* ---- the thread ---- */

static bool everybody_ended(void)
{
    return atomic_load(&rt_recorder.live) == 0;
}

static void work(void)
{
    gl_spin_lock(&writer.lock);
    if (pass() && ++writer.passes >= FLUSH_PASSES) {
        writer.passes = 0;
        if (!gl_trace_writer_flush(writer.writer))
            fail();
    }
    gl_spin_unlock(&writer.lock);
}

/* With the file, and where complaints go.  A log that is not open yet will be opened for all. */
static void leave_files(void)
{
    int kept[3] = {2}, log = rt.log_fd;
    unsigned n = 1;
    if (log < 0)
        return;
    if (log > 2 && log < writer.fd)
        kept[n++] = log;
    kept[n++] = writer.fd;
    if (log > writer.fd)
        kept[n++] = log;
    (void)gl_os_own_files(kept, n);
}

static void *writer_run(void *unused)
{
    rt_tls.depth = 1; /* whatever of libc runs in this thread passes straight through */
    rt_tls.ended = true;
    gl_spin_lock(&writer.lock);
    bool has_file = !writer.finished && begin_file();
    gl_spin_unlock(&writer.lock);
    if (has_file && writer.fd > 2) /* which whoever ends the process writes to as well: it was opened in the table of all */
        leave_files();
    /* When all others have ended, so does this one: libc then ends the process, as it would without it. */
    while (!everybody_ended() && !gl_load_relaxed(&rt_recorder.closed)) {
        uint32_t wake = __atomic_load_n(&writer.wake, __ATOMIC_ACQUIRE);
        work();
        struct timespec until;
        gl_os_time_in(&until, PASS_MS);
        (void)gl_os_futex_wait(&writer.wake, wake, &until, false);
    }
    return unused;
}

bool rt_record_has_thread(void) { return rt.recording && atomic_load(&writer.thread); }

void rt_record_start(void)
{
    if (rt.recording && !gl_load_relaxed(&rt_recorder.closed) && !atomic_exchange(&writer.thread, true) &&
        !rt_real_thread(writer_run))
        atomic_store(&writer.thread, false);
}

void rt_record_wake(void)
{
    rt_record_start();
    __atomic_fetch_add(&writer.wake, 1, __ATOMIC_RELEASE);
    gl_os_futex_wake(&writer.wake, 1);
}

void rt_record_wait(struct rt_ring *ring)
{
    atomic_store(&ring->waiting, true);
    uint32_t space = __atomic_load_n(&ring->space, __ATOMIC_SEQ_CST);
    if (gl_load_relaxed(&ring->head) - gl_load_acquire(&ring->tail) == RT_RING) { /* acquire: as in record_begin() */
        rt_record_wake();
        if (gl_load_relaxed(&writer.thread)) {
            struct timespec until; /* in case that the recording is closed meanwhile */
            gl_os_time_in(&until, PASS_MS);
            (void)gl_os_futex_wait(&ring->space, space, &until, false);
        } else {
            work();
        }
    }
    atomic_store(&ring->waiting, false);
}

void rt_record_ring_add(struct rt_ring *ring)
{
    gl_spin_lock(&writer.list_lock);
    ring->next = writer.rings;
    writer.rings = ring;
    gl_spin_unlock(&writer.list_lock);
}

/* ---- begin and end ---- */

void rt_record_init(void)
{
    if (!rt.options.record[0])
        return;
    if (!rt_can_record())
        rt_die("GOLDILOCKS_OPTIONS: executions of Go programs cannot be recorded; leave out the option record");
    rt.recording = true;
    if (!begin_file() && writer.fd >= 0)
        fail();
    else if (!writer.writer)
        rt_die("cannot write the recording %s (%s, error %d); name a file in a folder that exists and is writable",
               writer.path, gl_os_error(writer.error), writer.error);
}

int rt_record_descriptor(void) { return __atomic_load_n(&writer.fd, __ATOMIC_RELAXED); }

bool rt_record_finish(void)
{
    if (!rt.recording)
        return true;
    gl_store_relaxed(&rt_recorder.closed, true);
    gl_spin_lock(&writer.lock);
    if (!writer.finished) {
        (void)pass();
        writer.finished = true;
        if (writer.writer) {
            int fd = writer.fd;
            if (writer.failed)
                writer.fd = -1; /* no index: the file ends where the recording did */
            if (!gl_trace_writer_close(writer.writer))
                fail();
            writer.writer = NULL;
            gl_os_close(fd);
            writer.fd = -1;
        }
    }
    gl_spin_unlock(&writer.lock);
    return !writer.failed;
}

/* ---- fork ---- */

void rt_record_fork_before(void)
{
    if (rt.recording)
        gl_spin_lock(&writer.lock);
}

void rt_record_fork_parent(void)
{
    if (rt.recording)
        gl_spin_unlock(&writer.lock);
}

/* What the parent has yet to write is the parent's. */
void rt_record_fork_child(void)
{
    if (!rt.recording)
        return;
    struct rt_ring *mine = rt_tls.self ? rt_tls.self->ring : NULL;
    for (struct rt_ring *r = writer.rings, *next; r; r = next) {
        next = r->next;
        if (r != mine)
            gl_os_unmap(r, sizeof *r);
    }
    writer.rings = NULL;
    if (writer.fd >= 0)
        gl_os_close(writer.fd);
    writer.fd = -1; /* what closing the writer writes goes nowhere */
    writer.n = writer.passes = 0;
    if (writer.writer)
        (void)gl_trace_writer_close(writer.writer);
    writer.writer = NULL;
    rt_translation_end(&writer.names);
    writer.forked = true;
    writer.failed = writer.finished = false;
    writer.error = 0;
    gl_store_relaxed(&writer.thread, false);
    gl_store_relaxed(&rt_recorder.closed, false);
    gl_store_relaxed(&rt_recorder.live, 1);
    rt_recorder.session++;
    if (mine) {
        gl_store_relaxed(&mine->tail, gl_load_relaxed(&mine->head));
        mine->next = NULL;
        writer.rings = mine;
    }
    gl_spin_unlock(&writer.lock);
    if (rt_tls.self)
        rt_record_locks(rt_tls.self, true);
}

/* ---- exec ---- */

void rt_record_exec_before(void)
{
    if (!rt.recording)
        return;
    gl_spin_lock(&writer.lock);
    if (pass() && !gl_trace_writer_seal(writer.writer, &writer.sealed))
        fail();
}

void rt_record_exec_failed(void)
{
    if (!rt.recording)
        return;
    if (writer.writer && !writer.failed && !writer.finished) {
        writer.error = -gl_os_truncate(writer.fd, writer.sealed);
        if (writer.error)
            fail();
    }
    gl_spin_unlock(&writer.lock);
}
