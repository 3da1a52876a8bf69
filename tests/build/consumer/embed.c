/* SPDX-License-Identifier: Apache-2.0
 *
 * A stranger's program: tells an installed libgoldilocks about two threads, one ordered and one racing access.
 * Ends with 0 when the verdicts are right.
 */
#define _GNU_SOURCE
#include <goldilocks/goldilocks.h>
#include <goldilocks/version.h>

#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>

static void *map(void *ctx, size_t bytes)
{
    (void)ctx;
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void unmap(void *ctx, void *p, size_t bytes)
{
    (void)ctx;
    munmap(p, bytes);
}

static void wait(void *ctx, unsigned rounds)
{
    (void)ctx, (void)rounds;
    sched_yield();
}

int main(void)
{
    struct goldilocks_env env = {sizeof env, NULL, map, unmap, wait};
    struct goldilocks_report race = {0};
    goldilocks *g = goldilocks_create(&env);
    if (!g)
        return 1;
    int wrong = 0;
    wrong |= goldilocks_write(g, 0, 0x1000, 4, 1, &race) != GOLDILOCKS_OK;
    wrong |= goldilocks_sync(g, 0, GOLDILOCKS_FORK, 1) != GOLDILOCKS_OK;
    wrong |= goldilocks_write(g, 0, 0x2000, 4, 2, &race) != GOLDILOCKS_OK;
    wrong |= goldilocks_read(g, 1, 0x1000, 4, 3, &race) != GOLDILOCKS_OK;
    wrong |= goldilocks_read(g, 1, 0x2000, 4, 4, &race) != GOLDILOCKS_RACE;
    wrong |= race.then_site != 2 || race.then_thread != 0 || !race.then_is_write;
    goldilocks_destroy(g);
    if (wrong)
        fprintf(stderr, "goldilocks %s gave a wrong verdict\n", GOLDILOCKS_VERSION_STRING);
    return wrong;
}
