/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of lists, see group.h.
 */
#include "core/group.h"

#include <string.h>

void gl_lists_init(struct gl_lists *l, const struct gl_env *env)
{
    l->env = env;
    l->used = 1;
}

void gl_lists_fini(struct gl_lists *l)
{
    for (uint32_t i = 0; i < GL_LISTS / GL_LIST_CHUNK; i++)
        if (gl_load_relaxed(&l->chunk[i]))
            l->env->unmap(l->env->ctx, gl_load_relaxed(&l->chunk[i]), GL_LIST_CHUNK * sizeof(struct gl_list));
    for (uint32_t k = 0; k < GL_LIST_TABLES; k++) {
        _Atomic uint32_t *bucket = gl_load_relaxed(&l->bucket[k]); /* nobody else is there */
        if (bucket)
            l->env->unmap(l->env->ctx, bucket, gl_list_buckets(k) * sizeof *bucket);
    }
}

uint32_t gl_list_hash(const uint32_t value[GL_GROUP_MAX])
{
    uint64_t h = 0;
    for (uint32_t i = 0; i < GL_GROUP_MAX; i++)
        h = (h ^ value[i]) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
    return (uint32_t)(h >> 32);
}

static struct gl_list *numbered(struct gl_lists *l, uint32_t number)
{
    return gl_load_relaxed(&l->chunk[number / GL_LIST_CHUNK]) + number % GL_LIST_CHUNK; /* under the lock */
}

/* Under the lock.  0: no memory, or too many. */
static uint32_t make(struct gl_lists *l)
{
    if (l->used >= GL_LISTS)
        return 0;
    _Atomic(struct gl_list *) *place = &l->chunk[l->used / GL_LIST_CHUNK];
    if (!gl_load_relaxed(place)) { /* under the lock */
        struct gl_list *chunk = l->env->map(l->env->ctx, GL_LIST_CHUNK * sizeof *chunk);
        if (!chunk)
            return 0;
        gl_store_release(place, chunk); /* pairs with gl_list_at(), gl_list_exists() */
    }
    size_t at = l->used % GL_LIST_CHUNK * sizeof(struct gl_list);
    if (l->used >= GL_ENV_STEP / sizeof(struct gl_list)) /* a short run uses fewer */
        gl_env_ahead(l->env, gl_load_relaxed(place), at, at + sizeof(struct gl_list), GL_LIST_CHUNK * sizeof(struct gl_list));
    return l->used++;
}

/* 0: it is not there, or not yet. */
static uint32_t find(struct gl_lists *l, uint32_t hash, const uint32_t value[GL_GROUP_MAX])
{
    for (uint32_t k = GL_LIST_TABLES; k-- > 0;) {
        _Atomic uint32_t *bucket = gl_load_acquire(&l->bucket[k]); /* pairs with bucket_for() */
        /* acquire: pairs with gl_list_intern() */
        for (uint32_t n = bucket ? gl_load_acquire(&bucket[hash % gl_list_buckets(k)]) : 0; n; n = gl_list_at(l, n)->next)
            if (memcmp(gl_list_at(l, n)->value, value, sizeof gl_list_at(l, n)->value) == 0)
                return n;
    }
    return 0;
}

/* Under the lock: the bucket for a list that is made now.  NULL: no memory. */
static _Atomic uint32_t *bucket_for(struct gl_lists *l, uint32_t hash)
{
    uint32_t k = 0;
    while (k < GL_LIST_TABLES - 1 && l->used > gl_list_buckets(k))
        k++;
    _Atomic uint32_t *bucket = gl_load_relaxed(&l->bucket[k]); /* written under the lock only */
    if (!bucket) {
        size_t bytes = gl_list_buckets(k) * sizeof *bucket;
        bucket = k ? gl_env_map_whole(l->env, bytes) : l->env->map(l->env->ctx, bytes); /* who has filled one will soon have been all over the next */
        if (!bucket)
            return NULL;
        gl_store_release(&l->bucket[k], bucket); /* pairs with find() */
    }
    return &bucket[hash % gl_list_buckets(k)];
}

uint32_t gl_list_intern(struct gl_lists *l, const uint32_t value[GL_GROUP_MAX], bool *made)
{
    uint32_t hash = gl_list_hash(value), number = find(l, hash, value);
    if (number)
        return number;
    gl_lock_take(&l->lock, l->env);
    number = find(l, hash, value);
    _Atomic uint32_t *bucket = number ? NULL : bucket_for(l, hash);
    if (bucket && (number = make(l))) {
        struct gl_list *x = numbered(l, number);
        memcpy(x->value, value, sizeof x->value);
        x->next = gl_load_relaxed(bucket); /* under the lock */
        gl_store_release(bucket, number);  /* pairs with find() */
        if (made)
            *made = true;
    }
    gl_lock_drop(&l->lock); /* who reads the number from a cell sees the list: gl_cell_unlock() */
    return number;
}

uint32_t gl_group_intern(struct gl_lists *l, const uint32_t halves[GL_GROUP_MAX], bool *made)
{
    uint32_t number = gl_list_intern(l, halves, made), mask = 0;
    for (uint32_t i = 0; i < GL_GROUP_MAX; i++)
        mask |= gl_half_mask(halves[i]);
    return number ? gl_half(GL_GROUP_FIRST + number, 0, mask) : 0;
}
