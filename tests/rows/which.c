/* SPDX-License-Identifier: Apache-2.0
 *
 * Which loops are told as rows: those of functions yes_*, and not those of no_*, whose accesses lie in different segments, may not be made, or are
 * not known before.  tests/rows/run looks at the machine code; nothing runs.
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define F __attribute__((noinline, used))
long *a, *b, n;
double *x;
atomic_long flag;
volatile long seen;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct item {
    struct item *next;
    long value;
} *items;

/* These say that they access nothing; but for one of them nobody else can know, and one only seems so. */
__attribute__((const)) long elsewhere(long i);
__attribute__((const, noinline)) static long once(long i) {
    static atomic_long done;
    if (!atomic_load(&done))
        atomic_store(&done, i + 1);
    return i * 3;
}
__attribute__((noinline)) static long twice(long i) { return i / 7 * i; }

F void yes_up(long *p, long k) { for (long i = 0; i < k; i++) p[i] = i; }
F void yes_down(long *p, long k) { for (long i = k; i-- > 0;) p[i] = i; }
F void yes_stride(long *p, long k) { for (long i = 0; i < k; i++) p[5 * i] = i; }
F void yes_variable_stride(long *p, long k, long s) { for (long i = 0; i < k; i++) p[s * i] = i; }
F void yes_int(int *p, int k) { for (int i = 0; i < k; i++) p[i] = i; }
F void yes_bytes(char *p, char *end) { for (; p != end; p++) *p = 1; }
F void yes_division(long *p, long k, unsigned long parts) { for (unsigned long i = 0; i < (unsigned long)k / parts; i++) p[i] = 1; }
F void yes_math(double *p, long k) { for (long i = 0; i < k; i++) p[i] = sin(p[i]); }
F void yes_nested(long *p, long k) { for (long j = 0; j < k; j++) for (long i = 0; i < j; i++) p[i] += j; }
F void yes_same_place(long *p, float *q, long k) { for (long i = 0; i < k; i++) *p += q[i] > 1; }

F void yes_arithmetic(long *p, long k) { for (long i = 0; i < k; i++) p[i] = twice(i); }

F void no_elsewhere(long *p, long k) { for (long i = 0; i < k; i++) p[i] = elsewhere(i); }
F void no_once(long *p, long k) { for (long i = 0; i < k; i++) p[i] = once(i); }
F void no_too_many(char *p) { for (long i = 0; i < 1L << 30; i++) p[i] = 1; }
F void no_release(long *p, long k) { for (long i = 0; i < k; i++) { p[i] = i; atomic_store_explicit(&flag, i, memory_order_release); } }
F void no_relaxed(long *p, long k) { for (long i = 0; i < k; i++) { p[i] = i; atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed); } }
F void no_fence(long *p, long k) { for (long i = 0; i < k; i++) { p[i] = i; atomic_thread_fence(memory_order_seq_cst); } }
F void no_signal_fence(long *p, long k) { for (long i = 0; i < k; i++) { p[i] = i; atomic_signal_fence(memory_order_seq_cst); } }
F void no_volatile(long *p, long k) { for (long i = 0; i < k; i++) { p[i] = i; seen = i; } }
F void no_lock(long *p, long k) { for (long i = 0; i < k; i++) { pthread_mutex_lock(&lock); p[i] = i; pthread_mutex_unlock(&lock); } }
F void no_call(long *p, long k, void (*f)(void)) { for (long i = 0; i < k; i++) { p[i] = i; f(); } }
F void no_free(long **p, long k) { for (long i = 0; i < k; i++) free(p[i]); }
F void no_assembly(long *p, long k) { for (long i = 0; i < k; i++) { p[i] = i; __asm__ volatile("" : : "r"(i) : "memory"); } }
F void no_break(long *p, long k) { for (long i = 0; i < k; i++) if (p[i] == 7) break; }
F void no_condition(long *p, long k, long s) { for (long i = 0; i < k; i++) if (i & s) p[i] = 1; }
F void no_list(void) { for (struct item *i = items; i; i = i->next) i->value++; }
F void no_count(long *p) { for (long i = 0; i < n; i++) p[i] = i; } /* p may point to n */
F void no_index(long *p, const int *at, long k) { for (long i = 0; i + 1 < k; i += 1 + at[i]) p[i] = 1; }
F void no_few(long *p) { for (long i = 0; i < 4; i++) p[i * 9] += p[i * 9 + 1]; }
F __attribute__((no_sanitize("thread"))) void no_sanitize(long *p, long k) { for (long i = 0; i < k; i++) p[i] = i; }

long elsewhere(long i) { return i + atomic_load(&flag); }
int main(void) { return 0; }
