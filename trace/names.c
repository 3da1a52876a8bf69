/* SPDX-License-Identifier: Apache-2.0
 *
 * The interner.  Per kind: an open-addressing table of (hash, number) and an array of names by number; the characters
 * lie in blocks that never move, so that a name stays where it is until the end.
 *
 * The dense space of data is made of pages of 4096 bytes, each either a page of addresses or 1024 cells of named
 * variables; variable k is cell k % 1024 of the (k / 1024)-th page of the latter sort.  Pages get their place in the
 * order in which they are mentioned.
 */
#include <string.h>

#include "trace/names.h"
#include "trace/text.h"

enum {
    CELL = 4, /* bytes of a named variable */
    PAGE = 4096,
    CELLS = PAGE / CELL, /* named variables in a page */
    BLOCK = 1 << 16,     /* characters, at first */
    BLOCK_MAX = 1 << 24,
    MAPPED_MIN = 4096 /* bytes */
};

/* A growing array, mapped whole. */
struct array {
    void *at;
    uint64_t bytes;
};

/* slot[] is a power of two long and at most half full; number + 1, 0: free. */
struct slot {
    uint32_t hash, number;
};

struct name {
    const char *text; /* zero-terminated */
    uint64_t length;
};

struct kind {
    struct array slots, names;
    uint64_t n_slots;
    uint32_t count;
};

struct block {
    struct block *next;
    uint64_t bytes, used; /* of the mapping, this header included */
};

struct page {
    uint64_t base;   /* first address, or first number */
    uint64_t symbol; /* number + 1 of the last one that lies on it; 0: none */
    bool named;
};

/* Address page to dense page + 1; 0: free.  Power of two long, at most half full. */
struct page_slot {
    uint64_t address_page;
    uint64_t place;
};

struct symbol {
    struct gl_data_symbol is;
    uint64_t before; /* on the same page, as in struct page */
};

/* The frames of a location lie in frames[first .. first + count). */
struct stack {
    uint64_t first;
    uint32_t count;
};

struct gl_names {
    struct gl_env env;
    struct kind kind[GL_NAME_KINDS];
    struct block *blocks;
    struct array pages, page_slots, cell_pages; /* cell_pages: dense page + 1 of the k-th page of cells */
    uint64_t n_pages, n_address_pages, n_page_slots;
    struct array stacks, frames; /* stacks: by location */
    struct array symbols;
    uint64_t n_stacks, n_frames, n_symbols;
};

/* ---- memory ---- */

/* Room for `need` bytes in a, contents kept; doubles. */
static bool array_reserve(struct gl_names *n, struct array *a, uint64_t need)
{
    if (need <= a->bytes)
        return true;
    uint64_t bytes = a->bytes ? a->bytes : MAPPED_MIN;
    while (bytes < need)
        bytes *= 2;
    void *at = gl_env_map_whole(&n->env, bytes);
    if (!at)
        return false;
    if (a->at) {
        memcpy(at, a->at, a->bytes);
        n->env.unmap(n->env.ctx, a->at, a->bytes);
    }
    a->at = at;
    a->bytes = bytes;
    return true;
}

static void array_free(struct gl_names *n, struct array *a)
{
    if (a->at)
        n->env.unmap(n->env.ctx, a->at, a->bytes);
}

/* Characters that never move. */
static char *characters(struct gl_names *n, uint64_t size)
{
    struct block *b = n->blocks;
    if (!b || b->bytes - b->used < size) {
        uint64_t bytes = b ? b->bytes * 2 : BLOCK;
        if (bytes > BLOCK_MAX)
            bytes = BLOCK_MAX;
        if (bytes < size + sizeof *b)
            bytes = size + sizeof *b;
        struct block *fresh = gl_env_map_whole(&n->env, bytes);
        if (!fresh)
            return NULL;
        *fresh = (struct block){.next = b, .bytes = bytes, .used = sizeof *b};
        n->blocks = b = fresh;
    }
    char *at = (char *)b + b->used;
    b->used += size;
    return at;
}

struct gl_names *gl_names_create(const struct gl_env *env)
{
    struct gl_names *n = env->map(env->ctx, sizeof *n);
    if (n)
        n->env = *env;
    return n;
}

