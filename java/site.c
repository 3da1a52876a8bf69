/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of sites: chunks that never move, so that a number is looked up without a lock, and a set of strings.
 */
#include "java/site.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/atomic.h"

#define CHUNK 4096u
#define CHUNKS 4096u

static struct {
    pthread_mutex_t lock; /* guards the rest, but for reading `chunk`, `used` and `lacking` */
    _Atomic uint32_t used;
    _Atomic bool lacking;
    _Atomic(struct gl_j_site *) chunk[CHUNKS];
    char **slot; /* open addressing, at most half full */
    uint32_t slots, strings;
    uint32_t *place; /* numbers by what their sites say; open addressing, at most half full */
    uint32_t place_slots, places;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint32_t hash_of(const char *s)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    while (*s) h = (h ^ (unsigned char)*s++) * 16777619u;
    return h;
}

static bool grow_locked(void)
{
    uint32_t slots = table.slots ? table.slots * 2 : 1024;
    char **fresh = calloc(slots, sizeof *fresh);
    if (!fresh) return false;
    for (uint32_t i = 0; i < table.slots; i++) {
        if (!table.slot[i]) continue;
        uint32_t at = hash_of(table.slot[i]) & (slots - 1);
        while (fresh[at]) at = (at + 1) & (slots - 1);
        fresh[at] = table.slot[i];
    }
    free(table.slot);
    table.slot = fresh;
    table.slots = slots;
    return true;
}

static const char *intern_locked(const char *text)
{
    if (table.strings * 2 >= table.slots && !grow_locked()) return NULL;
    uint32_t at = hash_of(text) & (table.slots - 1);
    for (; table.slot[at]; at = (at + 1) & (table.slots - 1))
        if (strcmp(table.slot[at], text) == 0) return table.slot[at];
    char *copy = strdup(text);
    if (!copy) return NULL;
    table.slot[at] = copy;
    table.strings++;
    return copy;
}

const char *gl_j_intern(const char *text)
{
    pthread_mutex_lock(&table.lock);
    const char *s = intern_locked(text);
    pthread_mutex_unlock(&table.lock);
    return s;
}

/* Interns *s; true also for NULL, which stays. */
static bool keep_locked(const char **s)
{
    return !*s || (*s = intern_locked(*s));
}

static uint32_t add_locked(struct gl_j_site site)
{
    uint32_t number = gl_load_relaxed(&table.used) + 1; /* relaxed: only the lock's holder writes it */
    if (number / CHUNK >= CHUNKS) return 0;
    if (!keep_locked(&site.class_name) || !keep_locked(&site.method) || !keep_locked(&site.method_desc) ||
        !keep_locked(&site.file) || !keep_locked(&site.owner) || !keep_locked(&site.field) || !keep_locked(&site.field_desc))
        return 0;
    _Atomic(struct gl_j_site *) *place = &table.chunk[number / CHUNK];
    struct gl_j_site *chunk = gl_load_relaxed(place); /* relaxed: as above */
    if (!chunk) {
        chunk = calloc(CHUNK, sizeof *chunk);
        if (!chunk) return 0;
        gl_store_release(place, chunk); /* pairs with gl_j_site() */
    }
    chunk[number % CHUNK] = site;
    gl_store_release(&table.used, number); /* pairs with gl_j_site() */
    return number;
}

uint32_t gl_j_site_add(const struct gl_j_site *site)
{
    pthread_mutex_lock(&table.lock);
    uint32_t number = add_locked(*site);
    if (!number) gl_store_relaxed(&table.lacking, true); /* relaxed: asked at the end */
    pthread_mutex_unlock(&table.lock);
    return number;
}

const struct gl_j_site *gl_j_site(uint32_t number)
{
    if (number == 0 || number > gl_load_acquire(&table.used)) return NULL; /* pairs with add_locked() */
    return gl_load_acquire(&table.chunk[number / CHUNK]) + number % CHUNK; /* pairs with add_locked() */
}

/* Strings are kept once, so that equal ones are at one address. */
static bool says_the_same(const struct gl_j_site *a, const struct gl_j_site *b)
{
    return a->class_name == b->class_name && a->method == b->method && a->method_desc == b->method_desc && a->file == b->file &&
           a->owner == b->owner && a->field == b->field && a->field_desc == b->field_desc && a->line == b->line && a->bci == b->bci &&
           a->op == b->op && a->write == b->write;
}

/* The slot with the same site, or the free one where it belongs. */
static uint32_t *place_of(uint32_t *all, uint32_t slots, const struct gl_j_site *site)
{
    uint32_t at = (hash_of(site->class_name) * 31 + hash_of(site->method) + site->bci) * 0x9E3779B1u;
    for (at &= slots - 1; all[at] && !says_the_same(gl_j_site(all[at]), site); at = (at + 1) & (slots - 1))
        ;
    return &all[at];
}

static bool grow_places_locked(void)
{
    uint32_t slots = table.place_slots ? 2 * table.place_slots : 256, *fresh = calloc(slots, sizeof *fresh);
    if (!fresh) return false;
    for (uint32_t i = 0; i < table.place_slots; i++)
        if (table.place[i]) *place_of(fresh, slots, gl_j_site(table.place[i])) = table.place[i];
    free(table.place);
    table.place = fresh;
    table.place_slots = slots;
    return true;
}

uint32_t gl_j_site_place(uint32_t number)
{
    const struct gl_j_site *site = gl_j_site(number);
    if (!site) return number;
    pthread_mutex_lock(&table.lock);
    if (2 * table.places < table.place_slots || grow_places_locked()) {
        uint32_t *place = place_of(table.place, table.place_slots, site);
        if (!*place) {
            *place = number;
            table.places++;
        }
        number = *place;
    }
    pthread_mutex_unlock(&table.lock);
    return number;
}

uint32_t gl_j_sites(void)
{
    return gl_load_acquire(&table.used); /* pairs with add_locked() */
}

bool gl_j_sites_lacking(void)
{
    return gl_load_relaxed(&table.lacking); /* relaxed: a flag that is never taken back */
}
