/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of locks held, see holds.h.  A list is its words and a 0.
 */
#include "core/holds.h"

void gl_holds_init(struct gl_holds *h, const struct gl_env *env) { h->env = env; }

void gl_holds_fini(struct gl_holds *h)
{
    for (uint32_t i = 0; i < GL_HOLDS_CHUNKS && i <= h->next / GL_HOLDS_CHUNK; i++) { /* the rest was never touched, and stays so */
        _Atomic uint32_t *chunk = gl_load_relaxed(&h->chunk[i]);
        if (chunk)
            h->env->unmap(h->env->ctx, chunk, GL_HOLDS_CHUNK * sizeof *chunk);
    }
}

void gl_holds_hand_free(struct gl_holds *h, struct gl_holds_hand *hand)
{
    if (hand->known)
        h->env->unmap(h->env->ctx, hand->known, GL_HOLDS_KNOWN * sizeof *hand->known);
}

static inline _Atomic uint32_t *word_at(struct gl_holds *h, uint32_t number)
{
    return gl_load_acquire(&h->chunk[number / GL_HOLDS_CHUNK]) +
           number % GL_HOLDS_CHUNK; /* pairs with take() */
}

/* The first of GL_HOLDS_BATCH words, never 0, all in one chunk; 0: no memory. */
static uint32_t take(struct gl_holds *h)
{
    gl_lock_take(&h->lock, h->env);
    if (h->free) {
        uint32_t freed = h->free;
        _Atomic uint32_t *w = word_at(h, freed);
        h->free = gl_load_relaxed(w); /* guarded by the lock while free */
        gl_lock_drop(&h->lock);
        for (uint32_t i = 0; i < GL_HOLDS_BATCH; i++)
            gl_store_relaxed(&w[i], 0); /* not published */
        return freed;
    }
    uint32_t first = h->next ? h->next : GL_HOLDS_BATCH; /* 0 means none */
    bool ok = first / GL_HOLDS_CHUNK < GL_HOLDS_CHUNKS;
    if (ok) {
        _Atomic(_Atomic uint32_t *) *place = &h->chunk[first / GL_HOLDS_CHUNK];
        if (!gl_load_relaxed(place)) /* written under the lock only */
            gl_store_release(
                place, h->env->map(h->env->ctx,
                                   GL_HOLDS_CHUNK * sizeof(_Atomic uint32_t))); /* pairs with word_at() */
        _Atomic uint32_t *chunk = gl_load_relaxed(place);
        ok = chunk != NULL;
        if (ok) {
            const size_t word = sizeof *chunk, from = first % GL_HOLDS_CHUNK * word;
            if (first * word >= GL_ENV_STEP) /* few locks need none of it */
                gl_env_ahead(h->env, (void *)chunk, from, from + GL_HOLDS_BATCH * word, GL_HOLDS_CHUNK * word);
            h->next = first + GL_HOLDS_BATCH;
        }
    }
    gl_lock_drop(&h->lock);
    return ok ? first : 0;
}

static bool is_list(struct gl_holds *h, uint32_t number, const uint32_t *words, uint32_t n)
{
    const _Atomic uint32_t *w = word_at(h, number);
    for (uint32_t i = 0; i < n; i++)
        if (gl_load_relaxed(&w[i]) != words[i]) /* relaxed: the thread wrote it itself */
            return false;
    return gl_load_relaxed(&w[n]) == 0;
}

uint32_t gl_holds_list(struct gl_holds *h, struct gl_holds_hand *hand, const uint32_t *words, uint32_t n)
{
    uint32_t hash = 0, none = 0, *place = &none;
    for (uint32_t i = 0; i < n; i++)
        hash = (hash ^ words[i]) * 0x9E3779B1u;
    if (!hand->known)
        hand->known = h->env->map(h->env->ctx, GL_HOLDS_KNOWN * sizeof *hand->known);
    if (hand->known) /* else lists are made more often */
        place = &hand->known[hash >> 16 & (GL_HOLDS_KNOWN - 1)];
    if (*place && is_list(h, *place, words, n))
        return *place;
    if (hand->room < n + 1) {
        uint32_t first = take(h);
        if (!first)
            return 0;
        hand->next = first;
        hand->room = GL_HOLDS_BATCH;
    }
    uint32_t number = hand->next;
    _Atomic uint32_t *w = word_at(h, number);
    for (uint32_t i = 0; i < n; i++)
        gl_store_relaxed(&w[i], words[i]); /* relaxed: published with the number; behind it is a 0 */
    hand->next += n + 1;
    hand->room -= n + 1;
    *place = number;
    return number;
}

uint32_t gl_holds_read(struct gl_holds *h, uint32_t number, uint32_t *words, uint32_t most)
{
    const _Atomic uint32_t *w = word_at(h, number);
    uint32_t n = 0;
    while (n < most &&
           (words[n] = gl_load_relaxed(&w[n])) != 0) /* relaxed: whole before its number was told */
        n++;
    return n;
}

/* ---- a sweep ---- */

static bool is_used(const uint64_t *used, uint32_t number)
{
    return used[number / GL_HOLDS_BATCH / 64] >> number / GL_HOLDS_BATCH % 64 & 1;
}

void gl_holds_use_hand(const struct gl_holds_hand *hand, uint64_t *used)
{
    if (hand->room)
        gl_holds_use(used, hand->next);
}

void gl_holds_hand_forget(const struct gl_holds_hand *hand, const uint64_t *used)
{
    for (uint32_t i = 0; hand->known && i < GL_HOLDS_KNOWN; i++)
        if (!is_used(used, hand->known[i]))
            hand->known[i] = 0;
}

uint32_t gl_holds_free(struct gl_holds *h, const uint64_t *used)
{
    uint32_t n = 0;
    gl_lock_take(&h->lock, h->env);
    h->free = 0;
    for (uint32_t first = h->next; first > GL_HOLDS_BATCH;) { /* the first is taken first */
        first -= GL_HOLDS_BATCH;
        if (is_used(used, first))
            continue;
        gl_store_relaxed(word_at(h, first), h->free); /* relaxed: nobody else is here */
        h->free = first;
        n++;
    }
    gl_lock_drop(&h->lock);
    return n;
}
