// SPDX-License-Identifier: Apache-2.0
// Atomic operations that compilers leave to libatomic publish like others. Racy: relaxed.
// exercises: __atomic_load __atomic_store __atomic_exchange __atomic_compare_exchange
// exercises: __atomic_load_16 __atomic_store_16 __atomic_exchange_16 __atomic_compare_exchange_16
// exercises: __atomic_fetch_add_16 __atomic_fetch_sub_16 __atomic_fetch_and_16 __atomic_fetch_or_16 __atomic_fetch_xor_16 __atomic_fetch_nand_16
#include "tests/programs/invisible.h"
#include <stdint.h>
#include <string.h>

/* By their names, whatever this compiler would make of the builtins. */
typedef unsigned __int128 wide;
#define NAMED(name) __asm__(#name)
void any_load(size_t n, const void *object, void *result, int order) NAMED(__atomic_load);
void any_store(size_t n, void *object, const void *desired, int order) NAMED(__atomic_store);
void any_exchange(size_t n, void *object, const void *desired, void *result, int order) NAMED(__atomic_exchange);
_Bool any_compare(size_t n, void *object, void *expected, const void *desired, int order, int fail) NAMED(__atomic_compare_exchange);
wide load_16(const void *object, int order) NAMED(__atomic_load_16);
void store_16(void *object, wide v, int order) NAMED(__atomic_store_16);
wide exchange_16(void *object, wide v, int order) NAMED(__atomic_exchange_16);
_Bool compare_16(void *object, void *expected, wide v, int order, int fail) NAMED(__atomic_compare_exchange_16);
wide add_16(void *object, wide v, int order) NAMED(__atomic_fetch_add_16);
wide sub_16(void *object, wide v, int order) NAMED(__atomic_fetch_sub_16);
wide and_16(void *object, wide v, int order) NAMED(__atomic_fetch_and_16);
wide or_16(void *object, wide v, int order) NAMED(__atomic_fetch_or_16);
wide xor_16(void *object, wide v, int order) NAMED(__atomic_fetch_xor_16);
wide nand_16(void *object, wide v, int order) NAMED(__atomic_fetch_nand_16);

#define RELEASE (racy ? __ATOMIC_RELAXED : __ATOMIC_RELEASE)

static struct { _Alignas(16) char c[48]; } flag[6];
static _Alignas(16) wide pair[2];
int stored, swapped, compared, aligned, wide_stored, wide_swapped, failed;
char expected_of_all[12];

THREAD(first) {
    char one[40] = {1}, was[40] = {0};
    stored = 1; //@race A1 write 4
    any_store(3, flag[0].c + 1, one, RELEASE);
    swapped = 1; //@race B1 write 4
    any_exchange(12, flag[1].c, one, was, RELEASE);
    MUST(!was[0]);
    compared = 1; //@race C1 write 4
    MUST(any_compare(40, flag[2].c, was, one, RELEASE, __ATOMIC_RELAXED));
    aligned = 1; //@race D1 write 4
    any_store(8, flag[3].c, one, RELEASE);
    wide_stored = 1; //@race E1 write 4
    store_16(&pair[0], 1, RELEASE);
    wide_swapped = 1; //@race F1 write 4
    exchange_16(&pair[1], 1, RELEASE);
    expected_of_all[0] = 1; //@race G1 write 1
    if (!racy)
        any_store(12, flag[4].c, one, __ATOMIC_RELEASE);
    turn_pass();
    return NULL;
}

THREAD(second) {
    char got[40], two[40] = {2};
    wide sixteen = 0;
    turn_wait(1);
    any_load(3, flag[0].c + 1, got, __ATOMIC_ACQUIRE);
    MUST(got[0] == 1);
    USE(stored); //@race A2 read 4
    any_load(12, flag[1].c, got, __ATOMIC_ACQUIRE);
    MUST(got[0] == 1);
    USE(swapped); //@race B2 read 4
    memset(got, 0, sizeof got);
    MUST(!any_compare(40, flag[2].c, got, two, __ATOMIC_RELAXED, __ATOMIC_ACQUIRE) && got[0] == 1);
    USE(compared); //@race C2 read 4
    any_exchange(8, flag[3].c, two, got, __ATOMIC_ACQUIRE);
    MUST(got[0] == 1);
    USE(aligned); //@race D2 read 4
    MUST(load_16(&pair[0], __ATOMIC_ACQUIRE) == 1);
    USE(wide_stored); //@race E2 read 4
    MUST(!compare_16(&pair[1], &sixteen, 7, __ATOMIC_RELAXED, __ATOMIC_ACQUIRE) && sixteen == 1);
    USE(wide_swapped); //@race F2 read 4
    any_load(12, flag[4].c, got, __ATOMIC_ACQUIRE);
    any_compare(12, flag[5].c, expected_of_all, two, __ATOMIC_RELAXED, __ATOMIC_RELAXED); //@race G2 read 12
    return NULL;
}

int main(void) {
    wide w = 12;
    RUN(first, second);
    MUST(add_16(&w, 3, __ATOMIC_SEQ_CST) == 12 && sub_16(&w, 5, __ATOMIC_SEQ_CST) == 15 && and_16(&w, 6, __ATOMIC_SEQ_CST) == 10);
    MUST(or_16(&w, 5, __ATOMIC_SEQ_CST) == 2 && xor_16(&w, 1, __ATOMIC_SEQ_CST) == 7 && nand_16(&w, 2, __ATOMIC_SEQ_CST) == 6);
    MUST(w == ~(wide)2 && compare_16(&w, &(wide){~(wide)2}, 9, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && w == 9);
    return 0;
}
