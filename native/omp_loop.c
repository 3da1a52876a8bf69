/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenMP's ordered loops, and those whose iterations depend on one another, "doacross" (omp.h).
 *
 * All tasks of a team go through the same ordered loops in the same order, so the number of loops that a task has begun names
 * the loop, also where tasks run ahead because the loop has no barrier at its end.
 */
#include "native/omp.h"

#define FIRST_BUCKETS 64u

/* An iteration that was posted. */
struct rt_omp_post {
    struct rt_omp_post *next;
    struct rt_edge edge;
    uint32_t dims;
    uint64_t vector[];
};

void rt_omp_loop_begin(struct rt_omp_task *task, uint32_t dims)
{
    if (!task)
        return;
    task->loops++;
    task->dims = dims;
}

struct rt_omp_loop *rt_omp_loop_of(const struct rt_omp_task *task)
{
    if (!task || !task->loops)
        return NULL;
    struct rt_omp_team *team = task->team;
    gl_spin_lock(&team->lock);
    struct rt_omp_loop *loop = team->loops;
    while (loop && loop->number != task->loops)
        loop = loop->next;
    if (!loop && (loop = rt_omp_alloc(sizeof *loop))) {
        loop->number = task->loops;
        loop->next = team->loops;
        __atomic_store_n(&team->loops, loop, __ATOMIC_RELAXED); /* relaxed: see rt_omp_passed() */
    }
    gl_spin_unlock(&team->lock);
    return loop;
}

static size_t size_of(uint32_t dims)
{
    return sizeof(struct rt_omp_post) + dims * sizeof(uint64_t);
}

static struct rt_omp_post **bucket_of(struct rt_omp_post **bucket, uint32_t n, const uint64_t *vector, uint32_t dims)
{
    uint64_t h = 0;
    for (uint32_t i = 0; i < dims; i++)
        h = (h ^ vector[i]) * 0x9E3779B97F4A7C15ull;
    return &bucket[(h >> 32) & (n - 1)];
}

static void grow(struct rt_omp_loop *loop)
{
    uint32_t n = loop->n_buckets ? 2 * loop->n_buckets : FIRST_BUCKETS;
    struct rt_omp_post **bucket = rt_omp_alloc(n * sizeof *bucket);
    if (!bucket)
        return;
    for (uint32_t i = 0; i < loop->n_buckets; i++)
        for (struct rt_omp_post *at = loop->posts[i], *next; at; at = next) {
            next = at->next;
            struct rt_omp_post **to = bucket_of(bucket, n, at->vector, at->dims);
            at->next = *to;
            *to = at;
        }
    if (loop->posts)
        gl_arena_free(loop->posts, loop->n_buckets * sizeof *loop->posts);
    loop->posts = bucket;
    loop->n_buckets = n;
}

/* NULL: not posted and !make, or no memory. */
static struct rt_omp_post *find(struct rt_omp_loop *loop, const uint64_t *vector, uint32_t dims, bool make)
{
    gl_spin_lock(&loop->lock);
    if (make && loop->n_posts >= loop->n_buckets)
        grow(loop);
    struct rt_omp_post *at = NULL, **link = loop->n_buckets ? bucket_of(loop->posts, loop->n_buckets, vector, dims) : NULL;
    if (link)
        for (at = *link; at; at = at->next)
            if (at->dims == dims && __builtin_memcmp(at->vector, vector, dims * sizeof *vector) == 0)
                break;
    if (!at && link && make && (at = rt_omp_alloc(size_of(dims)))) {
        at->dims = dims;
        __builtin_memcpy(at->vector, vector, dims * sizeof *vector);
        at->next = *link;
        *link = at;
        loop->n_posts++;
    }
    gl_spin_unlock(&loop->lock);
    return at;
}

void rt_omp_post(struct rt_thread *t, struct rt_omp_task *task, const uint64_t *vector, uint32_t dims, uintptr_t pc)
{
    struct rt_omp_loop *loop = rt_omp_loop_of(task);
    struct rt_omp_post *post = loop ? find(loop, vector, dims, true) : NULL;
    if (post)
        rt_edge_release(t, &post->edge, pc);
}

void rt_omp_wait(struct rt_thread *t, struct rt_omp_task *task, const uint64_t *vector, uint32_t dims, uintptr_t pc)
{
    struct rt_omp_loop *loop = rt_omp_loop_of(task);
    struct rt_omp_post *post = loop ? find(loop, vector, dims, false) : NULL;
    if (post)
        rt_edge_acquire(t, &post->edge, pc);
}

static void loop_free(struct rt_omp_loop *loop)
{
    for (uint32_t i = 0; i < loop->n_buckets; i++)
        for (struct rt_omp_post *at = loop->posts[i], *next; at; at = next) {
            next = at->next;
            rt_edge_free(&at->edge);
            gl_arena_free(at, size_of(at->dims));
        }
    if (loop->posts)
        gl_arena_free(loop->posts, loop->n_buckets * sizeof *loop->posts);
    rt_edge_free(&loop->ordered);
    rt_sync_destroy(NULL, (uintptr_t)&loop->ordered, RT_USER, 0); /* the tool's gate there */
    gl_arena_free(loop, sizeof *loop);
}

void rt_omp_loops_free(struct rt_omp_team *team, uint32_t before)
{
    struct rt_omp_loop *gone = NULL;
    gl_spin_lock(&team->lock);
    for (struct rt_omp_loop **link = &team->loops, *loop; (loop = *link);) {
        if (loop->number < before) {
            __atomic_store_n(link, loop->next, __ATOMIC_RELAXED); /* relaxed: see rt_omp_passed() */
            loop->next = gone;
            gone = loop;
        } else {
            link = &loop->next;
        }
    }
    gl_spin_unlock(&team->lock);
    for (struct rt_omp_loop *next; gone; gone = next) {
        next = gone->next;
        loop_free(gone);
    }
}
