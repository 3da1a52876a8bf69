/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks cc --inline` puts this file in front of every source file of the program, and asks for optimization when linking (-flto).  The
 * compiler's instrumentation then finds bodies for the functions that it calls at each access, and the linker's optimizer puts them in
 * their places: "already seen" takes no call, and what is the same from access to access of a loop is computed once.
 *
 * It is the filter of access_inl.h and no more: what it does not recognise goes to the runtime, which asks again.  The conditions are that
 * file's; tests/unit/native_inline_test.c holds the two against each other.  Without link-time optimization the bodies are not used, and all is as
 * without this file.
 *
 * What is said here of the shadow becomes part of the program: when shadow.h, cell.h or the beginning of struct rt_tls changes, the number in
 * goldilocks_rt_tls_1 must, so that a program with the old one does not start.
 */
#if !defined(GOLDILOCKS_INLINE_H) && !defined(__ASSEMBLER__)
#define GOLDILOCKS_INLINE_H
#pragma GCC system_header

#ifdef __cplusplus
extern "C" {
#endif

/* struct rt_frame and the beginning of struct rt_tls (runtime.h). */
struct goldilocks_rt_frame {
    __UINT64_TYPE__ pc;
    __UINT32_TYPE__ node, sp;
};
struct goldilocks_rt_tls {
    __UINT32_TYPE__ key, tag;
    __UINT64_TYPE__ inside;
    struct goldilocks_rt_frame *top, *limit, *base;
};
extern __thread struct goldilocks_rt_tls goldilocks_rt_tls_1 __attribute__((tls_model("initial-exec")));

/* Not in debug information: the program's lines stay the program's. */
#define GOLDILOCKS_RT_BODY                                                                                   \
    extern __inline__ __attribute__((__gnu_inline__, __always_inline__, __used__, __nodebug__, __nothrow__,  \
                                     disable_sanitizer_instrumentation))

/* Has the thread's current segment made this access, as far as the words of its cells say? */
static __inline__ __attribute__((__always_inline__, __nodebug__, disable_sanitizer_instrumentation)) int
goldilocks_rt_seen(__UINT64_TYPE__ a, unsigned size, int write)
{
    __UINT64_TYPE__ at = a << 20 >> 18,
                    cell = (size == 8 ? at : (at & ~15ull) - ((at & 16) >> 1)) + 0x100000000000ull;
    /* acquire: read each time, never kept over a loop, in which a handler of a signal may end the segment, and before the word */
    __UINT32_TYPE__ key = __atomic_load_n(&goldilocks_rt_tls_1.key, __ATOMIC_ACQUIRE),
                    mask = size >= 4 ? 15 : ((1u << size) - 1) << (a & 3);
    __UINT32_TYPE__ want = key | mask, matter = ~15u | mask;
    __UINT64_TYPE__ w0, w1;
    if (a % size)
        return 0;
    w0 = __atomic_load_n((const __UINT64_TYPE__ *)cell, __ATOMIC_RELAXED); /* relaxed: as in rt_cell_hit() */
    if (__builtin_expect((((__UINT32_TYPE__)(w0 >> 32) ^ want) & matter) != 0 &&
                             (write || (((__UINT32_TYPE__)w0 ^ want) & matter) != 0),
                         0))
        return 0;
    if (size < 8)
        return 1;
    w1 = __atomic_load_n((const __UINT64_TYPE__ *)(cell + 8), __ATOMIC_RELAXED);
    return __builtin_expect(w0 == w1, 1);
}

#ifndef GOLDILOCKS_RT_SEEN_ONLY /* for the unit test */
#define GOLDILOCKS_RT_ACCESS(name, size, write, call)                                                        \
    void call(void *p);                                                                                      \
    GOLDILOCKS_RT_BODY void name(void *p);                                                                   \
    GOLDILOCKS_RT_BODY void name(void *p)                                                                    \
    {                                                                                                        \
        if (__builtin_expect(!goldilocks_rt_seen((__UINT64_TYPE__)p, size, write), 0))                       \
            call(p);                                                                                         \
    }

GOLDILOCKS_RT_ACCESS(__tsan_read1, 1, 0, goldilocks_rt_read1)
GOLDILOCKS_RT_ACCESS(__tsan_read2, 2, 0, goldilocks_rt_read2)
GOLDILOCKS_RT_ACCESS(__tsan_read4, 4, 0, goldilocks_rt_read4)
GOLDILOCKS_RT_ACCESS(__tsan_read8, 8, 0, goldilocks_rt_read8)
GOLDILOCKS_RT_ACCESS(__tsan_write1, 1, 1, goldilocks_rt_write1)
GOLDILOCKS_RT_ACCESS(__tsan_write2, 2, 1, goldilocks_rt_write2)
GOLDILOCKS_RT_ACCESS(__tsan_write4, 4, 1, goldilocks_rt_write4)
GOLDILOCKS_RT_ACCESS(__tsan_write8, 8, 1, goldilocks_rt_write8)
GOLDILOCKS_RT_ACCESS(__tsan_unaligned_read2, 2, 0, goldilocks_rt_read2)
GOLDILOCKS_RT_ACCESS(__tsan_unaligned_read4, 4, 0, goldilocks_rt_read4)
GOLDILOCKS_RT_ACCESS(__tsan_unaligned_read8, 8, 0, goldilocks_rt_read8)
GOLDILOCKS_RT_ACCESS(__tsan_unaligned_write2, 2, 1, goldilocks_rt_write2)
GOLDILOCKS_RT_ACCESS(__tsan_unaligned_write4, 4, 1, goldilocks_rt_write4)
GOLDILOCKS_RT_ACCESS(__tsan_unaligned_write8, 8, 1, goldilocks_rt_write8)

/* As in abi_func.c. */
void goldilocks_rt_func_entry(void *pc);
GOLDILOCKS_RT_BODY void __tsan_func_entry(void *pc);
GOLDILOCKS_RT_BODY void __tsan_func_entry(void *pc)
{
    struct goldilocks_rt_frame *f = goldilocks_rt_tls_1.top;
    __UINT32_TYPE__ sp;
    if (__builtin_expect(f >= goldilocks_rt_tls_1.limit, 0)) {
        goldilocks_rt_func_entry(pc);
        return;
    }
#if defined(__x86_64__)
    __asm__ volatile("movl %%esp, %0" : "=r"(sp));
#else
    __asm__ volatile("mov %w0, wsp" : "=r"(sp));
#endif
    goldilocks_rt_tls_1.top = f + 1;
    f->pc = (__UINT64_TYPE__)pc;
    f->node = 0;
    f->sp = sp;
}

GOLDILOCKS_RT_BODY void __tsan_func_exit(void);
GOLDILOCKS_RT_BODY void __tsan_func_exit(void)
{
    if (__builtin_expect(goldilocks_rt_tls_1.top > goldilocks_rt_tls_1.base, 1))
        goldilocks_rt_tls_1.top--;
}

#undef GOLDILOCKS_RT_ACCESS
#endif
#undef GOLDILOCKS_RT_BODY
#ifdef __cplusplus
}
#endif
#endif
