/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of validate.h.
 *
 * What is held now is one hash table of (relation, object, thread): an entry is there as long as the relation holds, so
 * that memory follows what is live.  Threads have a byte each, looked at by every event, and mutexes 8 bytes each, since most of what is
 * no access is about them.
 */
#include <string.h>

#include "trace/text.h"
#include "trace/validate.h"

enum {
    THREADS_MAX = 1 << 24,
    THREADS_MIN = 4096,
    ENTRIES_MIN = 256,
    MUTEXES_MIN = 512,
    MUTEXES_MAX = 1 << 26
};

_Static_assert(GL_OP_READ == 0 && GL_OP_WRITE == 1 && GL_OP_ACQ == 4 && GL_OP_REL == 5,
               "gl_validate() looks at all bits but the last");

enum status {
    UNKNOWN, /* not mentioned yet, or in vain */
    FORKED,  /* and has done nothing */
    RUNNING,
    WAITING, /* in a condition wait */
    ENDED    /* or joined */
};

enum relation {
    FREE,    /* no entry */
    WAIT,    /* (mutex, thread): depth before the wait */
    WRITE,   /* (rwlock): holder */
    READERS, /* (rwlock): number of read holds */
    READ,    /* (rwlock, thread): number of its read holds */
    BARRIER  /* (barrier, thread): entered */
};

struct entry {
    uint64_t object;
    uint32_t thread; /* 0 in relations of an object alone */
    uint32_t relation;
    uint32_t holder, count;
};

struct mutex {
    uint32_t holder, depth; /* depth 0: it is free */
};

struct gl_validator {
    struct gl_env env;
    struct mutex *mutexes; /* by number */
    uint64_t n_mutexes;
    unsigned char *status; /* by thread */
    uint64_t threads;      /* entries of it */
    struct entry *entries; /* open addressing, at most half full */
    uint64_t n_entries, used;
    uint64_t counts[GL_FAULT_COUNT];
};

/* ---- the table ---- */

static uint64_t home_of(const struct entry *e, uint64_t n_entries)
{
    uint64_t h =
        (e->object * 8 + e->relation) * 0x9e3779b97f4a7c15u ^ (e->thread + 1ull) * 0xc2b2ae3d27d4eb4fu;
    return (h ^ h >> 32) & (n_entries - 1);
}

/* The entry, or the free place where it would be. */
static struct entry *place_of(const struct gl_validator *v, enum relation relation, uint64_t object,
                              uint32_t thread)
{
    struct entry key = {.object = object, .thread = thread, .relation = relation};
    for (uint64_t i = home_of(&key, v->n_entries);; i++) {
        struct entry *e = &v->entries[i & (v->n_entries - 1)];
        if (e->relation == FREE || (e->relation == relation && e->object == object && e->thread == thread))
            return e;
    }
}

/* NULL: the relation does not hold. */
static struct entry *find(const struct gl_validator *v, enum relation relation, uint64_t object,
                          uint32_t thread)
{
    struct entry *e = place_of(v, relation, object, thread);
    return e->relation == FREE ? NULL : e;
}

/* After this, one more entry fits. */
static bool reserve(struct gl_validator *v)
{
    if (v->used < v->n_entries / 2)
        return true;
    struct gl_validator bigger = *v;
    bigger.n_entries = v->n_entries * 2;
    bigger.entries = gl_env_map_whole(&v->env, bigger.n_entries * sizeof *v->entries);
    if (!bigger.entries)
        return false;
    for (uint64_t i = 0; i < v->n_entries; i++)
        if (v->entries[i].relation != FREE)
            *place_of(&bigger, v->entries[i].relation, v->entries[i].object, v->entries[i].thread) =
                v->entries[i];
    v->env.unmap(v->env.ctx, v->entries, v->n_entries * sizeof *v->entries);
    *v = bigger;
    return true;
}

/* The entry, new ones with zeros.  There is room: reserve(). */
static struct entry *make(struct gl_validator *v, enum relation relation, uint64_t object, uint32_t thread)
{
    struct entry *e = place_of(v, relation, object, thread);
    if (e->relation == FREE) {
        *e = (struct entry){.object = object, .thread = thread, .relation = relation};
        v->used++;
    }
    return e;
}

