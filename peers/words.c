/* SPDX-License-Identifier: Apache-2.0
 *
 * See words.h.
 */
#include "peers/words.h"

#include <string.h>

#define PAGE_BITS 8 /* log2 of the bytes in a page */
#define PAGE_WORDS (1u << (PAGE_BITS - 2))

struct gl_page {
    struct gl_page *next; /* of all */
    uint64_t number;      /* address >> PAGE_BITS */
    struct gl_piece *word[PAGE_WORDS];
};

static struct gl_page *find_page(struct gl_words *w, uint64_t number)
{
    if (w->latest && w->latest->number == number)
        return w->latest;
    struct gl_page *p = (struct gl_page *)(uintptr_t)gl_map_find(&w->pages, number);
    if (p)
        w->latest = p;
    return p;
}

struct gl_piece **gl_words_at(struct gl_words *w, uint64_t word)
{
    uint64_t number = word >> PAGE_BITS;
    struct gl_page *p = find_page(w, number);
    if (!p) {
        if (!(p = gl_pool_take(w->pool, sizeof *p)))
            return NULL;
        if (!gl_map_add(&w->pages, w->pool, number, (uintptr_t)p)) {
            gl_pool_give(w->pool, p, sizeof *p);
            return NULL;
        }
        p->number = number;
        p->next = w->all;
        w->all = w->latest = p;
        w->n_pages++;
    }
    return &p->word[word >> 2 & (PAGE_WORDS - 1)];
}

/* Up to four new pieces, all or none. */
static bool take_pieces(struct gl_words *w, struct gl_piece *taken[4], unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!(taken[i] = gl_pool_take(w->pool, w->piece_bytes))) {
            while (i-- > 0)
                gl_pool_give(w->pool, taken[i], w->piece_bytes);
            return false;
        }
    return true;
}

unsigned gl_words_split(struct gl_words *w, uint64_t word, unsigned mask, struct gl_piece *found[4])
{
    struct gl_piece **first = gl_words_at(w, word), *taken[4];
    unsigned n = 0, left = mask, need = 0;
    if (!first)
        return 0;
    for (struct gl_piece *p = *first; p; p = p->next) {
        left &= ~(unsigned)p->bytes;
        need += p->bytes & mask && p->bytes & ~mask;
    }
    need += left != 0;
    if (!take_pieces(w, taken, need))
        return 0;
    for (struct gl_piece *p = *first; p; p = p->next) {
        unsigned part = p->bytes & mask;
        if (!part)
            continue;
        struct gl_piece *q = p;
        if (part != p->bytes) {
            q = taken[--need];
            memcpy(q, p, w->piece_bytes);
            q->copied = true;
            q->bytes = (uint8_t)part;
            q->next = *first; /* before p: not met again */
            *first = q;
            p->bytes &= (uint8_t)~part;
        }
        found[n++] = q;
    }
    if (left) {
        struct gl_piece *q = taken[--need];
        q->bytes = (uint8_t)left;
        q->next = *first;
        *first = q;
        found[n++] = q;
    }
    return n;
}

static void clear_page(struct gl_words *w, struct gl_page *page, uint64_t object, uint64_t size,
                       gl_piece_fn *forget, void *ctx)
{
    for (unsigned i = 0; i < PAGE_WORDS; i++) {
        uint64_t word = (page->number << PAGE_BITS) + i * 4;
        unsigned mask = 0;
        for (unsigned b = 0; b < 4; b++)
            if (word + b - object < size)
                mask |= 1u << b;
        for (struct gl_piece **link = &page->word[i], *p; (p = *link);) {
            p->bytes &= (uint8_t)~mask;
            if (p->bytes) {
                link = &p->next;
                continue;
            }
            *link = p->next;
            if (forget)
                forget(ctx, p);
            gl_pool_give(w->pool, p, w->piece_bytes);
        }
    }
}

void gl_words_clear(struct gl_words *w, uint64_t object, uint64_t size, gl_piece_fn *forget, void *ctx)
{
    if (!size)
        return;
    uint64_t first = object >> PAGE_BITS, last = (object + size - 1) >> PAGE_BITS;
    if (last - first >= w->n_pages) { /* wide, or around the end of the address space */
        for (struct gl_page *p = w->all; p; p = p->next)
            clear_page(w, p, object, size, forget, ctx);
        return;
    }
    for (uint64_t n = first; n <= last; n++) {
        struct gl_page *p = find_page(w, n);
        if (p)
            clear_page(w, p, object, size, forget, ctx);
    }
}

void gl_verdict_note(struct gl_verdict *v, const struct gl_event *e, const struct gl_span *s, unsigned mask,
                     struct gl_race_access now, struct gl_race_access then, unsigned then_bytes)
{
    unsigned lowest = s->index + (unsigned)__builtin_ctz(mask);
    for (unsigned b = 0; b < 4; b++)
        if ((mask >> b & 1) && s->index + b < 64)
            v->race.bytes |= (uint64_t)1 << (s->index + b);
    if (v->raced && lowest >= v->lowest)
        return;
    v->raced = true;
    v->lowest = lowest;
    v->race.object = e->object;
    v->race.now = now;
    v->race.then = then;
    v->race.then_bytes = (uint8_t)then_bytes;
}

gl_status gl_verdict_status(const struct gl_verdict *v, struct gl_race *race)
{
    if (v->raced && race)
        *race = v->race;
    return v->raced ? GL_RACE : v->nomem ? GL_NOMEM : GL_OK;
}
