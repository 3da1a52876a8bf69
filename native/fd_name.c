/* SPDX-License-Identifier: Apache-2.0
 *
 * Channels that are found by a name: what is outside of this process, or may be, and has no descriptor of its own here (fd.h).  Names are never forgotten.
 */
#include <sys/stat.h>
#include <sys/syscall.h>

#include "native/fd_entry.h"
#include "native/state.h"
#include "core/atomic.h"
#include "platform/linux/syscall.h"

#define BUCKETS    (1u << 14)
#define NAMES_MOST (1u << 20) /* 48 MiB, if so many were ever met */
#define SHARED     (1u << 10)

/* A channel that is found by a name.  Constant but for the channel and the number, once it is in its bucket. */
struct name {
    struct rt_channel channel;
    _Atomic uint64_t number; /* of a socket's file: of the path by which it was bound last (fd.c) */
    uint64_t a, b;
    uint32_t what, next; /* the next one's number in the bucket; 0: there is none */
};

static struct {
    _Atomic(struct name *) names;       /* NAMES_MOST, made when the first one is needed; number 0 is none */
    _Atomic bool no_names;              /* there was no memory for them: nor is there later, or one name would have two channels */
    _Atomic uint32_t n_names;           /* how many numbers were taken */
    _Atomic uint32_t bucket[BUCKETS];   /* the name that was added last */
    struct rt_channel shared[SHARED];   /* of those that came when there was no room: two may be one, which may order too much */
} known;

static bool is_name(const struct rt_channel *c)
{
    const struct name *names = gl_load_acquire(&known.names), *n = (const struct name *)(const void *)c; /* pairs with names_make() */
    return names && n >= names && n < names + NAMES_MOST;
}

bool rt_channel_has_name(const struct rt_channel *c) { return is_name(c) || (c >= known.shared && c < known.shared + SHARED); }

/* NULL: no memory. */
static struct name *names_make(void)
{
    struct name *names = gl_load_acquire(&known.names); /* pairs with the exchange below */
    if (names || gl_load_relaxed(&known.no_names)) /* relaxed: who needs the answer of another thread comes after it */
        return names;
    struct name *fresh = gl_os_map(NAMES_MOST * sizeof *fresh); /* gets its memory as it is used */
    if (!fresh)
        gl_store_relaxed(&known.no_names, true);
    if (fresh && gl_cas_acq_rel(&known.names, &names, fresh)) /* release: pairs with the loads */
        return fresh;
    if (fresh)
        gl_os_unmap(fresh, NAMES_MOST * sizeof *fresh);
    return names;
}

/* The number of the name, from `at` on; 0: it is not there. */
static uint32_t name_find(const struct name *names, uint32_t at, uint32_t until, enum rt_named what, uint64_t a, uint64_t b)
{
    for (; at != until; at = names[at].next)
        if (names[at].a == a && names[at].b == b && names[at].what == what)
            return at;
    return 0;
}

uintptr_t rt_named_if_any(enum rt_named what, uint64_t a, uint64_t b)
{
    uint64_t hash = rt_name_mix(rt_name_mix(rt_name_mix(0, what), a), b);
    const struct name *names = gl_load_acquire(&known.names); /* acquire, twice: see rt_channel_named() */
    uint32_t found = names ? name_find(names, gl_load_acquire(&known.bucket[hash % BUCKETS]), 0, what, a, b) : 0;
    if (!found && (!names || gl_load_relaxed(&known.n_names) >= NAMES_MOST - 1)) /* relaxed: see rt_channel_named() */
        return (uintptr_t)&known.shared[hash % SHARED];
    return found ? (uintptr_t)&names[found].channel : 0;
}

uintptr_t rt_named_own(enum rt_named what, uint64_t a, uint64_t b)
{
    uintptr_t name = rt_named_if_any(what, a, b);
    return name - (uintptr_t)known.shared < sizeof known.shared ? 0 : name;
}

/* Where this is known by that name.  A name that two threads add at once is there once: who comes second looks at what came before. */
struct rt_channel *rt_channel_named(enum rt_named what, uint64_t a, uint64_t b)
{
    uint64_t hash = rt_name_mix(rt_name_mix(rt_name_mix(0, what), a), b);
    _Atomic uint32_t *bucket = &known.bucket[hash % BUCKETS];
    struct name *names = names_make();
    uint32_t first = names ? gl_load_acquire(bucket) : 0, fresh = 0, looked = 0; /* acquire: pairs with the exchange below */
    for (;;) {
        uint32_t found = first ? name_find(names, first, looked, what, a, b) : 0;
        if (found) /* a number taken for nothing stays unused */
            return &names[found].channel;
        if (!fresh && names && gl_load_relaxed(&known.n_names) < NAMES_MOST - 1) /* relaxed, here and below: a number is only its own */
            fresh = gl_add_relaxed(&known.n_names, 1) + 1;
        if (!fresh || fresh >= NAMES_MOST) {
            rt_count(RT_COUNT_names_shared);
            return &known.shared[hash % SHARED];
        }
        names[fresh].a = a;
        names[fresh].b = b;
        names[fresh].what = what;
        names[fresh].next = looked = first;
        if (gl_cas_acq_rel(bucket, &first, fresh)) /* release: who finds the name reads it whole */
            return &names[fresh].channel;
    }
}

uintptr_t rt_named(enum rt_named what, uint64_t a, uint64_t b) { return (uintptr_t)rt_channel_named(what, a, b); }

uintptr_t rt_named_file(enum rt_named what, int fd)
{
    struct stat st;
    return gl_syscall2(SYS_fstat, fd, &st) == 0 ? rt_named(what, st.st_dev, st.st_ino) : 0;
}

void rt_name_set_number(struct rt_channel *c, uint64_t number)
{
    if (is_name(c))
        gl_store_relaxed(&((struct name *)(void *)c)->number, number); /* relaxed: who comes after the bind finds it */
}

uint64_t rt_name_number(enum rt_named what, uint64_t a, uint64_t b)
{
    uintptr_t name = rt_named_own(what, a, b);
    return name ? gl_load_relaxed(&((struct name *)name)->number) : 0; /* relaxed: see above */
}