/* Entries behind the gap move up when that does not take them before their home. */
static void drop(struct gl_validator *v, struct entry *gone)
{
    uint64_t mask = v->n_entries - 1, gap = (uint64_t)(gone - v->entries);
    for (uint64_t i = (gap + 1) & mask; v->entries[i].relation != FREE; i = (i + 1) & mask) {
        uint64_t home = home_of(&v->entries[i], v->n_entries);
        if (((i - home) & mask) >= ((i - gap) & mask)) {
            v->entries[gap] = v->entries[i];
            gap = i;
        }
    }
    v->entries[gap].relation = FREE;
    v->used--;
}

/* ---- threads ---- */

static enum status status_of(const struct gl_validator *v, uint64_t thread)
{
    return thread < v->threads ? (enum status)v->status[thread] : UNKNOWN;
}

/* After this, the thread has a byte. */
static enum gl_fault thread_reserve(struct gl_validator *v, uint64_t thread)
{
    if (thread < v->threads)
        return GL_FAULT_NONE;
    if (thread >= THREADS_MAX)
        return GL_FAULT_THREADS;
    uint64_t threads = v->threads;
    while (threads <= thread)
        threads *= 2;
    unsigned char *status = v->env.map(v->env.ctx, threads);
    if (!status)
        return GL_FAULT_NO_MEMORY;
    memcpy(status, v->status, v->threads);
    v->env.unmap(v->env.ctx, v->status, v->threads);
    v->status = status;
    v->threads = threads;
    return GL_FAULT_NONE;
}

static enum gl_fault fork_step(struct gl_validator *v, const struct gl_event *e)
{
    if (e->object == e->thread)
        return GL_FAULT_FORK_SELF;
    if (status_of(v, e->object) != UNKNOWN)
        return GL_FAULT_FORK_KNOWN;
    enum gl_fault f = thread_reserve(v, e->object);
    if (!f)
        v->status[e->object] = FORKED;
    return f;
}

static enum gl_fault join_step(struct gl_validator *v, const struct gl_event *e)
{
    if (e->object == e->thread)
        return GL_FAULT_JOIN_SELF;
    enum status s = status_of(v, e->object);
    if (s == UNKNOWN)
        return GL_FAULT_JOIN_UNKNOWN;
    if (s == WAITING)
        return GL_FAULT_JOIN_WAITING;
    v->status[e->object] = ENDED;
    return GL_FAULT_NONE;
}

/* ---- objects ---- */

/* The mutex.  NULL: there is no memory; nor is there for a number of MUTEXES_MAX, which nobody can name. */
static struct mutex *mutex_at(struct gl_validator *v, uint64_t number)
{
    if (number < v->n_mutexes)
        return &v->mutexes[number];
    uint64_t n = v->n_mutexes;
    while (n <= number && n < MUTEXES_MAX)
        n *= 2;
    if (number >= n)
        return NULL;
    struct mutex *longer = v->env.map(v->env.ctx, n * sizeof *longer);
    if (!longer)
        return NULL;
    memcpy(longer, v->mutexes, v->n_mutexes * sizeof *longer);
    v->env.unmap(v->env.ctx, v->mutexes, v->n_mutexes * sizeof *longer);
    v->mutexes = longer;
    v->n_mutexes = n;
    return &v->mutexes[number];
}
/* The mutex, if the thread holds it; else NULL. */
static inline struct mutex *mutex_of(struct gl_validator *v, uint64_t number, uint32_t thread)
{
    struct mutex *m = number < v->n_mutexes ? &v->mutexes[number] : NULL;
    return m && m->depth && m->holder == thread ? m : NULL;
}

static inline enum gl_fault acquire_step(struct gl_validator *v, uint64_t number, uint32_t thread)
{
    struct mutex *m = mutex_at(v, number);
    if (!m)
        return GL_FAULT_NO_MEMORY;
    if (m->depth && m->holder != thread)
        return GL_FAULT_MUTEX_TAKEN;
    m->holder = thread;
    m->depth++;
    return GL_FAULT_NONE;
}

static inline enum gl_fault release_step(struct gl_validator *v, uint64_t number, uint32_t thread)
{
    struct mutex *m = mutex_of(v, number, thread);
    if (!m)
        return GL_FAULT_MUTEX_NOT_HELD;
    m->depth--;
    return GL_FAULT_NONE;
}

