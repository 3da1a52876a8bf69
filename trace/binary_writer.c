/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes our binary format (docs/trace-format.md).  Events are gathered in columns; a full chunk goes out as sections
 * for the names and pages that are new, then the events' own, so that whatever is in the file can be read when the
 * program ends in the middle.
 */
#include <string.h>

#include "trace/binary_block.h"
#include "trace/binary_shape.h"
#include "trace/checksum.h"
#include "trace/text.h"
#include "trace/writer_impl.h"

enum {
    EVENTS = 1 << 16,                /* in a chunk: 64 KiB planes stay in a second-level cache */
    OPERANDS = 1 << 17,              /* a chunk ends after so many, unless one event has more */
    SIZE_INLINE = GL_SHAPE_SIZE_MAX, /* larger sizes are operands, so that shapes do not run out */
    TEXT = 1 << 20,                  /* bytes of names in a section, unless one name has more */
    PLANES = 1 + 4 + 8 + 4,
    PAGE_ENTRIES = TEXT / sizeof(uint64_t),
    SHAPE_CODES = GL_OP_COUNT * (GL_SC + 1) * (SIZE_INLINE + 1)
};

_Static_assert(sizeof(struct gl_stack_frame) == sizeof(struct goldilocks_trace_frame), "copied as they are");

/* Memory that grows. */
struct room {
    void *at;
    size_t size;
};

struct binary {
    struct gl_trace_writer base;
    struct gl_codec codec;
    uint64_t offset;      /* bytes written */
    uint64_t events_done; /* events in full chunks */

    /* The chunk. */
    uint32_t n;
    size_t n_operands;
    unsigned n_shapes;
    struct goldilocks_trace_shape shape[GOLDILOCKS_TRACE_SHAPES_MAX];
    uint64_t object_max[GOLDILOCKS_TRACE_SHAPES_MAX]; /* of the events of a shape */
    uint64_t data_end; /* of what operands name: bytes of commits, allocations */
    uint32_t thread_max, site_max;
    uint16_t shape_of[SHAPE_CODES]; /* number + 1; 0: none yet */
    struct room columns, operands;
    uint8_t *kind; /* these four lie in columns */
    uint32_t *thread;
    uint32_t *site;
    uint64_t *object;

    struct room plane, packed; /* one plane; the payload of a section */
    struct room entries;       /* struct goldilocks_trace_index_entry */
    size_t n_entries;
    uint32_t named[GL_NAME_KINDS]; /* names written so far */
    uint64_t pages;                /* pages written so far */
    uint32_t stacked;              /* stacks of locations below are written */
    uint64_t symbols;              /* variables of the program written so far */
};

static struct binary *binary_of(struct gl_trace_writer *w) { return (struct binary *)w; }

/* ---- memory ---- */

/* Room for `need` bytes, contents kept. */
static bool reserve(struct binary *b, struct room *r, size_t need)
{
    if (need <= r->size)
        return true;
    const struct gl_env *env = &b->base.env;
    size_t size = r->size ? r->size : 4096;
    while (size < need)
        size *= 2;
    void *at = env->map(env->ctx, size);
    if (!at)
        return false;
    if (r->at) {
        memcpy(at, r->at, r->size);
        env->unmap(env->ctx, r->at, r->size);
    }
    *r = (struct room){at, size};
    return true;
}

static void give_back(struct binary *b, struct room *r)
{
    if (r->at)
        b->base.env.unmap(b->base.env.ctx, r->at, r->size);
}

/* ---- sections ---- */

static bool put(struct binary *b, const void *bytes, size_t n)
{
    b->offset += n;
    return gl_writer_put(&b->base, bytes, n);
}

/* Writes a section whose payload lies in b->packed, and notes it for the index. */
static bool put_section(struct binary *b, uint32_t type, size_t size, uint64_t first, uint32_t events)
{
    struct goldilocks_trace_section head = {.type = type, .size = size, .first = first};
    head.payload_sum = gl_xxh64(b->packed.at, size);
    head.head_sum = gl_xxh64(&head, offsetof(struct goldilocks_trace_section, head_sum));
    struct goldilocks_trace_index_entry *entry;
    if (!reserve(b, &b->entries, (b->n_entries + 1) * sizeof *entry))
        return false;
    entry = (struct goldilocks_trace_index_entry *)b->entries.at + b->n_entries++;
    *entry = (struct goldilocks_trace_index_entry){
        .offset = b->offset, .first = first, .type = type, .events = events};
    return put(b, &head, sizeof head) && put(b, b->packed.at, size);
}

