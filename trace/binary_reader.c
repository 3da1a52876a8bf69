/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads our binary format (docs/trace-format.md): finds the sections, takes names, stacks and pages from theirs, and gives the
 * events of the others.
 *
 * Numbers in the file are the numbers of gl_names: names and pages come in the order in which they got their
 * numbers, and each must get its own again.  So a reader that starts in the middle first takes all sections of names
 * before its chunk, and no events.
 *
 * Memory: a chunk's columns (at most 17 + 16 MiB), and names as long as they stay in proportion to the file.
 */
#include <string.h>

#include "trace/binary_chunk.h"
#include "trace/binary_layout.h"
#include "trace/reader.h"

struct binary {
    struct gl_trace_reader base;
    struct gl_layout layout;
    struct gl_chunk chunk;
    bool in_chunk;      /* chunk has events that were not given yet */
    uint64_t chunk_offset; /* of the chunk's section */
    size_t next;        /* the next section; all names of those before it are taken */
    size_t named;       /* sections before this one had their names taken; next <= named when we went back */
    size_t end;         /* sections from here on are not ours */
    size_t first_chunk, n_chunks; /* ours */
    uint64_t offset;              /* of the next section of a stream */
    uint64_t name_bytes;          /* unpacked, so far */
};

/* What names and pages may take when unpacked, in proportion to the file: zstd can make a megabyte out of 40 bytes. */
enum { NAME_BYTES_FREE = 1 << 24, NAME_BYTES_PER_BYTE = 64 };

static const char no_memory[] = "there is not enough memory for the names in the file";

/* ---- names and pages ---- */

/* NULL, or what is wrong with a run of names; *size := its bytes. */
static const char *take_run(struct gl_names *names, const unsigned char *at, size_t left, size_t *size)
{
    struct goldilocks_trace_name_run run;
    if (left < sizeof run)
        return "a list of names ends within its head";
    memcpy(&run, at, sizeof run);
    const char *name = (const char *)at + sizeof run;
    if (run.bytes > left - sizeof run)
        return "a list of names is longer than its section";
    *size = sizeof run + run.bytes;
    if (run.kind >= GL_NAME_KINDS)
        return NULL;
    enum gl_name_kind kind = (enum gl_name_kind)run.kind;
    if (run.first != gl_names_count(names, kind))
        return "names are not numbered one after the other";
    if (run.count > run.bytes)
        return "a name has no end";
    if (run.count > UINT32_MAX - 1 - run.first)
        return no_memory;
    size_t used = 0;
    switch (gl_names_run(names, kind, name, run.bytes, run.count, &used)) {
    case GL_RUN_FINE: return used == run.bytes ? NULL : "a list of names is longer than its names";
    case GL_RUN_NO_END: return "a name has no end";
    case GL_RUN_TWICE: return "a name is there twice";
    default: return no_memory;
    }
}

static const char *take_names(struct gl_names *names, const unsigned char *at, size_t size)
{
    for (size_t used; size > 0; at += used, size -= used) {
        const char *wrong = take_run(names, at, size, &used);
        if (wrong)
            return wrong;
    }
    return NULL;
}

static const char *take_pages(struct gl_names *names, const unsigned char *at, size_t size)
{
    if (size % sizeof(uint64_t) != 0)
        return "a list of pages ends within one of them";
    for (; size > 0; at += sizeof(uint64_t), size -= sizeof(uint64_t)) {
        uint64_t entry, expected = gl_data_end(names), got;
        memcpy(&entry, at, sizeof entry);
        uint64_t kind = entry % GOLDILOCKS_TRACE_PAGE, k = entry / GOLDILOCKS_TRACE_PAGE;
        if (kind == 0) {
            got = gl_data_of_address(names, entry);
        } else {
            if (kind != GOLDILOCKS_TRACE_PAGE_OF_NAMES || k * 1024 / 1024 != k ||
                k * 1024 >= gl_names_count(names, GL_NAME_DATA))
                return "a page is neither one of addresses nor one of named variables";
            got = gl_data_of_name(names, (uint32_t)(k * 1024));
        }
        if (got == UINT64_MAX)
            return no_memory;
        if (got != expected)
            return "a page is there twice";
    }
    return NULL;
}

static const char *take_stacks(struct gl_names *names, const unsigned char *at, size_t size)
{
    struct gl_stack_frame frames[64];
    while (size > 0) {
        struct goldilocks_trace_stack head;
        if (size < sizeof head)
            return "a list of stacks ends within a head";
        memcpy(&head, at, sizeof head);
        at += sizeof head;
        size -= sizeof head;
        if (head.frames == 0 || head.frames > size / sizeof(struct goldilocks_trace_frame))
            return "a stack is longer than its section, or empty";
        /* Nobody looks deeper; what is cut costs no memory. */
        uint32_t kept = head.frames < 64 ? head.frames : 64;
        memcpy(frames, at, kept * sizeof *frames);
        if (!gl_stack_set(names, head.location, frames, kept))
            return "a stack names what is not there, is the second one of its location, or memory ran out";
        at += head.frames * sizeof *frames;
        size -= head.frames * sizeof *frames;
    }
    return NULL;
}

