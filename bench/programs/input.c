/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes MEGABYTES of input for compressors to standard output, the same bytes everywhere: stretches of text
 * (words, frequent ones much more often), of binary records (counters, small deltas, repeated fields)
 * and a few that nothing can compress, so that every path of the compressor gets its share.
 */
#include "bench/kernels/kernel.h"

#include <string.h>

#define STRETCH 65536 /* bytes of one kind */
#define WORDS 8192

static char word[WORDS][12];
static unsigned char stretch[STRETCH];

static void fill_text(uint64_t *random)
{
    for (size_t at = 0; at < STRETCH;) {
        if (at > 256 && kernel_random(random) % 4 == 0) { /* a phrase again */
            size_t from = kernel_random(random) % (at - 64);
            for (size_t n = 16 + kernel_random(random) % 48; n && at < STRETCH; n--)
                stretch[at++] = stretch[from++];
            continue;
        }
        uint64_t w = kernel_random(random) % WORDS; /* low numbers are frequent, as in a language */
        w = w * (kernel_random(random) % WORDS) / WORDS;
        w = w * (kernel_random(random) % WORDS) / WORDS;
        for (const char *c = word[w]; *c && at < STRETCH; c++)
            stretch[at++] = (unsigned char)*c;
        if (at < STRETCH)
            stretch[at++] = kernel_random(random) % 12 ? ' ' : '\n';
    }
}

static void fill_records(uint64_t *random)
{
    uint32_t serial = kernel_random(random), clock = kernel_random(random);
    for (size_t at = 0; at + 16 <= STRETCH; at += 16) {
        clock += kernel_random(random) % 32;
        uint32_t record[4] = {serial++, clock, kernel_random(random) % 8, kernel_random(random) % 100};
        for (size_t i = 0; i < 16; i++) /* little-endian on every machine */
            stretch[at + i] = (unsigned char)(record[i / 4] >> 8 * (i % 4));
    }
}

static void fill_noise(uint64_t *random)
{
    for (size_t at = 0; at < STRETCH; at++)
        stretch[at] = (unsigned char)kernel_random(random);
}

int main(int argc, char **argv)
{
    size_t left = kernel_size(argc, argv, 1, 60, 1, 4096) * 1000000;
    uint64_t random = kernel_seed(0);
    for (size_t w = 0; w < WORDS; w++)
        for (size_t n = 2 + kernel_random(&random) % 9; n; n--)
            word[w][n - 1] = (char)('a' + kernel_random(&random) % 26);
    while (left) {
        uint32_t kind = kernel_random(&random) % 32;
        if (kind < 18)
            fill_text(&random);
        else if (kind < 31)
            fill_records(&random);
        else
            fill_noise(&random);
        size_t n = left < STRETCH ? left : STRETCH;
        if (fwrite(stretch, 1, n, stdout) != n) {
            perror("input");
            return 2;
        }
        left -= n;
    }
    return fflush(stdout) ? 2 : 0;
}