/* Packs one block behind `used` bytes of b->packed, its head at `head_at`.  Gives the new number of used bytes; 0: no
 * memory. */
static size_t add_block(struct binary *b, const void *bytes, size_t n, size_t head_at, size_t used)
{
    if (!reserve(b, &b->packed, used + gl_pack_bound(n)))
        return 0;
    unsigned char *to = b->packed.at;
    struct goldilocks_trace_block head = gl_pack(&b->codec, bytes, n, to + used);
    memcpy(to + head_at, &head, sizeof head);
    return used + head.packed;
}

/* A section that is one block: b->plane[0..size). */
static bool put_block(struct binary *b, uint32_t type, size_t size)
{
    if (!reserve(b, &b->packed, sizeof(struct goldilocks_trace_block)))
        return false;
    size_t used = add_block(b, b->plane.at, size, 0, sizeof(struct goldilocks_trace_block));
    return used && put_section(b, type, used, 0, 0);
}

/* ---- names and pages ---- */

/* Puts one name after another of a kind into b->plane, behind a head.  Gives how many bytes it used: 0 is a failure. */
static size_t gather_names(struct binary *b, enum gl_name_kind kind, size_t at, uint32_t count)
{
    struct goldilocks_trace_name_run run = {.kind = (uint32_t)kind, .first = b->named[kind]};
    size_t used = at + sizeof run;
    while (b->named[kind] < count && used < TEXT) {
        const char *name = gl_name_of(b->base.names, kind, b->named[kind]);
        size_t length = gl_text_length(name) + 1;
        if (used + length > GOLDILOCKS_TRACE_BLOCK_MAX || !reserve(b, &b->plane, used + length))
            return 0;
        memcpy((char *)b->plane.at + used, name, length);
        used += length;
        b->named[kind]++;
    }
    run.count = b->named[kind] - run.first;
    run.bytes = (uint32_t)(used - at - sizeof run);
    memcpy((char *)b->plane.at + at, &run, sizeof run);
    return used;
}

static bool put_new_names(struct binary *b)
{
    size_t used = 0;
    for (int k = 0; k < GL_NAME_KINDS; k++) {
        enum gl_name_kind kind = (enum gl_name_kind)k;
        uint32_t count = gl_names_count(b->base.names, kind);
        while (b->named[kind] < count) {
            if (!reserve(b, &b->plane, used + sizeof(struct goldilocks_trace_name_run)))
                return false;
            used = gather_names(b, kind, used, count);
            if (used == 0)
                return false;
            if (used >= TEXT) {
                if (!put_block(b, GOLDILOCKS_TRACE_NAMES, used))
                    return false;
                used = 0;
            }
        }
    }
    return used == 0 || put_block(b, GOLDILOCKS_TRACE_NAMES, used);
}

static bool put_new_pages(struct binary *b)
{
    uint64_t end = gl_data_end(b->base.names) / GOLDILOCKS_TRACE_PAGE;
    while (b->pages < end) {
        size_t n = end - b->pages < PAGE_ENTRIES ? (size_t)(end - b->pages) : PAGE_ENTRIES;
        if (!reserve(b, &b->plane, n * sizeof(uint64_t)))
            return false;
        uint64_t *entry = b->plane.at, base;
        for (size_t i = 0; i < n; i++) {
            bool address = gl_data_page(b->base.names, b->pages++, &base);
            entry[i] = address ? base : base / 1024 * GOLDILOCKS_TRACE_PAGE + GOLDILOCKS_TRACE_PAGE_OF_NAMES;
        }
        if (!put_block(b, GOLDILOCKS_TRACE_PAGES, n * sizeof(uint64_t)))
            return false;
    }
    return true;
}