static const char *take_symbols(struct gl_names *names, const unsigned char *at, size_t size)
{
    struct goldilocks_trace_symbol s;
    for (; size >= sizeof s; at += sizeof s, size -= sizeof s) {
        memcpy(&s, at, sizeof s);
        if (!gl_data_symbol_add(names, &(struct gl_data_symbol){.start = s.start, .size = s.size, .page = s.page, .name = s.name}))
            return "a variable of the program names what is not there, or memory ran out";
    }
    return size == 0 ? NULL : "a list of variables ends within one of them";
}

/* Unpacks the block that is the whole payload, and takes what is in it. */
static const char *take_block(struct binary *b, uint32_t type, const unsigned char *payload, uint64_t size)
{
    struct goldilocks_trace_block head;
    const struct gl_env *env = &b->base.env;
    if (size < sizeof head)
        return "a section ends within its head";
    memcpy(&head, payload, sizeof head);
    payload += sizeof head;
    size -= sizeof head;
    if (!gl_block_is_valid(&head, size) || head.packed != size)
        return "the head of a section is impossible";
    b->name_bytes += head.unpacked;
    if (b->name_bytes > NAME_BYTES_FREE + (uint64_t)b->base.size * NAME_BYTES_PER_BYTE)
        return "the names are out of proportion to the file; it was not made by a recorder";
    if (head.unpacked == 0)
        return NULL;
    unsigned char *bytes = gl_env_map_whole(env, head.unpacked);
    if (!bytes)
        return no_memory;
    const char *wrong = "a section cannot be unpacked";
    if (gl_unpack(&b->chunk.codec, &head, payload, bytes))
        wrong = (type == GOLDILOCKS_TRACE_NAMES    ? take_names
                 : type == GOLDILOCKS_TRACE_PAGES  ? take_pages
                 : type == GOLDILOCKS_TRACE_STACKS ? take_stacks
                                                   : take_symbols)(b->base.names, bytes, head.unpacked);
    env->unmap(env->ctx, bytes, head.unpacked);
    return wrong;
}

/* ---- sections ---- */

static bool is_names(const struct gl_section *s)
{
    return s->type == GOLDILOCKS_TRACE_NAMES || s->type == GOLDILOCKS_TRACE_PAGES || s->type == GOLDILOCKS_TRACE_STACKS ||
           s->type == GOLDILOCKS_TRACE_SYMBOLS;
}

/* Takes what is in a section: names, or events, which gl_chunk_read() then gives. */
static bool take(struct binary *b, const struct gl_section *s, struct gl_trace_error *error)
{
    struct goldilocks_trace_section head;
    const unsigned char *payload;
    if (!gl_section_open(s, b->base.bytes, b->base.size, &head, &payload, error))
        return false;
    const char *wrong = NULL;
    if (s->type == GOLDILOCKS_TRACE_EVENTS) {
        b->chunk.no_sites = b->base.no_locations;
        wrong = gl_chunk_open(&b->chunk, payload, head.size, head.first, b->base.names);
        if (!wrong && b->chunk.head.events != s->events)
            wrong = "a chunk has another number of events than the index says";
        b->in_chunk = !wrong;
        b->chunk_offset = s->offset;
    } else if (is_names(s)) {
        wrong = take_block(b, s->type, payload, head.size);
    } else if (head.flags & GOLDILOCKS_TRACE_REQUIRED) {
        wrong = "a section that this version does not know is marked as required; update goldilocks";
    }
    return !wrong || gl_trace_fail(error, s->offset, wrong);
}

/* Takes one section of the table, unless that was done; events, if they are wanted. */
static bool take_section(struct binary *b, size_t place, bool events, struct gl_trace_error *error)
{
    const struct gl_section *s = &b->layout.section[place];
    bool is_events = s->type == GOLDILOCKS_TRACE_EVENTS;
    if ((is_events && !events) || (!is_events && place < b->named))
        return true;
    if (!take(b, s, error))
        return false;
    if (place >= b->named)
        b->named = place + 1;
    return true;
}

/* ---- streams ---- */

/* Waits until the next section of a stream is here; 0: there is none; -1: *error is filled. */
static int section_comes(struct binary *b, struct gl_section *s, struct gl_trace_error *error)
{
    struct gl_trace_reader *r = &b->base;
    uint64_t need;
    enum gl_look look;
    int got = 1;
    while ((look = gl_layout_look(r->bytes, r->size, b->offset, b->layout.events, s, &need)) == GL_LOOK_CUT && got > 0) {
        if (need - b->offset > GL_STREAM_PIECE) {
            gl_trace_fail(error, b->offset, "a section of more than 64 MiB in what comes through a pipe; give a file");
            return -1;
        }
        while (r->size < need && got > 0)
            got = gl_reader_more(r, error);
    }
    b->offset = need;
    if (got < 0 || look == GL_LOOK_SECTION)
        return got < 0 ? -1 : 1;
    b->layout.complete = look == GL_LOOK_INDEX;
    while (b->layout.complete && r->size < need + sizeof GOLDILOCKS_TRACE_MAGIC - 1 && (got = gl_reader_more(r, error)) > 0)
        continue;
    if (got < 0 || (b->layout.complete && !gl_layout_ends(r->bytes, r->size, need, error)))
        return -1;
    while ((got = gl_reader_more(r, error)) > 0) /* nothing of it is needed, but who writes it may come to the end */
        gl_reader_release(r, r->size);
    return got;
}

