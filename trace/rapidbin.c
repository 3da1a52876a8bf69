/* SPDX-License-Identifier: Apache-2.0
 *
 * RapidBin, the binary traces of RAPID and WasmGrind: a header of counts, then 8 bytes per event, all big-endian.
 * docs/trace-text.md has the layout.
 */
#include "trace/reader.h"

enum { HEADER = 18, RECORD = 8 };

struct rapidbin {
    struct gl_trace_reader reader;
    uint64_t events, next;
};

static uint64_t big_endian(const unsigned char *p, unsigned bytes)
{
    uint64_t n = 0;
    while (bytes-- > 0)
        n = n << 8 | *p++;
    return n;
}

/* From bit 0: thread 10, operation 4, decor 34, location 15; bit 63 is not used. */
static unsigned thread_of(uint64_t record) { return record & 0x3ff; }
static unsigned operation_of(uint64_t record) { return record >> 10 & 0xf; }
static uint64_t decor_of(uint64_t record) { return record >> 14 & 0x3ffffffffu; }
static unsigned location_of(uint64_t record) { return record >> 48 & 0x7fff; }

static const struct {
    enum gl_op op;
    char letter; /* before the decor, in the operand's name */
} operations[] = {
    {GL_OP_ACQ, 'L'},  {GL_OP_REL, 'L'},  {GL_OP_READ, 'V'}, {GL_OP_WRITE, 'V'},
    {GL_OP_FORK, 'T'}, {GL_OP_JOIN, 'T'}, {GL_OP_BEGIN, 0},  {GL_OP_END, 0},
};

static uint64_t events_of(const unsigned char *bytes) { return big_endian(bytes + 10, 8); }

/* The header's number of events fits the size exactly; or it has zeroes, as no text has, and is believed. */
static bool rapidbin_detect(const unsigned char *bytes, size_t size, bool whole)
{
    if (size < HEADER || big_endian(bytes, 2) == 0)
        return false;
    uint64_t there = (size - HEADER) / RECORD;
    return whole ? (size - HEADER) % RECORD == 0 && events_of(bytes) == there : bytes[10] == 0 && events_of(bytes) >= there;
}

/* All bytes are there: are they as many as the header says? */
static bool fits(const struct rapidbin *r, struct gl_trace_error *error)
{
    const struct gl_trace_reader *base = &r->reader;
    uint64_t there = (base->size - HEADER) / RECORD;
    if (r->events != there || (base->size - HEADER) % RECORD != 0) {
        gl_trace_fail(error, r->events < there ? HEADER + r->events * RECORD : base->size,
                      "the header tells of ");
        struct gl_text t = {error->text, sizeof error->text, gl_text_length(error->text)};
        gl_text_number(&t, r->events);
        gl_text_add(&t, " events of 8 bytes, but the file has room for ");
        gl_text_number(&t, there);
        gl_text_add(&t, (base->size - HEADER) % RECORD ? " and a part of one" : "");
        return false;
    }
    return true;
}

static bool rapidbin_open(struct gl_trace_reader *base, struct gl_trace_error *error)
{
    struct rapidbin *r = (struct rapidbin *)base;
    if (base->size < HEADER)
        return gl_trace_fail(error, base->size, "the file ends within its header of 18 bytes");
    if (big_endian(base->bytes, 2) == 0)
        return gl_trace_fail(error, 0, "the header tells of no threads");
    r->events = events_of(base->bytes);
    return base->growing || fits(r, error);
}

/* Is there a record?  A stream is waited for, and what comes behind the last record only counted.  -1: *error is filled. */
static int record_comes(struct rapidbin *r, struct gl_trace_error *error)
{
    struct gl_trace_reader *base = &r->reader;
    int got = 1;
    while (got > 0 && (r->next == r->events || base->size < HEADER + (r->next + 1) * RECORD)) {
        got = gl_reader_more(base, error);
        if (r->next == r->events)
            gl_reader_release(base, base->size);
    }
    return got != 0 ? got : fits(r, error) ? 0 : -1;
}

/* The number of the name that is the letter and n; UINT32_MAX: no memory. */
static uint32_t numbered(struct gl_names *names, enum gl_name_kind kind, char letter, uint64_t n)
{
    char name[24];
    name[0] = letter;
    size_t length = letter != 0;
    return gl_name_number(names, kind, name, length + gl_decimal(name + length, n));
}

static bool event_of(struct gl_trace_reader *r, uint64_t record, struct gl_event *e)
{
    struct gl_names *names = r->names;
    unsigned i = operation_of(record);
    *e = (struct gl_event){.op = operations[i].op,
                           .thread = numbered(names, GL_NAME_THREAD, 'T', thread_of(record))};
    if (!r->no_locations)
        e->site = numbered(names, GL_NAME_LOCATION, 0, location_of(record));
    enum gl_name_kind kind = gl_name_kind_of_class(gl_op_class(e->op));
    uint32_t number =
        operations[i].letter ? numbered(names, kind, operations[i].letter, decor_of(record)) : 0;
    e->object = number;
    if (kind == GL_NAME_DATA && number != UINT32_MAX) {
        e->object = gl_data_of_name(names, number);
        e->size = 4;
    }
    return e->thread != UINT32_MAX && e->site != UINT32_MAX && number != UINT32_MAX &&
           e->object != UINT64_MAX;
}

static int rapidbin_read(struct gl_trace_reader *base, struct gl_trace_batch *batch,
                         struct gl_trace_error *error)
{
    struct rapidbin *r = (struct rapidbin *)base;
    gl_reader_release(base, HEADER + r->next * RECORD);
    for (; batch->count < batch->capacity; r->next++) {
        int comes = record_comes(r, error);
        if (comes < 0)
            return -1;
        if (!comes)
            break;
        uint64_t at = HEADER + r->next * RECORD, record = big_endian(base->bytes + at, RECORD);
        if (operation_of(record) >= sizeof operations / sizeof operations[0]) {
            gl_trace_fail(error, at, "operation ");
            struct gl_text t = {error->text, sizeof error->text, gl_text_length(error->text)};
            gl_text_number(&t, operation_of(record));
            gl_text_add(&t, " of a record is unknown; 0 to 7 are");
            return -1;
        }
        if (!event_of(base, record, &batch->events[batch->count])) {
            gl_trace_fail(error, at, GL_TRACE_NO_MEMORY);
            return -1;
        }
        batch->records[batch->count++] = r->next + 1;
    }
    return batch->count > 0;
}

const struct gl_trace_kind gl_trace_rapidbin = {
    .format = GL_TRACE_RAPIDBIN,
    .size = sizeof(struct rapidbin),
    .detect = rapidbin_detect,
    .open = rapidbin_open,
    .read = rapidbin_read,
};