/* Stacks of the locations that are new.  Their strings are names, so they are written before. */
static bool put_new_stacks(struct binary *b)
{
    const struct gl_names *names = b->base.names;
    uint32_t count = gl_names_count(names, GL_NAME_LOCATION);
    if (gl_stacks_count(names) == 0)
        return true; /* stacked stays: a stack comes with its location */
    size_t used = 0;
    for (; b->stacked < count; b->stacked++) {
        const struct gl_stack_frame *frames;
        struct goldilocks_trace_stack head = {.location = b->stacked};
        head.frames = gl_stack_of(names, b->stacked, &frames);
        if (head.frames == 0)
            continue;
        size_t size = sizeof head + head.frames * sizeof *frames;
        if (used > 0 && used + size > TEXT) {
            if (!put_block(b, GOLDILOCKS_TRACE_STACKS, used))
                return false;
            used = 0;
        }
        if (size > GOLDILOCKS_TRACE_BLOCK_MAX || !reserve(b, &b->plane, used + size))
            return false;
        memcpy((char *)b->plane.at + used, &head, sizeof head);
        memcpy((char *)b->plane.at + used + sizeof head, frames, size - sizeof head);
        used += size;
    }
    return used == 0 || put_block(b, GOLDILOCKS_TRACE_STACKS, used);
}

static bool put_new_symbols(struct binary *b)
{
    uint64_t count = gl_data_symbols_count(b->base.names);
    while (b->symbols < count) {
        size_t n = count - b->symbols < TEXT / sizeof(struct goldilocks_trace_symbol) ? (size_t)(count - b->symbols)
                                                                                      : TEXT / sizeof(struct goldilocks_trace_symbol);
        if (!reserve(b, &b->plane, n * sizeof(struct goldilocks_trace_symbol)))
            return false;
        for (size_t i = 0; i < n; i++) {
            const struct gl_data_symbol *s = gl_data_symbol_at(b->base.names, b->symbols++);
            ((struct goldilocks_trace_symbol *)b->plane.at)[i] =
                (struct goldilocks_trace_symbol){.start = s->start, .size = s->size, .page = s->page, .name = s->name};
        }
        if (!put_block(b, GOLDILOCKS_TRACE_SYMBOLS, n * sizeof(struct goldilocks_trace_symbol)))
            return false;
    }
    return true;
}

/* ---- a chunk of events ---- */

static unsigned bytes_of(uint64_t n)
{
    unsigned bytes = 0;
    for (; n; n >>= 8)
        bytes++;
    return bytes;
}

/* Is every number one that a reader will know?  So a mistake of the caller cannot make a file that nobody can read. */
static bool numbers_are_named(const struct binary *b)
{
    const struct gl_names *names = b->base.names;
    if (b->thread_max >= gl_names_count(names, GL_NAME_THREAD) ||
        b->site_max >= gl_names_count(names, GL_NAME_LOCATION))
        return false;
    for (unsigned i = 0; i < b->n_shapes; i++)
        if (b->object_max[i] >= gl_shape_limit((enum gl_op)b->shape[i].op, b->shape[i].size, names))
            return false;
    return b->data_end <= gl_data_end(names);
}

/* Planes of one column: byte p of each number, for the lowest `planes` of them. */
static size_t add_planes(struct binary *b, const void *numbers, size_t width, unsigned planes,
                         size_t *head_at, size_t used)
{
    for (unsigned p = 0; p < planes && used; p++) {
        const unsigned char *from = (const unsigned char *)numbers + p;
        unsigned char *to = b->plane.at;
        for (uint32_t i = 0; i < b->n; i++)
            to[i] = from[i * width];
        used = add_block(b, to, b->n, *head_at, used);
        *head_at += sizeof(struct goldilocks_trace_block);
    }
    return used;
}