static enum gl_fault wait_begin_step(struct gl_validator *v, const struct gl_event *e)
{
    struct mutex *m = mutex_of(v, e->object, e->thread);
    if (!m)
        return GL_FAULT_MUTEX_NOT_HELD;
    if (!reserve(v))
        return GL_FAULT_NO_MEMORY;
    make(v, WAIT, e->object, e->thread)->count = m->depth;
    m->depth = 0;
    v->status[e->thread] = WAITING;
    return GL_FAULT_NONE;
}

static enum gl_fault wait_end_step(struct gl_validator *v, const struct gl_event *e)
{
    struct entry *wait = find(v, WAIT, e->object, e->thread);
    struct mutex *m = wait ? mutex_at(v, e->object) : NULL; /* it is there, as it was held */
    if (!m)
        return GL_FAULT_WAIT_END;
    if (m->depth)
        return GL_FAULT_MUTEX_TAKEN;
    *m = (struct mutex){.holder = e->thread, .depth = wait->count};
    drop(v, wait);
    v->status[e->thread] = RUNNING;
    return GL_FAULT_NONE;
}

/* One hold of this kind fewer. */
static void release(struct gl_validator *v, enum relation relation, uint64_t object, uint32_t thread)
{
    struct entry *e = find(v, relation, object, thread);
    if (--e->count == 0)
        drop(v, e);
}

static enum gl_fault rwlock_step(struct gl_validator *v, const struct gl_event *e)
{
    struct entry *writer = find(v, WRITE, e->object, 0);
    bool taking = e->op == GL_OP_RDLOCK || e->op == GL_OP_WRLOCK;
    if (taking && writer)
        return GL_FAULT_RWLOCK_TAKEN;
    if (e->op == GL_OP_WRLOCK && find(v, READERS, e->object, 0))
        return GL_FAULT_RWLOCK_READ;
    if (e->op == GL_OP_WRUNLOCK && (!writer || writer->holder != e->thread))
        return GL_FAULT_RWLOCK_NOT_HELD;
    if (e->op == GL_OP_RDUNLOCK && !find(v, READ, e->object, e->thread))
        return GL_FAULT_RWLOCK_NOT_HELD;
    if (e->op == GL_OP_RDLOCK) {
        /* the thread's hold first: without memory for the second entry, the first is taken back */
        if (!reserve(v))
            return GL_FAULT_NO_MEMORY;
        make(v, READ, e->object, e->thread)->count++;
        if (!reserve(v)) {
            release(v, READ, e->object, e->thread);
            return GL_FAULT_NO_MEMORY;
        }
        make(v, READERS, e->object, 0)->count++;
    } else if (e->op == GL_OP_RDUNLOCK) {
        release(v, READ, e->object, e->thread);
        release(v, READERS, e->object, 0);
    } else if (e->op == GL_OP_WRLOCK) {
        if (!reserve(v))
            return GL_FAULT_NO_MEMORY;
        make(v, WRITE, e->object, 0)->holder = e->thread;
    } else {
        drop(v, writer);
    }
    return GL_FAULT_NONE;
}

static enum gl_fault barrier_step(struct gl_validator *v, const struct gl_event *e)
{
    struct entry *in = find(v, BARRIER, e->object, e->thread);
    if (e->op == GL_OP_BAR_OUT) {
        if (!in)
            return GL_FAULT_BARRIER_OUT;
        drop(v, in);
        return GL_FAULT_NONE;
    }
    if (in)
        return GL_FAULT_BARRIER_IN;
    if (!reserve(v))
        return GL_FAULT_NO_MEMORY;
    (void)make(v, BARRIER, e->object, e->thread);
    return GL_FAULT_NONE;
}

static enum gl_fault atomic_step(const struct gl_event *e)
{
    if (e->size > 16)
        return GL_FAULT_SIZE;
    return gl_order_fits(e->op, e->order) ? GL_FAULT_NONE : GL_FAULT_ORDER;
}

/* ---- events ---- */

