/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the state of an address lies.  Five planes, reserved at start and backed by memory only
 * where the program's memory was used:
 *
 *   cells   16 bytes per 4   core/cell.h's word and sites; the filter reads only the word
 *   marks   8 bytes per 8    struct rt_mark: heap blocks, synchronization objects
 *   pages   1 byte per 1024  RT_PAGE_*: what a sweep over the page must look for
 *   owners  4 bytes per 1024 owner.h: who may touch the cells of the page without locking them
 *   freed   8 bytes per 1024 owner.h: the free of a page of which nothing was used
 *
 * A page, here and in all of native/, is RT_PAGE bytes of the program: those whose cells fill one page of the system.  Threads whose data lie
 * side by side share fewer of them than pages of 4096, and what is freed or first used is known as exactly as memory can be given back.
 *
 * A program's addresses lie in three ranges, which differ in the 44 low bits.  x86-64 Linux, and AArch64 with addresses of 48 bits:
 *
 *     0000'0000'0000 .. 0500'0000'0000   the same                             executables that are not position independent
 *     5500'0000'0000 .. 5800'0000'0000   aa00'0000'0000 .. ac00'0000'0000     position independent executables, brk
 *     7800'0000'0000 .. 8000'0000'0000   fc00'0000'0000 .. 1'0000'0000'0000   libraries, mmap, stacks
 *
 * Under qemu an AArch64 program has all three in x86-64's last.
 *
 * With more than 29 bits of randomization (on AArch64 30) executables may leave the second range, with more than 30 mappings the third; under an
 * unlimited stack they begin at 2aaa'0000'0000.  Then rt_init() starts the program again (gl_os_restart()).
 */
#ifndef GL_NATIVE_SHADOW_H
#define GL_NATIVE_SHADOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cell.h"

#define RT_ADDRESS_MASK ((1ull << 44) - 1)
#define RT_CELLS_AT 0x100000000000ull
#define RT_CELLS_SIZE (4ull << 44)
#define RT_MARKS_AT 0x600000000000ull
#define RT_MARKS_SIZE (1ull << 44)
#define RT_PAGE_SHIFT 10
#define RT_PAGE (1ul << RT_PAGE_SHIFT)
#define RT_PAGE_MASK (RT_PAGE - 1)
#define RT_PAGES_AT 0x700000000000ull
#define RT_PAGES_SIZE ((1ull << 44) / RT_PAGE)
#define RT_OWNERS_AT 0x701000000000ull
#define RT_FREED_AT 0x702000000000ull

enum { RT_PAGE_SYNC = 1, RT_PAGE_SIDE = 2, RT_PAGE_HEAP = 4, RT_PAGE_USED = 8 }; /* it holds sync objects, side records, starts of
                                                                                  * blocks, has an owner; sticky */

/* Per 8 bytes of program memory. */
struct rt_mark {
    _Atomic uint32_t sync; /* first synchronization object at these bytes (sync.c), 0 or RT_SYNC_LOOSE */
    _Atomic uint32_t heap; /* a heap block starts here: 1st mark its allocation's stack, 2nd: tid + 1, 3rd: size, 4th: of a large one, the rest of it */
};

/* In rt_mark.sync: there is no object, and relaxed atomic operations need not lock the place.  Who makes an object ends that first, and waits until none
 * is under way. */
#define RT_SYNC_LOOSE UINT32_MAX
static inline bool rt_sync_is_object(uint32_t sync) { return sync + 1 > 1; }

/* In rt_mark.heap: only a start has it, so that a block's other marks, and what is left of older blocks, are not taken for one. */
#define RT_HEAP_START 0x80000000u

/* The two cells of 8 bytes of the program, then their sites, in half a cache line: an access that changes a cell needs both,
 * and pays for one line. */
static inline uintptr_t rt_cell_at(uintptr_t a)
{
    a = a << 20 >> 18; /* the 44 low bits, times 4 */
    return (a & ~15ull) - ((a & 16) >> 1) + RT_CELLS_AT;
}
/* The same for an address that is a multiple of 8, in fewer instructions: the 44 low bits, times 4. */
static inline uintptr_t rt_cell_at_8(uintptr_t a) { return (a << 20 >> 18) + RT_CELLS_AT; }

static inline _Atomic uint64_t *rt_cell_word(uintptr_t a)
{
    return (_Atomic uint64_t *)rt_cell_at(a);
}
static inline struct gl_cell rt_cell(uintptr_t a)
{
    uintptr_t w = rt_cell_at(a);
    return (struct gl_cell){(_Atomic uint64_t *)w, (_Atomic uint64_t *)(w + 16)};
}
static inline struct gl_cell rt_cell_8(uintptr_t a)
{
    uintptr_t w = rt_cell_at_8(a);
    return (struct gl_cell){(_Atomic uint64_t *)w, (_Atomic uint64_t *)(w + 16)};
}
static inline struct rt_mark *rt_mark(uintptr_t a)
{
    return (struct rt_mark *)((a & RT_ADDRESS_MASK & ~7ull) + RT_MARKS_AT);
}
static inline _Atomic uint8_t *rt_page(uintptr_t a)
{
    return (_Atomic uint8_t *)(((a & RT_ADDRESS_MASK) >> RT_PAGE_SHIFT) + RT_PAGES_AT);
}

/* Per 16 MiB: does a page in it have a flag? */
#define RT_REGION_SHIFT 24
#define RT_REGION (1ul << RT_REGION_SHIFT)
#define RT_REGIONS (1u << (44 - RT_REGION_SHIFT))
extern _Atomic uint8_t rt_regions[RT_REGIONS];
static inline _Atomic uint8_t *rt_region(uintptr_t a) { return &rt_regions[(a & RT_ADDRESS_MASK) >> RT_REGION_SHIFT]; }

/* The page of `a` has the flag from now on. */
void rt_page_mark(uintptr_t a, uint8_t flag);

/* The first page from `page` (page-aligned) below `end` that has the flag; `end` or beyond: none. */
uintptr_t rt_page_next(uintptr_t page, uintptr_t end, uint8_t flag);

/* The table above, by the bits from the 40th on. */
#if defined(__x86_64__)
#define rt_emulated   false /* or as if not */
#define RT_PIE        0x55u
#define RT_PIE_END    0x58u
#define RT_MAPPED     0x78u
#define RT_MAPPED_END 0x80u
#elif defined(__aarch64__)
extern bool rt_emulated; /* by qemu; known before the planes are mapped */
#define RT_PIE        0xaau
#define RT_PIE_END    0xacu
#define RT_MAPPED     (rt_emulated ? 0x78u : 0xfcu)
#define RT_MAPPED_END (rt_emulated ? 0x80u : 0x100u)
#else
#error "where do the addresses of a program of this machine lie?"
#endif

/* Is this an address that a program can have (see the table above)? */
static inline bool rt_address_ok(uintptr_t a)
{
    uintptr_t top = a >> 40;
    return top < 0x05 || (top >= RT_PIE && top < RT_PIE_END) || (top >= RT_MAPPED && top < RT_MAPPED_END);
}

/* Maps the planes; false: the address space or the limits do not allow it. */
bool rt_shadow_map(void);

/* Forgets all accesses to [p, p+n).  used_next: it is memory that the program gets, so its cells keep theirs unless it is very large. */
void rt_shadow_fresh(uintptr_t p, size_t n, bool used_next);

#endif
