/* SPDX-License-Identifier: Apache-2.0
 *
 * A found race, or another mistake in the use of threads, as data.  Whoever collects it decides everything: which accesses,
 * threads and mutexes are told, in which order, and what the address is.  Whoever prints it only prints (report/text.h,
 * report/json.h).
 *
 * Everything is borrowed: arrays and strings belong to the collector and live until the printer returns.
 * A stack is given either as frames that are already symbolized, or as program counters, which the
 * printer has symbolized one at a time; so no memory is needed for frames that nobody asked for.
 */
#ifndef GL_REPORT_REPORT_H
#define GL_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GL_REPORT_NO_THREAD UINT32_MAX /* parent of a thread that we did not see created */

enum gl_report_kind {
    GL_REPORT_READ,
    GL_REPORT_WRITE,
    GL_REPORT_ATOMIC_READ,
    GL_REPORT_ATOMIC_WRITE,
    GL_REPORT_FREE /* ThreadSanitizer calls it a write */
};

enum gl_report_type {
#define TYPE(name, title, word, suppressed) GL_REPORT_##name,
#include "report/types.def"
#undef TYPE
    GL_REPORT_TYPES
};

/* Has it two accesses? */
static inline bool gl_report_is_race(enum gl_report_type type)
{
    return type <= GL_REPORT_VPTR_USE_AFTER_FREE;
}
const char *gl_report_title(enum gl_report_type type); /* "data race" */
const char *gl_report_word(enum gl_report_type type);  /* "data-race" */

struct gl_report_frame {
    uintptr_t pc;
    const char *function; /* NULL: unknown */
    const char *file;     /* NULL: unknown */
    uint32_t line;        /* 0: unknown */
    uint32_t column;      /* 0: unknown */
    const char *module;   /* path; NULL: in none */
    uintptr_t offset;     /* in the module */
};

struct gl_report_stack {
    const struct gl_report_frame *frame; /* innermost first */
    size_t frames;
    const uintptr_t *pc;                 /* or, when frames is 0: program counters, innermost first */
    size_t pcs;                          /* both 0: the stack is not known, and the report says so */
    uintptr_t called;                    /* a program counter in the function of the runtime that the innermost frame called; 0: none */
};

struct gl_report_held {
    uint32_t mutex; /* gl_report_mutex.number */
    bool write;     /* false: held for reading */
};

struct gl_report_access {
    enum gl_report_kind kind;
    uintptr_t address;
    size_t size;     /* bytes */
    uint32_t thread; /* gl_report_thread.number; 0 is the main thread */
    struct gl_report_stack stack;
    const struct gl_report_held *held; /* mutexes held, in the order of locking */
    size_t n_held;
};

struct gl_report_thread {
    uint32_t number;  /* T<number> */
    uint32_t os_tid;  /* as in /proc */
    const char *name; /* NULL or "": none */
    bool running;     /* false: finished */
    uint32_t parent;  /* number of its creator, or GL_REPORT_NO_THREAD */
    struct gl_report_stack created_at;
};

struct gl_report_mutex {
    uint32_t number; /* M<number> */
    uintptr_t address;
    bool destroyed;
    struct gl_report_stack created_at;
};

/* One step of a cycle of locks: a thread took `to` while it held `from`. */
struct gl_report_edge {
    uint32_t from, to; /* gl_report_mutex.number */
    uint32_t thread;
    struct gl_report_stack acquired_at;
    struct gl_report_stack held_since; /* where the thread took `from`; empty: not told */
};

enum gl_report_place { GL_PLACE_UNKNOWN, GL_PLACE_GLOBAL, GL_PLACE_HEAP, GL_PLACE_STACK, GL_PLACE_TLS, GL_PLACE_FD };

struct gl_report_location {
    enum gl_report_place place;
    const char *name;                    /* GLOBAL; NULL: unknown */
    uintptr_t start;                     /* GLOBAL HEAP */
    size_t size;                         /* GLOBAL (0: unknown) HEAP */
    const char *module;                  /* GLOBAL: path */
    uintptr_t offset;                    /* GLOBAL: in the module */
    uint32_t thread;                     /* HEAP: who allocated it; STACK TLS: whose; FD: who made or closed it, or GL_REPORT_NO_THREAD */
    struct gl_report_stack allocated_at; /* HEAP; FD: where it was made or closed, if `thread` is known */
    int fd;                              /* FD: the file descriptor; one that is a variable like any other */
    bool closed;                         /* FD */
};

enum gl_report_fault_access { GL_FAULT_UNKNOWN, GL_FAULT_READ, GL_FAULT_WRITE, GL_FAULT_EXECUTE };

/* What a signal that ends the program was about. */
struct gl_report_fault {
    bool sent;                          /* by a process, `sender`; else the thread's instruction faulted */
    uint32_t sender;
    bool addressed;                     /* is the address that was accessed known? */
    uintptr_t address;
    enum gl_report_fault_access access; /* if it is */
    bool stack_full;                    /* the address is where the stack would have gone on */
    uint32_t thread;                    /* whose instruction it was, or to which it was sent */
    uintptr_t pc, sp, bp;               /* ThreadSanitizer tells them */
};

const char *gl_report_signal(uint32_t signal); /* "SIGSEGV"; NULL: one that reports never name */

struct gl_report {
    enum gl_report_type type;
    uint32_t pid;
    struct gl_report_access access[2]; /* of a race: [0] the access that found it, [1] the earlier one */
    const struct gl_report_stack *stack; /* of other mistakes: where; of a locked mutex that is destroyed, then where it was locked */
    size_t stacks;
    const struct gl_report_edge *edge; /* DEADLOCK: the cycle; edge[i].to is edge[i+1].from */
    size_t edges;
    uint32_t signal;  /* ERRNO_IN_SIGNAL FATAL_SIGNAL */
    struct gl_report_fault fault; /* FATAL_SIGNAL */
    uint64_t similar; /* THREAD_LEAK: further threads that were created at the same place */
    struct gl_report_location location;
    const struct gl_report_mutex *mutex;
    size_t mutexes;
    const struct gl_report_thread *thread; /* not the main thread */
    size_t threads;
    struct gl_report_stack slept_at; /* of a race: where the thread that found it slept last, if the earlier access was made before the end of that; else empty */
    const char *why;      /* why nothing orders the two: the end of that sentence; NULL: not told */
    uint64_t occurrences; /* of races on this pair of stacks until now, this one included */
};

#endif
