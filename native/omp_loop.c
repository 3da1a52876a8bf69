/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenMP's ordered loops, and those whose iterations depend on one another, "doacross" (omp.h).
 *
 * All tasks of a team go through the same ordered loops in the same order, so the number of loops that a task has begun names
 * the loop, also where tasks run ahead because the loop has no barrier at its end.
 */
#include "native/omp.h"

/* An iteration that was posted. */
struct rt_omp_post {
    struct rt_chained link;
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

static uint64_t hash_of(const uint64_t *vector, uint32_t dims)
{
    uint64_t h = 0;
    for (uint32_t i = 0; i < dims; i++)
        h = rt_hash(h ^ vector[i]);
    return h;
}

/* NULL: not posted and !make, or no memory. */
static struct rt_omp_post *find(struct rt_omp_loop *loop, const uint64_t *vector, uint32_t dims, bool make)
{
    struct rt_omp_post *post = NULL;
    uint64_t hash = hash_of(vector, dims);
    gl_spin_lock(&loop->lock);
    for (struct rt_chained *at = *rt_chain(&loop->posts, hash); at && !post; at = at->next) {
        struct rt_omp_post *it = (struct rt_omp_post *)at;
        if (it->dims == dims && __builtin_memcmp(it->vector, vector, dims * sizeof *vector) == 0)
            post = it;
    }
    if (!post && make && (post = rt_omp_alloc(size_of(dims)))) {
        post->dims = dims;
        __builtin_memcpy(post->vector, vector, dims * sizeof *vector);
        rt_chain_add(&loop->posts, &post->link, hash);
    }
    gl_spin_unlock(&loop->lock);
    return post;
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
    for (size_t i = 0; i < rt_chains_count(&loop->posts); i++)
        for (struct rt_chained *at = *rt_chain_number(&loop->posts, i), *next; at; at = next) {
            struct rt_omp_post *post = (struct rt_omp_post *)at;
            next = at->next;
            rt_edge_free(&post->edge);
            gl_arena_free(post, size_of(post->dims));
        }
    rt_chains_free(&loop->posts);
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