void gl_names_destroy(struct gl_names *n)
{
    if (!n)
        return;
    struct gl_env env = n->env;
    for (int k = 0; k < GL_NAME_KINDS; k++) {
        array_free(n, &n->kind[k].slots);
        array_free(n, &n->kind[k].names);
    }
    array_free(n, &n->pages);
    array_free(n, &n->page_slots);
    array_free(n, &n->cell_pages);
    array_free(n, &n->stacks);
    array_free(n, &n->frames);
    array_free(n, &n->symbols);
    for (struct block *b = n->blocks, *next; b; b = next) {
        next = b->next;
        env.unmap(env.ctx, b, b->bytes);
    }
    env.unmap(env.ctx, n, sizeof *n);
}

/* ---- names ---- */

static uint64_t mix(uint64_t h)
{
    h = (h ^ h >> 32) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

/* Eight bytes at a time; not keyed: a hostile trace makes its own reading slower, up to the square of its names.
 * readable: bytes that there are from `name` on, at least `length`. */
static inline uint32_t hash_of(const char *name, size_t length, size_t readable)
{
    uint64_t h = length * 0xff51afd7ed558ccdu, word;
    for (; length >= 8; name += 8, length -= 8, readable -= 8) {
        memcpy(&word, name, 8);
        h = mix(h ^ word);
    }
    if (readable >= 8) { /* little-endian, as the loop */
        memcpy(&word, name, 8);
        word &= ((uint64_t)1 << 8 * length) - 1;
    } else {
        word = 0;
        for (size_t i = 0; i < length; i++)
            word |= (uint64_t)(unsigned char)name[i] << 8 * i;
    }
    h = mix(h ^ word);
    return (uint32_t)(h ^ h >> 32);
}

static const struct name *name_at(const struct kind *k, uint32_t number)
{
    return (const struct name *)k->names.at + number;
}

/* The slot of the name, or the free one where it would go.  k->n_slots > 0. */
static struct slot *slot_of(const struct kind *k, uint32_t hash, const char *name, size_t length)
{
    struct slot *slots = k->slots.at;
    for (uint64_t i = hash;; i++) {
        struct slot *s = &slots[i & (k->n_slots - 1)];
        if (!s->number)
            return s;
        if (s->hash == hash) {
            const struct name *known = name_at(k, s->number - 1);
            if (known->length == length && memcmp(known->text, name, length) == 0)
                return s;
        }
    }
}

/* At least twice the slots, for so many names, and all names in their new places. */
static bool slots_grow(struct gl_names *n, struct kind *k, uint64_t names)
{
    uint64_t count = k->n_slots ? k->n_slots * 2 : MAPPED_MIN / sizeof(struct slot);
    while (count / 2 < names)
        count *= 2;
    struct array fresh = {0};
    if (!array_reserve(n, &fresh, count * sizeof(struct slot)))
        return false;
    struct slot *to = fresh.at, *from = k->slots.at;
    for (uint64_t i = 0; i < k->n_slots; i++) {
        if (!from[i].number)
            continue;
        uint64_t j = from[i].hash;
        while (to[j & (count - 1)].number)
            j++;
        to[j & (count - 1)] = from[i];
    }
    array_free(n, &k->slots);
    k->slots = fresh;
    k->n_slots = count;
    return true;
}

/* "none": location 0 has the empty name, which no other location has. */
static bool location_none(struct gl_names *n, struct kind *k)
{
    if (k != &n->kind[GL_NAME_LOCATION] || k->count > 0)
        return true;
    if (!array_reserve(n, &k->names, sizeof(struct name)))
        return false;
    *(struct name *)k->names.at = (struct name){.text = ""};
    k->count = 1;
    return true;
}

uint32_t gl_name_number(struct gl_names *n, enum gl_name_kind kind, const char *name, size_t length)
{
    struct kind *k = &n->kind[kind];
    if (!location_none(n, k))
        return UINT32_MAX;
    if (kind == GL_NAME_LOCATION && length == 0)
        return 0;
    if (k->count >= k->n_slots / 2 && !slots_grow(n, k, k->count + 1))
        return UINT32_MAX;
    uint32_t hash = hash_of(name, length, length);
    struct slot *s = slot_of(k, hash, name, length);
    if (s->number)
        return s->number - 1;
    if (k->count >= UINT32_MAX - 1 || !array_reserve(n, &k->names, (k->count + 1ull) * sizeof(struct name)))
        return UINT32_MAX;
    char *text = characters(n, (uint64_t)length + 1);
    if (!text)
        return UINT32_MAX;
    memcpy(text, name, length);
    text[length] = 0;
    ((struct name *)k->names.at)[k->count] = (struct name){.text = text, .length = length};
    *s = (struct slot){.hash = hash, .number = ++k->count};
    return k->count - 1;
}

bool gl_names_reserve(struct gl_names *n, enum gl_name_kind kind, uint32_t more)
{
    struct kind *k = &n->kind[kind];
    uint64_t names = (uint64_t)k->count + more;
    return (names <= k->n_slots / 2 || slots_grow(n, k, names)) && array_reserve(n, &k->names, names * sizeof(struct name));
}

#define RUN 16 /* names whose slots are fetched at a time */

enum gl_run_fault gl_names_run(struct gl_names *n, enum gl_name_kind kind, const char *names, size_t bytes, uint32_t count, size_t *used)
{
    struct kind *k = &n->kind[kind];
    if (!location_none(n, k) || !gl_names_reserve(n, kind, count))
        return GL_RUN_NO_MEMORY;
    if (!count) {
        *used = 0;
        return GL_RUN_FINE;
    }
    char *text = characters(n, bytes);
    if (!text)
        return GL_RUN_NO_MEMORY;
    memcpy(text, names, bytes);
    const char *name = text, *end = text + bytes;
    for (uint32_t done = 0, now; done < count; done += now) {
        struct name next[RUN];
        uint32_t hash[RUN];
        now = count - done < RUN ? count - done : RUN;
        for (uint32_t i = 0; i < now; i++) {
            const char *zero = memchr(name, 0, (size_t)(end - name));
            if (!zero)
                return GL_RUN_NO_END;
            next[i] = (struct name){.text = name, .length = (size_t)(zero - name)};
            hash[i] = hash_of(name, next[i].length, (size_t)(end - name));
            __builtin_prefetch((struct slot *)k->slots.at + (hash[i] & (k->n_slots - 1)), 1);
            name = zero + 1;
        }
        for (uint32_t i = 0; i < now; i++) {
            struct slot *s = slot_of(k, hash[i], next[i].text, next[i].length);
            if (s->number || (kind == GL_NAME_LOCATION && next[i].length == 0))
                return GL_RUN_TWICE;
            ((struct name *)k->names.at)[k->count] = next[i];
            *s = (struct slot){.hash = hash[i], .number = ++k->count};
        }
    }
    *used = (size_t)(name - text);
    return GL_RUN_FINE;
}

uint32_t gl_name_find(const struct gl_names *n, enum gl_name_kind kind, const char *name, size_t length)
{
    const struct kind *k = &n->kind[kind];
    if (kind == GL_NAME_LOCATION && length == 0)
        return 0;
    if (!k->n_slots)
        return UINT32_MAX;
    const struct slot *s = slot_of(k, hash_of(name, length, length), name, length);
    return s->number ? s->number - 1 : UINT32_MAX;
}

const char *gl_name_of(const struct gl_names *n, enum gl_name_kind kind, uint32_t number)
{
    const struct kind *k = &n->kind[kind];
    if (kind == GL_NAME_LOCATION && number == 0)
        return "";
    return number < k->count ? name_at(k, number)->text : NULL;
}

uint32_t gl_names_count(const struct gl_names *n, enum gl_name_kind kind)
{
    uint32_t count = n->kind[kind].count;
    return kind == GL_NAME_LOCATION && count == 0 ? 1 : count;
}

/* ---- data ---- */

/* A new dense page; its number, or UINT64_MAX. */
static uint64_t page_add(struct gl_names *n, struct page page)
{
    if (!array_reserve(n, &n->pages, (n->n_pages + 1) * sizeof page))
        return UINT64_MAX;
    ((struct page *)n->pages.at)[n->n_pages] = page;
    return n->n_pages++;
}

uint64_t gl_data_of_name(struct gl_names *n, uint32_t number)
{
    uint64_t k = number / CELLS;
    if (!array_reserve(n, &n->cell_pages, (k + 1) * sizeof(uint64_t)))
        return UINT64_MAX;
    uint64_t *place = (uint64_t *)n->cell_pages.at + k;
    if (!*place) {
        uint64_t page = page_add(n, (struct page){.base = k * CELLS, .named = true});
        if (page == UINT64_MAX)
            return UINT64_MAX;
        *place = page + 1;
    }
    return (*place - 1) * PAGE + number % CELLS * CELL;
}

static struct page_slot *page_slot_of(const struct gl_names *n, uint64_t address_page)
{
    struct page_slot *slots = n->page_slots.at;
    for (uint64_t i = mix(address_page + 1);; i++) {
        struct page_slot *s = &slots[i & (n->n_page_slots - 1)];
        if (!s->place || s->address_page == address_page)
            return s;
    }
}

static bool page_slots_grow(struct gl_names *n)
{
    uint64_t count = n->n_page_slots ? n->n_page_slots * 2 : MAPPED_MIN / sizeof(struct page_slot);
    struct array was = n->page_slots, fresh = {0};
    uint64_t n_was = n->n_page_slots;
    if (!array_reserve(n, &fresh, count * sizeof(struct page_slot)))
        return false;
    n->page_slots = fresh;
    n->n_page_slots = count;
    const struct page_slot *from = was.at;
    for (uint64_t i = 0; i < n_was; i++)
        if (from[i].place)
            *page_slot_of(n, from[i].address_page) = from[i];
    array_free(n, &was);
    return true;
}

uint64_t gl_data_of_address(struct gl_names *n, uint64_t address)
{
    if (n->n_address_pages >= n->n_page_slots / 2 && !page_slots_grow(n))
        return UINT64_MAX;
    struct page_slot *s = page_slot_of(n, address / PAGE);
    if (!s->place) {
        uint64_t page = page_add(n, (struct page){.base = address / PAGE * PAGE});
        if (page == UINT64_MAX)
            return UINT64_MAX;
        *s = (struct page_slot){.address_page = address / PAGE, .place = page + 1};
        n->n_address_pages++;
    }
    return (s->place - 1) * PAGE + address % PAGE;
}

uint64_t gl_data_find_address(const struct gl_names *n, uint64_t address)
{
    if (!n->n_page_slots)
        return UINT64_MAX;
    const struct page_slot *s = page_slot_of(n, address / PAGE);
    return s->place ? (s->place - 1) * PAGE + address % PAGE : UINT64_MAX;
}

bool gl_data_page(const struct gl_names *n, uint64_t page, uint64_t *base)
{
    const struct page *p = (const struct page *)n->pages.at + page;
    *base = p->base;
    return !p->named;
}

void gl_data_name(const struct gl_names *n, uint64_t data, char *text, size_t size)
{
    struct gl_text t = gl_text_in(text, size);
    uint64_t base;
    if (data / PAGE >= n->n_pages) {
        gl_text_add(&t, "?");
    } else if (gl_data_page(n, data / PAGE, &base)) {
        gl_text_add(&t, "0x");
        gl_text_hex(&t, base + data % PAGE);
    } else {
        const char *name = gl_name_of(n, GL_NAME_DATA, (uint32_t)(base + data % PAGE / CELL));
        gl_text_add(&t, name ? name : "?");
        if (data % CELL) {
            gl_text_add(&t, "+");
            gl_text_number(&t, data % CELL);
        }
    }
}

uint64_t gl_data_end(const struct gl_names *n) { return n->n_pages * PAGE; }

/* ---- spelling ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

size_t gl_name_decode(char *to, const char *s, size_t n)
{
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        int high = s[i] == '%' && n - i > 2 ? hex_digit(s[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(s[i + 2]) : -1;
        bool coded = low >= 0 && (high | low) != 0;
        to[length++] = coded ? (char)(high << 4 | low) : s[i];
        i += coded ? 2 : 0;
    }
    return length;
}

/* ---- stacks ---- */

static bool string_is_known(const struct gl_names *n, uint32_t string)
{
    return string == UINT32_MAX || string < n->kind[GL_NAME_STRING].count;
}

bool gl_stack_set(struct gl_names *n, uint32_t location, const struct gl_stack_frame *frames, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!string_is_known(n, frames[i].function) || !string_is_known(n, frames[i].file))
            return false;
    if (count == 0 || location == 0 || location >= gl_names_count(n, GL_NAME_LOCATION) ||
        gl_stack_of(n, location, &(const struct gl_stack_frame *){NULL}) > 0 ||
        !array_reserve(n, &n->stacks, (location + 1ull) * sizeof(struct stack)) ||
        !array_reserve(n, &n->frames, (n->n_frames + count) * sizeof *frames))
        return false;
    memcpy((struct gl_stack_frame *)n->frames.at + n->n_frames, frames, count * sizeof *frames);
    ((struct stack *)n->stacks.at)[location] = (struct stack){.first = n->n_frames, .count = count};
    n->n_frames += count;
    n->n_stacks++;
    return true;
}

