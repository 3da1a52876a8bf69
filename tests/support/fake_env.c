/* SPDX-License-Identifier: Apache-2.0
 *
 * See fake_env.h.  A block lies in its own mapping, and the page before it remembers its size: an
 * unmap with the wrong address or size is noticed before it does harm.
 */
#include "tests/support/fake_env.h"

#include <linux/membarrier.h>
#include <pthread.h>
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
    struct header *next; /* kept of this size */
};

static const char magic[8] = "fakemap", kept_magic[8] = "kept";

/* Kept blocks by their size; a size that finds no row is not kept. */
static struct {
    pthread_mutex_t lock;
    struct {
        size_t bytes;
        struct header *first;
    } row[64];
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct header **row_of(size_t bytes)
{
    for (size_t i = 0; i < sizeof kept.row / sizeof kept.row[0]; i++) {
        if (kept.row[i].bytes == 0)
            kept.row[i].bytes = bytes;
        if (kept.row[i].bytes == bytes)
            return &kept.row[i].first;
    }
    return NULL;
}

/* Zeroes what was ever touched: of a large block this is little. */
static void clear(char *p, size_t bytes)
{
    unsigned char resident[1024];
    size_t pages = (bytes + PAGE - 1) / PAGE;
    if (pages <= 8 || pages > sizeof resident || mincore(p, bytes, resident) != 0) {
        memset(p, 0, bytes);
        return;
    }
    for (size_t i = 0; i < pages; i++)
        if (resident[i] & 1)
            memset(p + i * PAGE, 0, i + 1 < pages ? PAGE : bytes - i * PAGE);
}

static struct header *take_kept(size_t bytes)
{
    pthread_mutex_lock(&kept.lock);
    struct header **row = row_of(bytes), *h = row ? *row : NULL;
    if (h)
        *row = h->next;
    pthread_mutex_unlock(&kept.lock);
    if (h)
        clear((char *)h + PAGE, bytes);
    return h;
}

static bool keep(struct header *h)
{
    pthread_mutex_lock(&kept.lock);
    struct header **row = row_of(h->bytes);
    if (row) {
        memcpy(h->magic, kept_magic, sizeof kept_magic);
        h->next = *row;
        *row = h;
    }
    pthread_mutex_unlock(&kept.lock);
    return row;
}

static void *fake_map(void *ctx, size_t bytes)
{
    struct fake_env *f = ctx;
    unsigned long call = atomic_fetch_add(&f->maps, 1) + 1;
    if (f->fail_at && (call == f->fail_at || (f->fail_from && call > f->fail_at)))
        return NULL;
    struct header *h = f->keeps ? take_kept(bytes) : NULL;
    if (!h)
        h = mmap(NULL, PAGE + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (h == MAP_FAILED)
        return NULL;
    memcpy(h->magic, magic, sizeof magic);
    h->bytes = bytes;
    atomic_fetch_add(&f->blocks, 1);
    atomic_fetch_add(&f->bytes, bytes);
    return (char *)h + PAGE;
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
    if (!f->keeps || !keep(h))
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

void fake_env_init_keeping(struct fake_env *f)
{
    fake_env_init(f);
    f->keeps = true;
}

bool fake_env_is_clean(const struct fake_env *f)
{
    return atomic_load(&f->blocks) == 0 && atomic_load(&f->bytes) == 0 && !atomic_load(&f->wrong);
}