/* Any event.  gl_validate() knows most of them sooner. */
static enum gl_fault step(struct gl_validator *v, const struct gl_event *e)
{
    enum gl_fault f = thread_reserve(v, e->thread);
    if (f)
        return f;
    enum status was = (enum status)v->status[e->thread];
    if (was == ENDED)
        return e->op == GL_OP_BEGIN ? GL_FAULT_BEGIN_AGAIN : GL_FAULT_AFTER_END;
    if (was == WAITING && e->op != GL_OP_CWAIT_END)
        return GL_FAULT_IN_WAIT;
    switch (e->op) {
    case GL_OP_READ:
    case GL_OP_WRITE:
    case GL_OP_FREE:
        f = e->size >= 1 && e->size <= 64 ? GL_FAULT_NONE : GL_FAULT_SIZE;
        break;
    case GL_OP_ACQ:
        f = acquire_step(v, e->object, e->thread);
        break;
    case GL_OP_REL:
        f = release_step(v, e->object, e->thread);
        break;
    case GL_OP_CWAIT_BEGIN:
        f = wait_begin_step(v, e);
        break;
    case GL_OP_CWAIT_END:
        f = wait_end_step(v, e);
        break;
    case GL_OP_RDLOCK:
    case GL_OP_RDUNLOCK:
    case GL_OP_WRLOCK:
    case GL_OP_WRUNLOCK:
        f = rwlock_step(v, e);
        break;
    case GL_OP_LOAD:
    case GL_OP_STORE:
    case GL_OP_RMW:
        f = atomic_step(e);
        break;
    case GL_OP_FENCE:
        f = e->order <= GL_SC ? GL_FAULT_NONE : GL_FAULT_ORDER;
        break;
    case GL_OP_BAR_IN:
    case GL_OP_BAR_OUT:
        f = barrier_step(v, e);
        break;
    case GL_OP_FORK:
        f = fork_step(v, e);
        break;
    case GL_OP_JOIN:
        f = join_step(v, e);
        break;
    case GL_OP_BEGIN:
        f = was == RUNNING ? GL_FAULT_BEGIN : GL_FAULT_NONE;
        break;
    default:
        break; /* END, and what is always possible */
    }
    if (f)
        return f;
    if (e->op == GL_OP_END)
        v->status[e->thread] = ENDED;
    else if (v->status[e->thread] < RUNNING)
        v->status[e->thread] = RUNNING;
    return GL_FAULT_NONE;
}

/* A bit for each of n <= 64 events, n > 0, the first one's the highest: it is not an access by a thread that runs. */
static inline uint64_t unusual(const struct gl_validator *v, const struct gl_event *e, size_t n)
{
    uint64_t usual = 0, threads = v->threads; /* a power of two */
    const unsigned char *status = v->status;
    for (const struct gl_event *end = e + n; e < end; e++) {
        uint64_t other = e->op >> 1 | (e->size - 1) >> 6 | (e->thread & -threads) | (status[e->thread & (threads - 1)] ^ RUNNING);
        usual += usual + (other == 0);
    }
    return ~usual << (64 - n);
}

#define FIRST (1ull << 63) /* the bit of the first event */

/* May a thread that runs not do so after it? */
static inline bool ends_a_run(enum gl_op op) { return op == GL_OP_END || op == GL_OP_JOIN || op == GL_OP_CWAIT_BEGIN; }

/* step(), and soon for what most events are. */
static inline enum gl_fault quick_step(struct gl_validator *v, const struct gl_event *e)
{
    bool running = status_of(v, e->thread) == RUNNING;
    if (running && (e->op >> 1 | (e->size - 1) >> 6) == 0)
        return GL_FAULT_NONE;
    struct mutex *m = running && (e->op | 1) == GL_OP_REL && e->object < v->n_mutexes ? &v->mutexes[e->object] : NULL;
    if (m) { /* both in one way: which of them comes cannot be foreseen */
        uint32_t release = e->op & 1, ours = (m->depth != 0) & (m->holder == e->thread);
        if (__builtin_expect(ours | ((m->depth == 0) & !release), 1)) {
            m->holder = e->thread;
            m->depth += 1 - 2 * release;
            return GL_FAULT_NONE;
        }
    }
    return step(v, e);
}

#define MUTEXES_MANY 4096 /* 32 KiB of them: the processor's first cache */

/* The mutexes of these events, all at once; what another event's object is like, in vain. */
static inline void fetch_mutexes(const struct gl_validator *v, const struct gl_event *events, uint64_t which)
{
    for (; which; which &= which - 1) {
        uint64_t number = events[63 - __builtin_ctzll(which)].object;
        if (number < v->n_mutexes)
            __builtin_prefetch(&v->mutexes[number], 1);
    }
}

