/* SPDX-License-Identifier: Apache-2.0
 *
 * The filter that `goldilocks cc --inline` puts into programs (native/inline.h) against the runtime's own (native/access_inl.h), on random
 * cells: it recognises what that one does, but for two cells of one access that hold different words and for groups, which it leaves
 * to the runtime; and it recognises nothing else.
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
        if (inline_hit(a, size, write)) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_runtime)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
