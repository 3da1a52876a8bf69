/* SPDX-License-Identifier: Apache-2.0
 *
 * The filters that `goldilocks cc --inline` puts into programs (native/inline.h; with gcc native/inline.s) against the runtime's own
 * (native/access_inl.h), on random cells: they recognise what that one does, but for two cells of one access that hold different words and
 * for groups, which they leave to the runtime; and they recognise nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#define GOLDILOCKS_RT_SEEN_ONLY
#include "native/inline.h"

#include "core/group.h"
#include "native/access_inl.h"

__thread struct rt_tls rt_tls;
__thread struct goldilocks_rt_tls goldilocks_rt_tls_1;

#if defined(__x86_64__)
/* The assembler's: functions that make one call each, as a compiler writes it, and what they call when they do not know. */
#define PROBE(name, at)                                                                                      \
    __asm__(".text\n.globl probe" #name "\n.type probe" #name ", @function\nprobe" #name ":\n"               \
            "subq $8, %rsp\ncall __tsan" #name at "\naddq $8, %rsp\nret\n");                                 \
    void probe##name(void *p);                                                                               \
    void __tsan##name(void *p);                                                                              \
    void __tsan##name(void *p) { asked = (uintptr_t)p; }
static uintptr_t asked; /* the argument of the last such call */
__asm__(".include \"" GL_SOURCE_DIR "/native/inline.s\"");
PROBE(_read1, "@PLT")
PROBE(_read2, "")
PROBE(_read4, "@PLT")
PROBE(_read8, "@PLT")
PROBE(_write1, "")
PROBE(_write2, "@PLT")
PROBE(_write4, "@PLT")
PROBE(_write8, "")
PROBE(_unaligned_read2, "@PLT")
PROBE(_unaligned_read4, "@PLT")
PROBE(_unaligned_read8, "")
PROBE(_unaligned_write2, "@PLT")
PROBE(_unaligned_write4, "")
PROBE(_unaligned_write8, "@PLT")
PROBE(_func_entry, "@PLT")
PROBE(_func_exit, "@PLT")

static int assembler_hit(uintptr_t a, unsigned size, bool write, bool unaligned)
{
    static void (*const probe[2][2][4])(void *) = {
        {{probe_read1, probe_read2, probe_read4, probe_read8}, {probe_write1, probe_write2, probe_write4, probe_write8}},
        {{probe_read1, probe_unaligned_read2, probe_unaligned_read4, probe_unaligned_read8},
         {probe_write1, probe_unaligned_write2, probe_unaligned_write4, probe_unaligned_write8}}};
    asked = 0;
    probe[unaligned][write][__builtin_ctz(size)]((void *)a);
    assert_true(asked == 0 || asked == a);
    return asked == 0;
}
#else
static int inline_hit(uintptr_t a, unsigned size, bool write);
static int assembler_hit(uintptr_t a, unsigned size, bool write, bool unaligned)
{
    (void)unaligned;
    return inline_hit(a, size, write);
}
#endif

/* Of the runtime: what gets past its filter. */
static unsigned missed;
#define MISSED(name)                                                                                         \
    void name(uintptr_t a, uintptr_t pc)                                                                     \
    {                                                                                                        \
        (void)a, (void)pc;                                                                                   \
        missed++;                                                                                            \
    }
MISSED(rt_miss_read1)
MISSED(rt_miss_read2)
MISSED(rt_miss_read4)
MISSED(rt_miss_read8)
MISSED(rt_miss_write1)
MISSED(rt_miss_write2)
MISSED(rt_miss_write4)
MISSED(rt_miss_write8)
void rt_access_odd(uintptr_t a, unsigned size, bool write, uintptr_t pc)
{
    (void)a, (void)size, (void)write, (void)pc;
    missed++;
}

#define MEMORY 0x40000000000ul /* nothing is there but its cells */
#define BYTES  1024u

static uint64_t seed = 0x9E3779B97F4A7C15ull;
static uint32_t below(uint32_t n)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (uint32_t)(seed >> 33) % n;
}

/* A half as cells have it, most often of the segment `mine`. */
static uint32_t random_half(uint32_t mine)
{
    uint32_t segment = below(4) ? mine : 1 + below(3);
    switch (below(10)) {
    case 0:
        return 0;
    case 1:
        return gl_half(GL_GROUP_FIRST + 1 + below(5), 0, 1 + below(15));
    case 2:
        return gl_half(segment, 1, 1 + below(15));
    case 3:
        return gl_half(segment, 0, 1 + below(15));
    default:
        return gl_half(segment, 0, 0xF);
    }
}