size_t gl_validate(struct gl_validator *v, const struct gl_event *events, size_t n, enum gl_fault *fault)
{
    *fault = GL_FAULT_NONE;
    for (size_t at = 0; at < n; at += 64) {
        size_t count = n - at < 64 ? n - at : 64;
        uint64_t left = unusual(v, events + at, count);
        if (v->n_mutexes > MUTEXES_MANY)
            fetch_mutexes(v, events + at, left);
        while (left) {
            size_t i = (size_t)__builtin_clzll(left);
            const struct gl_event *e = &events[at + i];
            left &= ~(FIRST >> i);
            *fault = quick_step(v, e);
            if (*fault) {
                v->counts[*fault]++;
                return at + i;
            }
            if (__builtin_expect(ends_a_run(e->op), 0))
                left = (FIRST >> i) - (FIRST >> (count - 1)); /* all that come after it */
        }
    }
    return n;
}

uint64_t gl_validator_count(const struct gl_validator *v, enum gl_fault f) { return v->counts[f]; }

struct gl_validator *gl_validator_create(const struct gl_env *env)
{
    struct gl_validator *v = env->map(env->ctx, sizeof *v);
    if (!v)
        return NULL;
    v->env = *env;
    v->status = env->map(env->ctx, THREADS_MIN);
    v->entries = env->map(env->ctx, ENTRIES_MIN * sizeof *v->entries);
    v->threads = v->status ? THREADS_MIN : 0;
    v->n_entries = v->entries ? ENTRIES_MIN : 0;
    v->mutexes = env->map(env->ctx, MUTEXES_MIN * sizeof *v->mutexes);
    v->n_mutexes = v->mutexes ? MUTEXES_MIN : 0;
    if (!v->status || !v->entries || !v->mutexes) {
        gl_validator_destroy(v);
        return NULL;
    }
    v->status[0] = FORKED; /* it exists from the start */
    return v;
}

void gl_validator_destroy(struct gl_validator *v)
{
    if (!v)
        return;
    struct gl_env env = v->env;
    if (v->status)
        env.unmap(env.ctx, v->status, v->threads);
    if (v->entries)
        env.unmap(env.ctx, v->entries, v->n_entries * sizeof *v->entries);
    if (v->mutexes)
        env.unmap(env.ctx, v->mutexes, v->n_mutexes * sizeof *v->mutexes);
    env.unmap(env.ctx, v, sizeof *v);
}

/* ---- words ---- */

static const struct {
    const char *name, *sentence;
} faults[] = {
#define X(fault, name, sentence) {name, sentence},
    GL_FAULTS(X)
#undef X
};

const char *gl_fault_name(enum gl_fault f) { return faults[f].name; }

static void add_name(struct gl_text *t, const struct gl_names *names, enum gl_name_kind kind, uint64_t number)
{
    const char *name =
        kind < GL_NAME_KINDS && number < UINT32_MAX ? gl_name_of(names, kind, (uint32_t)number) : NULL;
    if (name)
        gl_text_quote(t, name, gl_text_length(name));
    else
        gl_text_number(t, number);
}

static void add_holder(struct gl_text *t, const struct gl_validator *v, const struct gl_names *names,
                       const struct gl_event *e)
{
    const struct entry *writer = find(v, WRITE, e->object, 0);
    bool mutex = gl_op_class(e->op) == GL_CLASS_MUTEX;
    if (mutex ? e->object < v->n_mutexes && v->mutexes[e->object].depth : writer != NULL)
        add_name(t, names, GL_NAME_THREAD, mutex ? v->mutexes[e->object].holder : writer->holder);
    else
        gl_text_add(t, "nobody");
}

void gl_validate_sentence(const struct gl_validator *v, const struct gl_names *names,
                          const struct gl_event *e, enum gl_fault f, char *text, size_t size)
{
    struct gl_text t = gl_text_in(text, size);
    for (const char *s = faults[f].sentence; *s; s++) {
        char letter[2] = {*s, 0};
        if (*s != '%') {
            gl_text_add(&t, letter);
            continue;
        }
        switch (*++s) {
        case 't':
            add_name(&t, names, GL_NAME_THREAD, e->thread);
            break;
        case 'o':
            add_name(&t, names, gl_name_kind_of_class(gl_op_class(e->op)), e->object);
            break;
        case 'h':
            add_holder(&t, v, names, e);
            break;
        case 'n':
            gl_text_add(&t, gl_op_name(e->op));
            break;
        case 'r':
            gl_text_add(&t, gl_order_name(e->order));
            break;
        default:
            gl_text_number(&t, e->size);
            break; /* s */
        }
    }
}
