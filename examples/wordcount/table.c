/* SPDX-License-Identifier: Apache-2.0
 *
 * The striped hash table: open addressing inside each stripe, doubled when three quarters full.
 */
#include "table.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRIPES = 16, FIRST_SLOTS = 32 };

struct stripe {
    pthread_mutex_t lock;
    struct word *slots; /* guarded by lock, like all below; text == NULL: empty */
    size_t capacity;    /* power of two */
    size_t used;
};

struct table {
    struct stripe stripes[STRIPES];
};

static void *must_calloc(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p) {
        fputs("wordcount: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

/* FNV-1a */
static uint64_t hash_of(const char *word, size_t length)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)word[i]) * 1099511628211u;
    return h;
}

struct table *table_new(void)
{
    struct table *t = must_calloc(1, sizeof *t);
    for (int i = 0; i < STRIPES; i++) {
        struct stripe *s = &t->stripes[i];
        pthread_mutex_init(&s->lock, NULL);
        s->capacity = FIRST_SLOTS;
        s->slots = must_calloc(s->capacity, sizeof *s->slots);
    }
    return t;
}

void table_free(struct table *t)
{
    for (int i = 0; i < STRIPES; i++) {
        struct stripe *s = &t->stripes[i];
        for (size_t k = 0; k < s->capacity; k++) free(s->slots[k].text);
        free(s->slots);
        pthread_mutex_destroy(&s->lock);
    }
    free(t);
}

/* The slot of this word, or the empty one where it belongs.  There is always an empty one. */
static struct word *find_locked(struct word *slots, size_t capacity, uint64_t hash, const char *word,
                                size_t length)
{
    for (size_t i = hash / STRIPES;; i++) {
        struct word *w = &slots[i & (capacity - 1)];
        if (!w->text || (strncmp(w->text, word, length) == 0 && w->text[length] == 0)) return w;
    }
}

static void grow_locked(struct stripe *s)
{
    size_t capacity = s->capacity * 2;
    struct word *slots = must_calloc(capacity, sizeof *slots);
    for (size_t i = 0; i < s->capacity; i++) {
        struct word *w = &s->slots[i];
        if (!w->text) continue;
        size_t length = strlen(w->text);
        *find_locked(slots, capacity, hash_of(w->text, length), w->text, length) = *w;
    }
    free(s->slots);
    s->slots = slots;
    s->capacity = capacity;
}

void table_add(struct table *t, const char *word, size_t length)
{
    uint64_t hash = hash_of(word, length);
    struct stripe *s = &t->stripes[hash % STRIPES];
    pthread_mutex_lock(&s->lock);
    if (s->used * 4 >= s->capacity * 3) grow_locked(s);
    struct word *w = find_locked(s->slots, s->capacity, hash, word, length);
    if (!w->text) {
        w->text = must_calloc(length + 1, 1);
        memcpy(w->text, word, length);
        s->used++;
    }
    w->count++;
    pthread_mutex_unlock(&s->lock);
}

static int more_frequent_first(const void *a, const void *b)
{
    const struct word *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return strcmp(x->text, y->text);
}

struct word *table_sorted(struct table *t, size_t *count)
{
    size_t total = 0;
    for (int i = 0; i < STRIPES; i++) total += t->stripes[i].used;
    struct word *all = must_calloc(total + 1, sizeof *all);
    *count = 0;
    for (int i = 0; i < STRIPES; i++) {
        const struct stripe *s = &t->stripes[i];
        for (size_t k = 0; k < s->capacity; k++)
            if (s->slots[k].text) all[(*count)++] = s->slots[k];
    }
    qsort(all, *count, sizeof *all, more_frequent_first);
    return all;
}
