/* SPDX-License-Identifier: Apache-2.0
 *
 * Side records, see side.h.
 */
#include "core/side.h"

void gl_sides_init(struct gl_sides *s, const struct gl_env *env)
{
    s->env = env;
    s->next = 1;
}

static struct gl_side *take_units(struct gl_sides *s, unsigned cls)
{
    uint32_t units = 1u << cls, at = s->next;
    if (at % GL_SIDE_CHUNK + units > GL_SIDE_CHUNK) /* a record lies in one chunk; the rest is wasted */
        at = (at / GL_SIDE_CHUNK + 1) * GL_SIDE_CHUNK;
    uint32_t k = at / GL_SIDE_CHUNK;
    if (k >= GL_SIDE_CHUNKS)
        return NULL;
    char *chunk = gl_load_relaxed(&s->chunk[k]); /* written under the lock only */
    if (!chunk) {
        chunk = s->env->map(s->env->ctx, (size_t)GL_SIDE_CHUNK * GL_SIDE_UNIT);
        if (!chunk)
            return NULL;
        gl_store_release(&s->chunk[k], chunk); /* pairs with gl_side_at() */
    }
    s->next = at + units;
    size_t from = (size_t)(at % GL_SIDE_CHUNK) * GL_SIDE_UNIT;
    if (at >= GL_ENV_STEP / GL_SIDE_UNIT) /* a short run uses fewer */
        gl_env_ahead(s->env, chunk, from, from + units * GL_SIDE_UNIT, (size_t)GL_SIDE_CHUNK * GL_SIDE_UNIT);
    struct gl_side *r = (struct gl_side *)(chunk + from);
    r->self = at;
    return r;
}

/* Under the lock. */
static struct gl_side *take(struct gl_sides *s, unsigned cls)
{
    struct gl_side *r;
    if (s->free[cls]) {
        r = gl_side_at(s, s->free[cls]);
        s->free[cls] = r->entry[0].half;
    } else {
        r = take_units(s, cls);
    }
    if (r) {
        r->cls = cls & 15;
        r->full = 0;
        gl_side_changes(r);
        if (++s->live > s->most)
            s->most = s->live;
    }
    return r;
}

static void give(struct gl_sides *s, struct gl_side *r)
{
    gl_side_set_counts(r, 0, 0); /* nothing for gl_side_hit() */
    r->entry[0].half = s->free[r->cls];
    s->free[r->cls] = r->self;
    s->live--;
}

struct gl_side *gl_side_alloc(struct gl_sides *s, uint32_t n)
{
    unsigned cls = 0;
    while (gl_side_capacity(cls) < n)
        cls++;
    if (cls >= GL_SIDE_CLASSES)
        return NULL;
    gl_lock_take(&s->lock, s->env);
    struct gl_side *r = take(s, cls);
    gl_lock_drop(&s->lock);
    return r;
}

void gl_side_free(struct gl_sides *s, struct gl_side *r)
{
    gl_side_free_many(s, &r, 1);
}

uint32_t gl_side_alloc_many(struct gl_sides *s, struct gl_side **out, uint32_t n)
{
    uint32_t k = 0;
    gl_lock_take(&s->lock, s->env);
    while (k < n && (out[k] = take(s, 0)))
        k++;
    gl_lock_drop(&s->lock);
    return k;
}

void gl_side_free_many(struct gl_sides *s, struct gl_side **r, uint32_t n)
{
    gl_lock_take(&s->lock, s->env);
    for (uint32_t i = 0; i < n; i++)
        give(s, r[i]);
    gl_lock_drop(&s->lock);
}

void gl_sides_fini(struct gl_sides *s)
{
    for (uint32_t i = 0; i < GL_SIDE_CHUNKS && i <= s->next / GL_SIDE_CHUNK; i++) /* the rest was never touched, and stays so */
        if (gl_load_relaxed(&s->chunk[i]))
            s->env->unmap(s->env->ctx, gl_load_relaxed(&s->chunk[i]), (size_t)GL_SIDE_CHUNK * GL_SIDE_UNIT);
}
