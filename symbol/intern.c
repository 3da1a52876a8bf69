/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table of strings in arena memory; entries are never removed.
 */
#include "symbol/intern.h"

#include <stdint.h>
#include <string.h>

#include "platform/platform.h"

struct interned {
    struct interned *next;
    size_t n;
    char text[];
};

enum { BUCKETS = 2048 };
static struct interned *bucket[BUCKETS]; /* guarded by the symbolizer's lock (lines.c) */

const char *gl_intern_locked(const char *s, size_t n)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)s[i]) * 16777619u;
    struct interned **head = &bucket[hash % BUCKETS];
    for (struct interned *e = *head; e; e = e->next)
        if (e->n == n && memcmp(e->text, s, n) == 0)
            return e->text;
    struct interned *e = gl_arena_alloc(sizeof *e + n + 1);
    if (!e)
        return NULL;
    e->n = n;
    memcpy(e->text, s, n); /* the arena's memory is zero: terminated */
    e->next = *head;
    *head = e;
    return e->text;
}
