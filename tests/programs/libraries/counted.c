// SPDX-License-Identifier: Apache-2.0
// What libraries make of atomic instructions, out of our sight: a lock, a count of references. And each form of such an instruction, whose results,
// flags and all else must be the same when it is followed.
#define _GNU_SOURCE 1
#include <linux/futex.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

void counted_lock(int *lock)
{
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE)) {}
}

// Not a plain store, which nobody could tell from others.
void counted_unlock(int *lock) { __atomic_exchange_n(lock, 0, __ATOMIC_RELEASE); }

// Gives up by a plain store, and wakes who waits.
void counted_wake(int *word)
{
    __atomic_store_n(word, 0, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

int counted_drop(int *count) { return __atomic_sub_fetch(count, 1, __ATOMIC_ACQ_REL) == 0; }

int counted_change(long *word, long from, long to)
{
    return __atomic_compare_exchange_n(word, &from, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

#if defined(__x86_64__)
static int global = 5;
static int mistakes;
#define CHECK(condition) (mistakes += !(condition))

// The flags of the instruction go to a jump: forward, and back in a loop.
static int loops(int *p, int times)
{
    int left;
    __asm__ volatile("mov %2, %0\n1: lock addl $1, (%1)\n dec %0\n jne 1b" : "=&r"(left) : "r"(p), "r"(times) : "memory", "cc");
    return left;
}

// A short one that is jumped to, and behind it: nothing in front of it can move, and nothing after it.
static int jumped_to(int *p)
{
    int again = 3;
    __asm__ volatile("jmp 2f\n nop\n nop\n2: lock incl (%1)\n3: decl %0\n jne 3b" : "+r"(again) : "r"(p) : "memory", "cc");
    return again;
}

static long through_a_table(int which, int *p)
{
    switch (which) {
    case 0: return __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
    case 1: __atomic_fetch_add(p, 2, __ATOMIC_SEQ_CST); // fall through
    case 2: return __atomic_fetch_add(p, 3, __ATOMIC_SEQ_CST) * 2;
    case 3: return __atomic_exchange_n(p, 9, __ATOMIC_SEQ_CST);
    case 4: return __atomic_sub_fetch(p, 1, __ATOMIC_SEQ_CST);
    case 5: return __atomic_fetch_or(p, 64, __ATOMIC_SEQ_CST) + 1;
    case 6: return __atomic_fetch_and(p, ~64, __ATOMIC_SEQ_CST) + 2;
    default: return -1;
    }
}

// All registers but those of the instruction, the flags, and what lies below the stack pointer.
static void keeps(void)
{
    uint64_t in[16], out[16];
    int n = 0;
    for (int i = 0; i < 16; i++)
        in[i] = 0x0102030405060708u * (unsigned)(i + 1);
    __asm__ volatile("movq 0(%0), %%rax\n movq 8(%0), %%rcx\n movq 16(%0), %%rdx\n movq 24(%0), %%r8\n movq 32(%0), %%r9\n movq 40(%0), %%r10\n"
                     "movq 48(%0), %%r11\n movq 56(%0), %%r12\n movq 64(%0), %%r13\n movups 72(%0), %%xmm0\n movups 88(%0), %%xmm15\n"
                     "movq %%rax, -8(%%rsp)\n movq %%rcx, -120(%%rsp)\n stc\n"
                     "xchgl %%r14d, (%2)\n" // no flags
                     "setc %%r14b\n movzbl %%r14b, %%r14d\n"
                     "movq %%rax, 0(%1)\n movq %%rcx, 8(%1)\n movq %%rdx, 16(%1)\n movq %%r8, 24(%1)\n movq %%r9, 32(%1)\n movq %%r10, 40(%1)\n"
                     "movq %%r11, 48(%1)\n movq %%r12, 56(%1)\n movq %%r13, 64(%1)\n movups %%xmm0, 72(%1)\n movups %%xmm15, 88(%1)\n"
                     "movq -8(%%rsp), %%rax\n movq %%rax, 104(%1)\n movq -120(%%rsp), %%rax\n movq %%rax, 112(%1)\n movq %%r14, 120(%1)\n"
                     :
                     : "S"(in), "D"(out), "b"(&n)
                     : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "xmm0", "xmm15", "memory", "cc");
    for (int i = 0; i < 13; i++)
        CHECK(in[i] == out[i]);
    CHECK(out[13] == in[0]);
    CHECK(out[14] == in[1]);
    CHECK(out[15] == 1);
}

int counted_mistakes(void)
{
    int n = 0, was;
    long wide = 7;
    short narrow = -2;
    unsigned char byte = 255;
    CHECK(loops(&n, 10) == 0 && n == 10);
    CHECK(jumped_to(&n) == 0 && n == 11);
    CHECK(__atomic_fetch_add(&global, 4, __ATOMIC_SEQ_CST) == 5 && global == 9); // by its distance
    CHECK(__atomic_exchange_n(&global, 5, __ATOMIC_SEQ_CST) == 9 && global == 5);
    CHECK(!counted_change(&wide, 6, 8) && wide == 7 && counted_change(&wide, 7, 8) && wide == 8);
    CHECK(__atomic_sub_fetch(&narrow, 3, __ATOMIC_SEQ_CST) == -5 && __atomic_add_fetch(&byte, 1, __ATOMIC_SEQ_CST) == 0);
    for (int i = 0; i < 8; i++) {
        static const long results[] = {0, 6, 12, 9, 8, 9, 74, -1};
        int word = i == 0 ? 0 : i < 3 ? 1 + 5 * (i == 2) : i == 3 || i == 4 ? 9 : i == 5 ? 8 : 72;
        CHECK(through_a_table(i, &word) == results[i]);
    }
    __asm__ volatile("lock btsl $3, %0\n setc %b1" : "+m"(n), "=&q"(was) : : "cc");
    CHECK((was & 1) == 1 && n == 11);
    __asm__ volatile("lock negl %0" : "+m"(n) : : "cc");
    CHECK(n == -11);
    __int128 pair __attribute__((aligned(16))) = 3;
    unsigned char done;
    uint64_t low = 3, high = 0;
    __asm__ volatile("lock cmpxchg16b %1\n setz %0" : "=q"(done), "+m"(pair), "+a"(low), "+d"(high) : "b"(4ul), "c"(1ul) : "cc");
    CHECK(done == 1 && pair == (((__int128)1 << 64) | 4));
    keeps();
    return mistakes;
}
#else
int counted_mistakes(void) { return 0; }
#endif
