// SPDX-License-Identifier: Apache-2.0
// A store with a mask writes the numbers that the mask names, and a gathering load reads those that its indices name. Racy: the second thread
// touches one of them; in the twin one between them.
// skip aarch64: they are instructions of x86-64
// peer-skip: compilers do not instrument such intrinsics
#include "tests/programs/invisible.h"
#include <immintrin.h>

int written[8], gathered[64];

__attribute__((target("avx2"))) static NOINLINE void store(int *to) {
    _mm256_maskstore_epi32(to, _mm256_setr_epi32(-1, 0, 0, -1, 0, -1, 0, 0), _mm256_set1_epi32(1)); //@race A1 write 4
}

__attribute__((target("avx2"))) static NOINLINE int gather(const int *from) {
    __m256i all = _mm256_i32gather_epi32(from, _mm256_setr_epi32(0, 9, 18, 27, 36, 45, 54, 63), 4); //@race B1 read 4
    return _mm256_extract_epi32(all, 3);
}

THREAD(first) {
    if (__builtin_cpu_supports("avx2")) {
        store(UNKNOWN(&written[0]));
        USE(gather(UNKNOWN(&gathered[0])));
    } else {
        written[3] = gathered[27];
    }
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(written[racy ? 3 : 4]);    //@race A2 read 4
    gathered[racy ? 27 : 26] = 1;  //@race B2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
