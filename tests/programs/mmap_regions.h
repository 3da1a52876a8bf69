// SPDX-License-Identifier: Apache-2.0
// Places in a mapping of 160 MiB around which what is known of memory is looked through in other steps: a page of 1 KiB,
// eight of them, a system page, a region of 16 MiB. What is mapped again begins and ends neither at a region nor at eight pages of 1 KiB.
#ifndef TESTS_PROGRAMS_MMAP_REGIONS_H
#define TESTS_PROGRAMS_MMAP_REGIONS_H

#include "tests/programs/invisible.h"
#include <sys/mman.h>

#define REGION (16ul << 20)
#define PAGE 4096ul
#define PLACES 27

__attribute__((unused)) static long where; // of the mapping

__attribute__((unused)) static void *mapped(void *at, size_t n) {
    return mmap(at, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED : 0), -1, 0);
}

// A region's boundary in the mapping, and the bounds of what is mapped again around it.
__attribute__((unused)) static char *boundary(void) { return (char *)(((unsigned long)hidden_get(&where) + 3 * REGION) & ~(REGION - 1)); }
__attribute__((unused)) static char *first_byte(void) { return boundary() - REGION / 2 - 3 * PAGE; }
__attribute__((unused)) static char *end_byte(void) { return boundary() + 5 * REGION + 5 * PAGE; }
// It begins in a region in which nothing is accessed.
__attribute__((unused)) static char *low_first(void) { return boundary() - REGION - REGION / 2; }
__attribute__((unused)) static char *low_end(void) { return first_byte() - 16 * PAGE; }

// Place i: what is there is 64 bytes long and lies whole in the mapping.
__attribute__((unused)) static char *place(int i) {
    static const long steps[] = {-8192, -1088, -1024, -64, 0, 1024, 7168, 8192};
    if (i < 8)
        return boundary() + steps[i];
    if (i < 16)
        return boundary() + 3 * (long)REGION + steps[i - 8];
    switch (i) {
    case 16: return first_byte();
    case 17: return first_byte() + 960;
    case 18: return first_byte() + 1024;
    case 19: return end_byte() - 64;
    case 20: return end_byte() - 1024;
    case 21: return end_byte() - 1088;
    case 22: return boundary() + 5 * REGION - 64;
    case 23: return boundary() + 5 * REGION;
    case 24: return boundary() + REGION; // all that there is in that region
    case 25: return boundary() + 2 * REGION + 8 * 1024; // behind eight pages without anything
    default: return boundary() - REGION;
    }
}

__attribute__((unused)) static void regions_map(void) {
    char *all = mapped(NULL, 10 * REGION);
    MUST(all != MAP_FAILED);
    hidden_put(&where, (long)all);
    MUST(all < low_first() && end_byte() < all + 10 * REGION);
}

__attribute__((unused)) static void renew(char *from, char *end) {
    MUST(munmap(from, (size_t)(end - from)) == 0);
    MUST(mapped(from, (size_t)(end - from)) == from);
}

// Where there is a place it is new memory.
__attribute__((unused)) static void regions_renew(void) {
    renew(low_first(), low_end());
    renew(first_byte(), end_byte());
}

#endif