uint32_t gl_stack_of(const struct gl_names *n, uint32_t location, const struct gl_stack_frame **frames)
{
    if ((location + 1ull) * sizeof(struct stack) > n->stacks.bytes)
        return 0;
    const struct stack *s = (const struct stack *)n->stacks.at + location;
    *frames = (const struct gl_stack_frame *)n->frames.at + s->first;
    return s->count;
}

uint32_t gl_stacks_count(const struct gl_names *n) { return (uint32_t)n->n_stacks; }

/* ---- variables of the program ---- */

bool gl_data_symbol_add(struct gl_names *n, const struct gl_data_symbol *symbol)
{
    if (symbol->page >= n->n_pages) /* perhaps there are no pages at all */
        return false;
    struct page *page = (struct page *)n->pages.at + symbol->page;
    uint64_t end = symbol->start + symbol->size;
    if (page->named || symbol->name >= n->kind[GL_NAME_STRING].count || end <= symbol->start || end <= page->base ||
        (symbol->start >= page->base && symbol->start - page->base >= PAGE))
        return false;
    if (!array_reserve(n, &n->symbols, (n->n_symbols + 1) * sizeof(struct symbol)))
        return false;
    ((struct symbol *)n->symbols.at)[n->n_symbols++] = (struct symbol){.is = *symbol, .before = page->symbol};
    page->symbol = n->n_symbols;
    return true;
}