/* 1: a chunk of events is open, as far as the stream has one. */
static int stream_next(struct binary *b, struct gl_trace_error *error)
{
    struct gl_section s;
    while (!b->in_chunk) {
        gl_reader_release(&b->base, b->offset);
        int got = section_comes(b, &s, error);
        if (got <= 0)
            return got;
        if (!take(b, &s, error))
            return -1;
        b->layout.events += s.events;
    }
    return 1;
}

/* Goes to a section; what is passed over gives its names. */
static bool go_to(struct binary *b, size_t place, struct gl_trace_error *error)
{
    b->in_chunk = false;
    for (size_t i = b->named; i < place; i++)
        if (!take_section(b, i, false, error))
            return false;
    b->next = place;
    return true;
}

/* ---- the format ---- */

static struct binary *binary_of(struct gl_trace_reader *r) { return (struct binary *)r; }

static bool binary_open(struct gl_trace_reader *r, struct gl_trace_error *error)
{
    struct binary *b = binary_of(r);
    if (r->stream.more) { /* sections are found when they come */
        b->layout.env = r->env;
        b->offset = sizeof(struct goldilocks_trace_head);
    }
    if (r->stream.more ? !gl_layout_head(r->bytes, r->size, error) : !gl_layout_read(&b->layout, &r->env, r->bytes, r->size, error))
        return false;
    b->end = b->layout.n;
    b->n_chunks = b->layout.n_chunks;
    return gl_chunk_init(&b->chunk, &r->env) ||
           gl_trace_fail(error, 0, "there is not enough memory to read the file");
}

static void binary_close(struct gl_trace_reader *r)
{
    gl_chunk_fini(&binary_of(r)->chunk);
    gl_layout_fini(&binary_of(r)->layout);
}

/* The same for a file. */
static int file_next(struct binary *b, struct gl_trace_error *error)
{
    for (; !b->in_chunk; b->next++) {
        if (b->next >= b->end)
            return 0;
        if (!take_section(b, b->next, true, error))
            return -1;
    }
    return 1;
}

/* A batch ends with its chunk, since the operands of the next one take the place of this one's. */
static int binary_read(struct gl_trace_reader *r, struct gl_trace_batch *batch, struct gl_trace_error *error)
{
    struct binary *b = binary_of(r);
    int got = b->base.stream.more ? stream_next(b, error) : file_next(b, error);
    if (got <= 0)
        return got;
    const char *wrong =
        gl_chunk_read(&b->chunk, batch->events, batch->records, batch->capacity, &batch->count);
    if (wrong) {
        gl_trace_fail(error, b->chunk_offset, wrong);
        return -1;
    }
    b->in_chunk = b->chunk.at < b->chunk.head.events;
    return 1;
}

static uint64_t binary_chunks(const struct gl_trace_reader *r)
{
    return ((const struct binary *)r)->layout.n_chunks;
}

static bool binary_select(struct gl_trace_reader *r, uint64_t first, uint64_t count,
                          struct gl_trace_error *error)
{
    struct binary *b = binary_of(r);
    const struct gl_layout *l = &b->layout;
    if (first >= l->n_chunks || count == 0)
        return gl_trace_fail(error, 0, "the file has no such chunk");
    if (count > l->n_chunks - first)
        count = l->n_chunks - first;
    b->first_chunk = first;
    b->n_chunks = count;
    b->end = l->chunk[first + count - 1] + 1;
    return go_to(b, l->chunk[first], error);
}

static bool binary_seek(struct gl_trace_reader *r, uint64_t record, struct gl_trace_error *error)
{
    struct binary *b = binary_of(r);
    const struct gl_layout *l = &b->layout;
    size_t chunk = gl_layout_chunk_of(l, record);
    if (record == 0 || record > l->events || chunk < b->first_chunk || chunk - b->first_chunk >= b->n_chunks)
        return gl_trace_fail(error, 0, "the file has no such record");
    size_t place = l->chunk[chunk];
    if (!go_to(b, place, error) || !take_section(b, place, true, error))
        return false;
    b->next = place + 1;
    const char *wrong = gl_chunk_skip(&b->chunk, (uint32_t)(record - l->section[place].first));
    return !wrong || gl_trace_fail(error, l->section[place].offset, wrong);
}

static bool binary_is_complete(const struct gl_trace_reader *r)
{
    return ((const struct binary *)r)->layout.complete;
}

const struct gl_trace_kind gl_trace_binary = {
    .format = GL_TRACE_BINARY,
    .size = sizeof(struct binary),
    .detect = gl_layout_detect,
    .open = binary_open,
    .read = binary_read,
    .close = binary_close,
    .chunks = binary_chunks,
    .select = binary_select,
    .seek = binary_seek,
    .is_complete = binary_is_complete,
};
