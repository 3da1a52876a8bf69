/* SPDX-License-Identifier: Apache-2.0
 *
 * For programs under test: be told of a data race before it happens, or catch it like an exception.
 *
 * Caveats first.
 *   - All of this works only when the program runs with the Goldilocks runtime.  Without it everything
 *     here compiles, links and does nothing: GL_TRY runs its body, GL_CATCH never does.
 *   - A race is an accident between two threads, and only one of them is stopped: the one whose access
 *     came second.  The earlier access has already been made.
 *   - What the interrupted code had half done stays half done: locks that it took are still held, memory
 *     that it allocated stays allocated.
 *
 * A handler:
 *
 *     static void on_race(const struct goldilocks_race *race, void *log)
 *     {
 *         fprintf(log, "race at %p\n", race->addr);
 *     }
 *     goldilocks_set_race_handler(on_race, stderr);
 *
 * Or a block that gives up instead of using data that another thread is changing:
 *
 *     GL_TRY {
 *         total = sum(shared, n);
 *     }
 *     GL_CATCH(race) {
 *         fprintf(stderr, "no sum: race at %p\n", race->addr);
 *         total = 0;
 *     }
 *     GL_END_TRY;
 *
 * C11 and C++11, gcc and clang.
 */
#ifndef GOLDILOCKS_RACE_H
#define GOLDILOCKS_RACE_H

#include <setjmp.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The earlier of two racing accesses, which has been made. */
struct goldilocks_earlier_access {
    int is_write;
    int is_atomic;
    unsigned size;   /* bytes */
    unsigned thread; /* number as in the reports: 0 = main thread */
};

/* Two accesses of the same bytes by two threads, at least one a write, not ordered by any
 * synchronization; and the access that is about to be made is the later one. */
struct goldilocks_race {
    size_t struct_size; /* bytes that the runtime filled in; a later version may know more fields */
    const void *addr;   /* first byte of the access that is about to be made */
    unsigned size;      /* of that access, in bytes */
    int is_write;
    int is_atomic;
    unsigned thread;    /* the calling thread's number */
    const void *pc;     /* the place in the program */
    struct goldilocks_earlier_access earlier;
};

/* Called in the racing thread, right before its access.  The runtime holds no lock then, and the handler may
 * do what the code at that place may do: take locks, allocate, print, and also race, which is reported
 * and does not call the handler again.
 *   returns                    the race is treated as the option on_race says, then the access is made
 *   longjmp or siglongjmp      the access is not made, and the race is not reported
 * A C++ exception must not leave the handler: the frames between are not made for it. */
typedef void (*goldilocks_race_handler)(const struct goldilocks_race *race, void *ctx);

/* Sets the handler for all threads; NULL takes it away.  Returns the one before.  Any thread, any time;
 * a race that is found at the same moment may still go to the old one.
 * Weak: its address is NULL in a program that runs without the runtime. */
goldilocks_race_handler goldilocks_set_race_handler(goldilocks_race_handler handler, void *ctx)
    __attribute__((weak));

/* ---- GL_TRY / GL_CATCH / GL_END_TRY ---------------------------------------------------------------
 *
 *   - A race of this thread in the body ends the body before the access and runs the GL_CATCH part, where
 *     the name given to GL_CATCH is a `const struct goldilocks_race *`.
 *   - Blocks nest, also across functions; a race goes to the innermost block whose body is running.  A
 *     GL_CATCH part is outside of its own block.  Races outside all blocks go the usual way (on_race).
 *   - return, break, continue and goto may leave a body or a GL_CATCH part.  A longjmp of your own that
 *     jumps out of a body past GL_END_TRY may not.
 *   - Local variables of the function that are changed in the body and read in or after GL_CATCH must be
 *     volatile, as always with setjmp.
 *   - In C++, destructors of objects made inside the body do not run when it is interrupted.
 *   - Blocks use the handler: the first one that runs takes the handler's place, so do not mix them with
 *     goldilocks_set_race_handler().
 */

/* With the signal mask where the language mode has that; the buffer is the same in strict ISO C. */
#ifdef sigsetjmp
#define GOLDILOCKS_TRY_SETJMP(env) sigsetjmp(env, 1)
#define GOLDILOCKS_TRY_LONGJMP(env) siglongjmp(env, 1)
#else
#define GOLDILOCKS_TRY_SETJMP(env) setjmp(env)
#define GOLDILOCKS_TRY_LONGJMP(env) longjmp(env, 1)
#endif

struct goldilocks_try {
    jmp_buf env;
    struct goldilocks_try *outer;
    int running; /* it is on the thread's stack of blocks */
    struct goldilocks_race race;
};

/* The innermost running block of the calling thread.  Weak, so that all files of a program share one. */
__attribute__((weak)) __thread struct goldilocks_try *goldilocks_try_top;

__attribute__((unused)) static inline void goldilocks_try_leave(struct goldilocks_try *t)
{
    if (!t->running) return;
    t->running = 0;
    goldilocks_try_top = t->outer;
}

__attribute__((unused)) static inline void goldilocks_try_on_race(const struct goldilocks_race *race, void *ctx)
{
    struct goldilocks_try *t = goldilocks_try_top;
    (void)ctx;
    if (!t) return;
    goldilocks_try_leave(t);
    t->race = *race;
    GOLDILOCKS_TRY_LONGJMP(t->env);
}

__attribute__((unused)) static inline void goldilocks_try_enter(struct goldilocks_try *t)
{
    /* Setting it again and again is cheap and needs no once. */
    if (goldilocks_set_race_handler) goldilocks_set_race_handler(goldilocks_try_on_race, NULL);
    t->outer = goldilocks_try_top;
    t->running = 1;
    goldilocks_try_top = t;
}

#ifdef __cplusplus
}
#endif

/* The cleanup attribute is what makes return and break out of a body safe.  Of two blocks in one function the inner one's name hides
 * the outer one's, as it should. */
#define GL_TRY                                                                                        \
    {                                                                                                 \
        _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")                 \
        struct goldilocks_try gl_try_ __attribute__((cleanup(goldilocks_try_leave)));                 \
        _Pragma("GCC diagnostic pop")                                                                 \
        goldilocks_try_enter(&gl_try_);                                                               \
        if (GOLDILOCKS_TRY_SETJMP(gl_try_.env) == 0) {

#define GL_CATCH(name)                                                                                \
            goldilocks_try_leave(&gl_try_);                                                           \
        } else {                                                                                      \
            const struct goldilocks_race *name = &gl_try_.race;                                       \
            (void)name;

#define GL_END_TRY                                                                                    \
        }                                                                                             \
    }                                                                                                 \
    (void)0

#endif