static uint64_t random_word(uint32_t mine)
{
    uint32_t kind = below(20);
    return kind == 0   ? GL_CELL_LOCKED
           : kind == 1 ? (uint64_t)GL_CELL_SIDE << 32 | below(1000) << 4
                       : (uint64_t)random_half(mine) << 32 | random_half(mine);
}

static bool runtime_hit(uintptr_t a, unsigned size, bool write)
{
    missed = 0;
    switch (size) {
    case 1:
        rt_access((void *)a, 1, write, 1);
        break;
    case 2:
        rt_access((void *)a, 2, write, 1);
        break;
    case 4:
        rt_access((void *)a, 4, write, 1);
        break;
    default:
        rt_access((void *)a, 8, write, 1);
        break;
    }
    return missed == 0;
}

static int inline_hit(uintptr_t a, unsigned size, bool write)
{
    switch (size) {
    case 1:
        return goldilocks_rt_seen(a, 1, write);
    case 2:
        return goldilocks_rt_seen(a, 2, write);
    case 4:
        return goldilocks_rt_seen(a, 4, write);
    default:
        return goldilocks_rt_seen(a, 8, write);
    }
}

static void same_as_runtime(void **state)
{
    (void)state;
    void *cells = mmap((void *)rt_cell_at(MEMORY), BYTES * 4, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    assert_ptr_equal(cells, (void *)rt_cell_at(MEMORY));
    unsigned hits = 0, left = 0, misses = 0;
    for (unsigned round = 0; round < 200000; round++) {
        uint32_t mine = 1 + below(3);
        uintptr_t a = MEMORY + below(BYTES - 8);
        unsigned size = 1u << below(4);
        bool write = below(2), same = below(2);
        uint64_t first = random_word(mine);
        for (uintptr_t at = a & ~7ul; at < a + size; at += 4)
            gl_store_relaxed(rt_cell_word(at), same ? first : random_word(mine));
        rt_tls.key = goldilocks_rt_tls_1.key = below(20) ? mine << GL_HALF_SHIFT : 0;
        bool hit = runtime_hit(a, size, write);
        int seen = inline_hit(a, size, write);
        assert_int_equal(assembler_hit(a, size, write, false), seen);
        assert_int_equal(assembler_hit(a, size, write, true), seen);
        if (seen) {
            assert_true(hit);
            hits++;
        } else if (hit) { /* it may ask the runtime about a pair that differs, and about nothing else */
            assert_true(size == 8 && a % 8 == 0);
            assert_true(gl_load_relaxed(rt_cell_word(a)) != gl_load_relaxed(rt_cell_word(a + 4)));
            left++;
        } else {
            misses++;
        }
    }
    assert_true(hits > 10000 && left > 100 && misses > 10000); /* each case was there */
    munmap(cells, BYTES * 4);
}

#if defined(__x86_64__)
/* Functions entered and left, up to the end of the room and beyond. */
static void frames(void **state)
{
    (void)state;
    enum { ROOM = 3 };
    struct goldilocks_rt_frame frame[ROOM + 1];
    for (unsigned i = 0; i <= ROOM; i++)
        frame[i] = (struct goldilocks_rt_frame){.pc = 1, .node = 1, .sp = 1};
    goldilocks_rt_tls_1.base = goldilocks_rt_tls_1.top = frame;
    goldilocks_rt_tls_1.limit = frame + ROOM;
    asked = 0;
    for (uintptr_t i = 0; i < ROOM; i++) {
        probe_func_entry((void *)(100 + i));
        assert_ptr_equal(goldilocks_rt_tls_1.top, &frame[i + 1]);
        assert_int_equal(frame[i].pc, 100 + i);
        assert_int_equal(frame[i].node, 0);
        int32_t below_us = (int32_t)((uint32_t)(uintptr_t)__builtin_frame_address(0) - frame[i].sp);
        assert_in_range(below_us, 1, 4096);
    }
    assert_int_equal(asked, 0);
    probe_func_entry((void *)7);
    assert_int_equal(asked, 7);
    assert_ptr_equal(goldilocks_rt_tls_1.top, frame + ROOM);
    assert_int_equal(frame[ROOM].pc, 1);
    for (unsigned i = ROOM; i-- > 0;) {
        probe_func_exit(NULL);
        assert_ptr_equal(goldilocks_rt_tls_1.top, &frame[i]);
    }
    probe_func_exit(NULL); /* more exits than entries: the thread became known inside a function */
    assert_ptr_equal(goldilocks_rt_tls_1.top, frame);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_runtime),
#if defined(__x86_64__)
        cmocka_unit_test(frames),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