uint64_t gl_data_symbols_count(const struct gl_names *n) { return n->n_symbols; }

const struct gl_data_symbol *gl_data_symbol_at(const struct gl_names *n, uint64_t i)
{
    return &((const struct symbol *)n->symbols.at + i)->is;
}

bool gl_data_symbol_name(const struct gl_names *n, uint64_t data, char *text, size_t size)
{
    if (data / PAGE >= n->n_pages)
        return false;
    const struct page *page = (const struct page *)n->pages.at + data / PAGE;
    uint64_t address = page->base + data % PAGE;
    for (uint64_t i = page->symbol; i;) {
        const struct symbol *s = (const struct symbol *)n->symbols.at + i - 1;
        if (address - s->is.start < s->is.size) {
            struct gl_text t = gl_text_in(text, size);
            gl_text_add(&t, gl_name_of(n, GL_NAME_STRING, s->is.name));
            if (address > s->is.start) {
                gl_text_add(&t, "+");
                gl_text_number(&t, address - s->is.start);
            }
            return true;
        }
        i = s->before;
    }
    return false;
}

enum gl_name_kind gl_name_kind_of_class(enum gl_class c)
{
    switch (c) {
    case GL_CLASS_DATA:
        return GL_NAME_DATA;
    case GL_CLASS_MUTEX:
        return GL_NAME_MUTEX;
    case GL_CLASS_RWLOCK:
        return GL_NAME_RWLOCK;
    case GL_CLASS_VOLATILE:
        return GL_NAME_VOLATILE;
    case GL_CLASS_ATOMIC:
        return GL_NAME_ATOMIC;
    case GL_CLASS_BARRIER:
        return GL_NAME_BARRIER;
    case GL_CLASS_SEMAPHORE:
        return GL_NAME_SEMAPHORE;
    case GL_CLASS_THREAD:
        return GL_NAME_THREAD;
    default:
        return GL_NAME_KINDS;
    }
}
