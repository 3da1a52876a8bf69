/* SPDX-License-Identifier: Apache-2.0
 *
 * The vocabulary: everything a front end or a trace can tell a detector, as one table.
 *
 * Threads are numbers 0, 1, 2 ... (thread 0 exists from the start; any other must be forked, or,
 * when it appears unforked, is a thread that nothing orders before).  A thread number is used for
 * one thread only, ever.  Objects are numbers too, in a namespace per class (GL_CLASS): mutex 3 and
 * semaphore 3 are unrelated.  Data variables are single bytes of one flat address space.
 */
#ifndef GL_CORE_EVENT_H
#define GL_CORE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Classes of objects: the namespace of gl_event.object. */
enum gl_class {
    GL_CLASS_NONE,
    GL_CLASS_DATA,    /* object = address of the first byte, size = number of bytes */
    GL_CLASS_MUTEX,
    GL_CLASS_RWLOCK,
    GL_CLASS_VOLATILE,
    GL_CLASS_ATOMIC,  /* size > 0: object is also the address of the data bytes that the op
                       * accesses atomically (LOAD reads, STORE writes, RMW does both: a write).
                       * Atomic accesses never race with one another, but with plain ones they do:
                       * a LOAD as a read, STORE and RMW as a write.  The access comes after the
                       * op's acquire side and before its release side.  size == 0: no data. */
    GL_CLASS_BARRIER,
    GL_CLASS_SEMAPHORE,
    GL_CLASS_THREAD,
    GL_CLASS_TRANSACTION /* reads[], writes[]: addresses of single bytes */
};

/*   op             class        text name      what it means for happens-before
 *   (x: the object, t: the thread; "hb y": orders before the later y)                              */
#define GL_OPS(X)                                                                                   \
    X(READ,         DATA,        "r",           "read; races with an unordered write or free")      \
    X(WRITE,        DATA,        "w",           "write; races with any unordered access")           \
    X(ALLOC,        DATA,        "alloc",       "the bytes are fresh: every earlier access is forgotten") \
    X(FREE,         DATA,        "free",        "a write of all the bytes")                         \
    X(ACQ,          MUTEX,       "acq",         "mutex lock, may nest; after every earlier rel(x)") \
    X(REL,          MUTEX,       "rel",         "mutex unlock; hb every later acq(x); inner ones of a nest order nothing") \
    X(CWAIT_BEGIN,  MUTEX,       "cwait_begin", "condition wait: gives x up at whatever depth, as the outermost rel(x)") \
    X(CWAIT_END,    MUTEX,       "cwait_end",   "condition wait returns: as acq(x), at the depth before the wait") \
    X(RDLOCK,       RWLOCK,      "rdlock",      "after every earlier wrunlock(x)")                  \
    X(RDUNLOCK,     RWLOCK,      "rdunlock",    "hb every later wrlock(x)")                         \
    X(WRLOCK,       RWLOCK,      "wrlock",      "after every earlier rdunlock(x) and wrunlock(x)")  \
    X(WRUNLOCK,     RWLOCK,      "wrunlock",    "hb every later rdlock(x) and wrlock(x)")           \
    X(VOLREAD,      VOLATILE,    "volread",     "Java volatile: after every earlier volwrite(x)")   \
    X(VOLWRITE,     VOLATILE,    "volwrite",    "Java volatile: hb every later volread(x)")         \
    X(LOAD,         ATOMIC,      "ld",          "C11 atomic load, order rlx acq sc; reads the latest store or rmw of x") \
    X(STORE,        ATOMIC,      "st",          "C11 atomic store, order rlx rel sc; ends every release sequence of x") \
    X(RMW,          ATOMIC,      "rmw",         "C11 read-modify-write, any order; continues the release sequences of x") \
    X(FENCE,        NONE,        "fence",       "C11 thread fence, order acq rel ar sc (rlx: nothing)") \
    X(BAR_IN,       BARRIER,     "bar_in",      "enters the open generation of x; the first bar_out of a generation closes it") \
    X(BAR_OUT,      BARRIER,     "bar_out",     "after every bar_in of the generation that this thread entered last") \
    X(POST,         SEMAPHORE,   "post",        "hb every later wait(x)")                           \
    X(WAIT,         SEMAPHORE,   "wait",        "after every earlier post(x)")                      \
    X(FORK,         THREAD,      "fork",        "hb everything of thread x")                        \
    X(JOIN,         THREAD,      "join",        "after everything of thread x")                     \
    X(BEGIN,        NONE,        "begin",       "first event of a thread; optional")                \
    X(END,          NONE,        "end",         "last event of a thread; optional")                 \
    X(COMMIT,       TRANSACTION, "commit",      "transaction: after every earlier commit that shares a byte; reads, then writes; hb every later commit that shares a byte")

enum gl_op {
#define X(op, cls, text, sentence) GL_OP_##op,
    GL_OPS(X)
#undef X
    GL_OP_COUNT
};

/* C11 memory orders; consume is treated as acquire. */
enum gl_order { GL_RLX, GL_ACQ, GL_REL, GL_AR, GL_SC };

static inline bool gl_order_acquires(enum gl_order o) { return o == GL_ACQ || o >= GL_AR; }
static inline bool gl_order_releases(enum gl_order o) { return o >= GL_REL; }

/* C11 has no load that releases and no store that acquires. */
static inline bool gl_order_fits(enum gl_op op, enum gl_order o)
{
    return o <= GL_SC && (op != GL_OP_LOAD || (o != GL_REL && o != GL_AR)) && (op != GL_OP_STORE || (o != GL_ACQ && o != GL_AR));
}

/* A COMMIT may be told in parts, in this order and with nothing else of its thread in between, so that each access has a verdict
 * of its own: all data in BEGIN and END, and some of them, once each, in every ACCESS. */
enum gl_commit_part { GL_COMMIT_WHOLE, GL_COMMIT_BEGIN, GL_COMMIT_ACCESS, GL_COMMIT_END };

struct gl_event {
    enum gl_op op;
    enum gl_order order;    /* LOAD STORE RMW FENCE only */
    uint32_t thread;        /* who does it */
    uint32_t site;          /* where: an id that comes back in a race; 0 = unknown */
    uint64_t object;        /* see the table */
    uint32_t size;          /* bytes: READ WRITE FREE 1..64; LOAD STORE RMW 0..16; ALLOC any */
    uint32_t n_reads;       /* COMMIT */
    uint32_t n_writes;      /* COMMIT */
    uint32_t part;          /* COMMIT: of enum gl_commit_part */
    const uint64_t *reads;  /* COMMIT: byte addresses, borrowed */
    const uint64_t *writes; /* COMMIT: byte addresses, borrowed */
};

/* Is this part of a commit in the event, or the event no commit? */
static inline bool gl_event_does(const struct gl_event *e, enum gl_commit_part part)
{
    return e->op != GL_OP_COMMIT || e->part == GL_COMMIT_WHOLE || e->part == (uint32_t)part;
}

const char *gl_op_name(enum gl_op op);      /* the text name */
enum gl_class gl_op_class(enum gl_op op);
const char *gl_op_sentence(enum gl_op op);
const char *gl_order_name(enum gl_order o); /* rlx acq rel ar sc */

#endif