static bool put_events(struct binary *b)
{
    uint64_t object_max = 0;
    for (unsigned i = 0; i < b->n_shapes; i++)
        if (b->object_max[i] > object_max)
            object_max = b->object_max[i];
    struct goldilocks_trace_events head = {
        .events = b->n,
        .operands = (uint32_t)b->n_operands,
        .shapes = (uint16_t)b->n_shapes,
        .thread_bytes = (uint8_t)bytes_of(b->thread_max),
        .object_bytes = (uint8_t)bytes_of(object_max),
        .site_bytes = (uint8_t)bytes_of(b->site_max),
    };
    size_t shapes = b->n_shapes * sizeof b->shape[0], head_at = sizeof head + shapes;
    size_t used = head_at + (PLANES + 1) * sizeof(struct goldilocks_trace_block);
    if (!reserve(b, &b->packed, used) || !reserve(b, &b->plane, EVENTS))
        return false;
    memcpy(b->packed.at, &head, sizeof head);
    memcpy((char *)b->packed.at + sizeof head, b->shape, shapes);
    unsigned blocks = 1u + head.thread_bytes + head.object_bytes + head.site_bytes + (head.operands > 0);
    used = head_at + blocks * sizeof(struct goldilocks_trace_block);
    used = add_planes(b, b->kind, sizeof *b->kind, 1, &head_at, used);
    used = add_planes(b, b->thread, sizeof *b->thread, head.thread_bytes, &head_at, used);
    used = add_planes(b, b->object, sizeof *b->object, head.object_bytes, &head_at, used);
    used = add_planes(b, b->site, sizeof *b->site, head.site_bytes, &head_at, used);
    if (used && b->n_operands > 0)
        used = add_block(b, b->operands.at, b->n_operands * sizeof(uint64_t), head_at, used);
    return used && put_section(b, GOLDILOCKS_TRACE_EVENTS, used, b->events_done + 1, b->n);
}

static void chunk_clear(struct binary *b)
{
    b->events_done += b->n;
    b->n = 0;
    b->n_operands = 0;
    b->n_shapes = 0;
    b->thread_max = b->site_max = 0;
    b->data_end = 0;
    memset(b->object_max, 0, sizeof b->object_max);
    memset(b->shape_of, 0, sizeof b->shape_of);
}

static bool chunk_flush(struct binary *b)
{
    bool done =
        put_new_names(b) && put_new_stacks(b) && put_new_pages(b) && put_new_symbols(b) && (b->n == 0 || (numbers_are_named(b) && put_events(b)));
    chunk_clear(b);
    return done;
}

/* ---- events ---- */

/* The event's kind; -1: all kinds are taken. */
static int shape_number(struct binary *b, const struct gl_event *e)
{
    unsigned order = gl_shape_has_order(e->op) ? e->order : 0, size = e->size <= SIZE_INLINE ? e->size : 0;
    /* An ALLOC of 0 bytes and one whose size is an operand are the same here; so neither is inline. */
    uint16_t *known = &b->shape_of[((unsigned)e->op * (GL_SC + 1) + order) * (SIZE_INLINE + 1) + size];
    if (*known == 0) {
        if (b->n_shapes == GOLDILOCKS_TRACE_SHAPES_MAX)
            return -1;
        bool operand = e->op == GL_OP_ALLOC && size == 0;
        b->shape[b->n_shapes] = (struct goldilocks_trace_shape){
            .op = (uint8_t)e->op, .order = (uint8_t)order, .flags = operand, .size = size};
        *known = (uint16_t)++b->n_shapes;
    }
    return *known - 1;
}

static bool operands_add(struct binary *b, const uint64_t *from, size_t n)
{
    if (!reserve(b, &b->operands, (b->n_operands + n) * sizeof *from))
        return false;
    if (n > 0)
        memcpy((uint64_t *)b->operands.at + b->n_operands, from, n * sizeof *from);
    b->n_operands += n;
    return true;
}

/* Can the format say it? */
static bool is_possible(const struct gl_event *e)
{
    if ((unsigned)e->op >= GL_OP_COUNT || (gl_shape_has_order(e->op) && (unsigned)e->order > GL_SC))
        return false;
    return e->op == GL_OP_COMMIT ? 2 + (uint64_t)e->n_reads + e->n_writes <= GOLDILOCKS_TRACE_OPERANDS_MAX
                                 : gl_shape_has_size(e->op, e->size);
}

static bool add_places(struct binary *b, const uint64_t *places, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (places[i] >= b->data_end)
            b->data_end = places[i] + 1;
    return operands_add(b, places, n);
}

static bool add_operands(struct binary *b, const struct gl_event *e)
{
    uint64_t number[2] = {e->n_reads, e->n_writes};
    if (e->op == GL_OP_COMMIT)
        return operands_add(b, number, 2) && add_places(b, e->reads, e->n_reads) &&
               add_places(b, e->writes, e->n_writes);
    number[0] = e->size;
    if (e->object + e->size > b->data_end)
        b->data_end = e->object + e->size;
    return operands_add(b, number, 1);
}

