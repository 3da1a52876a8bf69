/* SPDX-License-Identifier: Apache-2.0
 *
 * A runtime that checks nothing: what the compiler's calls cost by themselves. No tool that takes these object files can be faster, so a
 * program's time with it is the floor of what bench/run measures. Atomics do what the program asked for.
 */
#include <stdint.h>
#include <string.h>

#define NOTHING(name) \
    void name(void); /* whatever its arguments are */ \
    void name(void) {}
#define SIZES(of) NOTHING(of##1) NOTHING(of##2) NOTHING(of##4) NOTHING(of##8) NOTHING(of##16)

NOTHING(__tsan_init)
NOTHING(__tsan_func_entry)
NOTHING(__tsan_func_exit)
NOTHING(__tsan_vptr_read)
NOTHING(__tsan_vptr_update)
NOTHING(__tsan_read_range)
NOTHING(__tsan_write_range)
SIZES(__tsan_read)
SIZES(__tsan_write)
SIZES(__tsan_unaligned_read)
SIZES(__tsan_unaligned_write)

void *__tsan_memcpy(void *to, const void *from, size_t n);
void *__tsan_memmove(void *to, const void *from, size_t n);
void *__tsan_memset(void *to, int c, size_t n);
void *__tsan_memcpy(void *to, const void *from, size_t n) { return memcpy(to, from, n); }
void *__tsan_memmove(void *to, const void *from, size_t n) { return memmove(to, from, n); }
void *__tsan_memset(void *to, int c, size_t n) { return memset(to, c, n); }

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_thread_fence(int order) { (void)order, __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int order) { (void)order, __atomic_signal_fence(__ATOMIC_SEQ_CST); }

#define FETCH(bits, what)                                                                                         \
    uint##bits##_t __tsan_atomic##bits##_fetch_##what(volatile uint##bits##_t *p, uint##bits##_t v, int order);   \
    uint##bits##_t __tsan_atomic##bits##_fetch_##what(volatile uint##bits##_t *p, uint##bits##_t v, int order)    \
    {                                                                                                             \
        return (void)order, __atomic_fetch_##what(p, v, __ATOMIC_SEQ_CST);                                        \
    }
#define EXCHANGE(bits, how, weak)                                                                                 \
    int __tsan_atomic##bits##_compare_exchange_##how(volatile uint##bits##_t *p, uint##bits##_t *expected, uint##bits##_t v, int order, int failed); \
    int __tsan_atomic##bits##_compare_exchange_##how(volatile uint##bits##_t *p, uint##bits##_t *expected, uint##bits##_t v, int order, int failed)  \
    {                                                                                                             \
        return (void)order, (void)failed, __atomic_compare_exchange_n(p, expected, v, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }
#define ATOMICS(bits)                                                                                             \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *p, int order);                       \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *p, int order)                        \
    {                                                                                                             \
        return (void)order, __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                 \
    }                                                                                                             \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *p, uint##bits##_t v, int order);                    \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *p, uint##bits##_t v, int order)                     \
    {                                                                                                             \
        (void)order, __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                    \
    }                                                                                                             \
    uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t *p, uint##bits##_t v, int order);       \
    uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t *p, uint##bits##_t v, int order)        \
    {                                                                                                             \
        return (void)order, __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                          \
    }                                                                                                             \
    uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(volatile uint##bits##_t *p, uint##bits##_t expected, uint##bits##_t v, int order, int failed); \
    uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(volatile uint##bits##_t *p, uint##bits##_t expected, uint##bits##_t v, int order, int failed)  \
    {                                                                                                             \
        (void)order, (void)failed, __atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return expected;                                                                                          \
    }                                                                                                             \
    EXCHANGE(bits, strong, 0)                                                                                     \
    EXCHANGE(bits, weak, 1)                                                                                       \
    FETCH(bits, add) FETCH(bits, sub) FETCH(bits, and) FETCH(bits, or) FETCH(bits, xor) FETCH(bits, nand)

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
