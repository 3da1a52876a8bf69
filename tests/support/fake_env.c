/* SPDX-License-Identifier: Apache-2.0
 *
 * See fake_env.h.  A block lies in its own mapping, and the page before it remembers its size: an
 * unmap with the wrong address or size is noticed before it does harm.
 */
#include "tests/support/fake_env.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096 };

struct header {
    char magic[8];
    size_t bytes;
};

static const char magic[8] = "fakemap";

static void *fake_map(void *ctx, size_t bytes)
{
    struct fake_env *f = ctx;
    unsigned long call = atomic_fetch_add(&f->maps, 1) + 1;
    if (f->fail_at && (call == f->fail_at || (f->fail_from && call > f->fail_at)))
        return NULL;
    char *p = mmap(NULL, PAGE + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    struct header *h = (struct header *)p;
    memcpy(h->magic, magic, sizeof magic);
    h->bytes = bytes;
    atomic_fetch_add(&f->blocks, 1);
    atomic_fetch_add(&f->bytes, bytes);
    return p + PAGE;
}

static void fake_unmap(void *ctx, void *at, size_t bytes)
{
    struct fake_env *f = ctx;
    struct header *h = (struct header *)((char *)at - PAGE);
    if (memcmp(h->magic, magic, sizeof magic) != 0 || h->bytes != bytes) {
        atomic_store(&f->wrong, true);
        return;
    }
    atomic_fetch_sub(&f->blocks, 1);
    atomic_fetch_sub(&f->bytes, bytes);
    munmap(h, PAGE + bytes);
}

static void fake_pause(void *ctx, unsigned rounds)
{
    (void)ctx;
    if (rounds > 16)
        sched_yield();
}

static void fake_fence(void *ctx)
{
    (void)ctx;
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
        abort(); /* registered below */
}

void fake_env_init(struct fake_env *f)
{
    memset(f, 0, sizeof *f);
    f->env = (struct gl_env){.ctx = f, .map = fake_map, .unmap = fake_unmap, .pause = fake_pause};
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0)
        f->env.fence = fake_fence;
}

bool fake_env_is_clean(const struct fake_env *f)
{
    return atomic_load(&f->blocks) == 0 && atomic_load(&f->bytes) == 0 && !atomic_load(&f->wrong);
}