static bool add(struct binary *b, const struct gl_event *e)
{
    if (!is_possible(e))
        return false;
    bool commit = e->op == GL_OP_COMMIT;
    uint64_t operands = commit ? 2 + (uint64_t)e->n_reads + e->n_writes : 1;
    if ((b->n == EVENTS || (b->n_operands > 0 && b->n_operands + operands > OPERANDS)) && !chunk_flush(b))
        return false;
    int kind = shape_number(b, e);
    if (kind < 0) {
        if (!chunk_flush(b))
            return false;
        kind = shape_number(b, e);
    }
    if ((commit || b->shape[kind].flags) && !add_operands(b, e))
        return false;
    enum gl_class class = gl_op_class(e->op);
    uint64_t object = class == GL_CLASS_NONE || commit ? 0 : e->object;
    b->kind[b->n] = (uint8_t)kind;
    b->thread[b->n] = e->thread;
    b->object[b->n] = object;
    b->site[b->n] = e->site;
    b->n++;
    if (object > b->object_max[kind])
        b->object_max[kind] = object;
    if (e->thread > b->thread_max)
        b->thread_max = e->thread;
    if (e->site > b->site_max)
        b->site_max = e->site;
    return true;
}

/* ---- the format ---- */

static bool binary_open(struct gl_trace_writer *w)
{
    struct binary *b = binary_of(w);
    struct goldilocks_trace_head head = {.version = GOLDILOCKS_TRACE_VERSION};
    memcpy(head.magic, GOLDILOCKS_TRACE_MAGIC, sizeof head.magic);
    b->named[GL_NAME_LOCATION] = 1; /* "none" needs no name */
    if (!gl_packer_init(&b->codec, &w->env) ||
        !reserve(b, &b->columns,
                 EVENTS * (sizeof *b->object + sizeof *b->thread + sizeof *b->site + sizeof *b->kind)))
        return false;
    b->object = b->columns.at;
    b->thread = (uint32_t *)(b->object + EVENTS);
    b->site = b->thread + EVENTS;
    b->kind = (uint8_t *)(b->site + EVENTS);
    return put(b, &head, sizeof head);
}

static bool binary_write(struct gl_trace_writer *w, const struct gl_event *events, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!add(binary_of(w), &events[i]))
            return false;
    return true;
}

static bool put_index(struct binary *b)
{
    size_t size = b->n_entries * sizeof(struct goldilocks_trace_index_entry);
    struct goldilocks_trace_tail tail = {.index = b->offset};
    memcpy(tail.magic, GOLDILOCKS_TRACE_END_MAGIC, sizeof tail.magic);
    if (!reserve(b, &b->packed, size + 1))
        return false;
    if (size > 0)
        memcpy(b->packed.at, b->entries.at, size);
    return put_section(b, GOLDILOCKS_TRACE_INDEX, size, b->events_done, 0) && put(b, &tail, sizeof tail);
}

static bool binary_flush(struct gl_trace_writer *w) { return chunk_flush(binary_of(w)); }

static bool binary_seal(struct gl_trace_writer *w, uint64_t *end)
{
    struct binary *b = binary_of(w);
    if (!chunk_flush(b))
        return false;
    *end = b->offset;
    bool done = put_index(b);
    /* What comes next, if anything does, overwrites the index. */
    b->offset = *end;
    b->n_entries--;
    return done;
}

static bool binary_close(struct gl_trace_writer *w)
{
    struct binary *b = binary_of(w);
    bool done = !w->failed && chunk_flush(b) && put_index(b);
    gl_codec_fini(&b->codec);
    give_back(b, &b->columns);
    give_back(b, &b->operands);
    give_back(b, &b->plane);
    give_back(b, &b->packed);
    give_back(b, &b->entries);
    return done;
}

const struct gl_trace_writer_kind gl_trace_binary_writer = {
    .format = GL_TRACE_BINARY,
    .size = sizeof(struct binary),
    .open = binary_open,
    .write = binary_write,
    .flush = binary_flush,
    .seal = binary_seal,
    .close = binary_close,
};
