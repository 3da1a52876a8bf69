/* SPDX-License-Identifier: Apache-2.0
 *
 * See binary_layout.h.
 */
#include <string.h>

#include "trace/binary_layout.h"
#include "trace/checksum.h"
#include "trace/text.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the structs of a file are copied as they are");
_Static_assert(
    sizeof(struct goldilocks_trace_head) == 16 && sizeof(struct goldilocks_trace_section) == 40 &&
        sizeof(struct goldilocks_trace_block) == 12 && sizeof(struct goldilocks_trace_events) == 16 &&
        sizeof(struct goldilocks_trace_shape) == 8 && sizeof(struct goldilocks_trace_name_run) == 16 &&
        sizeof(struct goldilocks_trace_stack) == 8 && sizeof(struct goldilocks_trace_frame) == 12 &&
        sizeof(struct goldilocks_trace_symbol) == 24 &&
        sizeof(struct goldilocks_trace_index_entry) == 24 && sizeof(struct goldilocks_trace_tail) == 16,
    "no padding");

enum {
    HEAD = sizeof(struct goldilocks_trace_head),
    SECTION = sizeof(struct goldilocks_trace_section),
    ENTRY = sizeof(struct goldilocks_trace_index_entry),
    TAIL = sizeof(struct goldilocks_trace_tail),
    ROOM_MIN = 256 /* sections */
};

bool gl_layout_detect(const unsigned char *bytes, size_t size, bool whole)
{
    (void)whole;
    return size >= 8 && memcmp(bytes, GOLDILOCKS_TRACE_MAGIC, 8) == 0;
}

/* ---- the table of sections ---- */

static size_t table_bytes(size_t room) { return room * (sizeof(struct gl_section) + sizeof(uint32_t)); }

static bool reserve(struct gl_layout *l, size_t need)
{
    if (need <= l->room)
        return true;
    size_t room = l->room ? l->room : ROOM_MIN;
    while (room < need)
        room *= 2;
    struct gl_section *section = l->env.map(l->env.ctx, table_bytes(room));
    if (!section)
        return false;
    uint32_t *chunk = (uint32_t *)(section + room);
    if (l->section) {
        memcpy(section, l->section, l->n * sizeof *section);
        memcpy(chunk, l->chunk, l->n_chunks * sizeof *chunk);
        l->env.unmap(l->env.ctx, l->section, table_bytes(l->room));
    }
    l->section = section;
    l->chunk = chunk;
    l->room = room;
    return true;
}

static bool add(struct gl_layout *l, struct gl_section s)
{
    if (l->n >= UINT32_MAX || !reserve(l, l->n + 1))
        return false;
    l->section[l->n] = s;
    if (s.type == GOLDILOCKS_TRACE_EVENTS) {
        l->chunk[l->n_chunks++] = (uint32_t)l->n;
        l->events += s.events;
    }
    l->n++;
    return true;
}

void gl_layout_fini(struct gl_layout *l)
{
    if (l->section)
        l->env.unmap(l->env.ctx, l->section, table_bytes(l->room));
    *l = (struct gl_layout){0};
}

size_t gl_layout_chunk_of(const struct gl_layout *l, uint64_t record)
{
    size_t low = 0, high = l->n_chunks; /* the chunk is in low .. high - 1 */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (l->section[l->chunk[middle]].first <= record)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- one section ---- */

/* Is a whole section here, as far as its head tells? */
enum look { LOOK_FINE, LOOK_CUT, LOOK_DAMAGED };

static enum look look_at(const unsigned char *bytes, size_t size, uint64_t offset,
                         struct goldilocks_trace_section *head)
{
    static const unsigned char nothing[SECTION];
    if (offset > size || size - offset < SECTION)
        return LOOK_CUT;
    memcpy(head, bytes + offset, SECTION);
    if (memcmp(head, nothing, SECTION) == 0)
        return LOOK_CUT; /* room that was reserved and never written */
    if (head->head_sum != gl_xxh64(head, offsetof(struct goldilocks_trace_section, head_sum)) ||
        head->type == 0)
        return LOOK_DAMAGED;
    return head->size <= size - offset - SECTION ? LOOK_FINE : LOOK_CUT;
}

bool gl_section_open(const struct gl_section *s, const unsigned char *bytes, size_t size,
                     struct goldilocks_trace_section *head, const unsigned char **payload,
                     struct gl_trace_error *error)
{
    if (s->type == 0 || look_at(bytes, size, s->offset, head) != LOOK_FINE)
        return gl_trace_fail(error, s->offset,
                             "the head of a section is damaged; what stands before it is good");
    *payload = bytes + s->offset + SECTION;
    if (gl_xxh64(*payload, head->size) != head->payload_sum)
        return gl_trace_fail(
            error, s->offset,
            "a section is damaged: its checksum does not match; what stands before it is good");
    if (head->type != s->type || (s->type == GOLDILOCKS_TRACE_EVENTS && head->first != s->first))
        return gl_trace_fail(error, s->offset, "this section is not what the index says; the index is wrong");
    return true;
}

/* ---- the whole file ---- */

/* The number of events of an EVENTS section whose head is fine; 0: the payload cannot tell. */
static uint32_t events_of(const unsigned char *bytes, uint64_t offset,
                          const struct goldilocks_trace_section *head)
{
    struct goldilocks_trace_events e;
    if (head->type != GOLDILOCKS_TRACE_EVENTS || head->size < sizeof e)
        return 0;
    memcpy(&e, bytes + offset + SECTION, sizeof e);
    return e.events <= GOLDILOCKS_TRACE_EVENTS_MAX ? e.events : 0;
}

/* The file has an index whose sums are right. */
static bool find_index(const unsigned char *bytes, size_t size, const unsigned char **payload,
                       uint64_t *entries)
{
    struct goldilocks_trace_tail tail;
    struct goldilocks_trace_section head;
    struct gl_trace_error ignored;
    if (size < HEAD + SECTION + TAIL)
        return false;
    memcpy(&tail, bytes + size - TAIL, TAIL);
    struct gl_section s = {.offset = tail.index, .type = GOLDILOCKS_TRACE_INDEX};
    if (memcmp(tail.magic, GOLDILOCKS_TRACE_END_MAGIC, 8) != 0 || tail.index < HEAD ||
        !gl_section_open(&s, bytes, size - TAIL, &head, payload, &ignored) ||
        tail.index + SECTION + head.size + TAIL != size || head.size % ENTRY != 0)
        return false;
    *entries = head.size / ENTRY;
    return true;
}

/* 1: the table is that of the index; 0: there is none that can be believed; -1: no memory. */
static int read_index(struct gl_layout *l, const unsigned char *bytes, size_t size)
{
    const unsigned char *payload;
    uint64_t n, after = HEAD, record = 1;
    if (!find_index(bytes, size, &payload, &n))
        return 0;
    for (uint64_t i = 0; i < n; i++) {
        struct goldilocks_trace_index_entry e;
        memcpy(&e, payload + i * ENTRY, ENTRY);
        bool events = e.type == GOLDILOCKS_TRACE_EVENTS;
        if (e.offset < after || e.offset > size - SECTION || e.type == 0 ||
            e.type == GOLDILOCKS_TRACE_INDEX ||
            (events ? e.first != record || e.events == 0 || e.events > GOLDILOCKS_TRACE_EVENTS_MAX
                    : e.events > 0)) {
            l->n = l->n_chunks = 0;
            l->events = 0;
            return 0;
        }
        if (!add(l, (struct gl_section){
                        .offset = e.offset, .first = e.first, .type = e.type, .events = e.events}))
            return -1;
        after = e.offset + SECTION;
        record += e.events;
    }
    return 1;
}

enum gl_look gl_layout_look(const unsigned char *bytes, size_t size, uint64_t offset, uint64_t events, struct gl_section *s,
                            uint64_t *need)
{
    struct goldilocks_trace_section head;
    *s = (struct gl_section){.offset = offset};
    *need = offset + SECTION;
    enum look look = look_at(bytes, size, offset, &head);
    if (look == LOOK_CUT) {
        bool headed = size >= *need;
        if (headed && head.type == 0)
            return GL_LOOK_END;
        if (headed)
            *need = head.size < UINT64_MAX - *need ? *need + head.size : UINT64_MAX;
        return GL_LOOK_CUT;
    }
    uint32_t in_it = look == LOOK_FINE ? events_of(bytes, offset, &head) : 0; /* of a damaged head, no size is known to be there */
    if (look == LOOK_FINE && head.type == GOLDILOCKS_TRACE_INDEX && head.first == events) {
        *need = offset + SECTION + head.size + TAIL;
        return GL_LOOK_INDEX;
    }
    if (look == LOOK_DAMAGED || head.type == GOLDILOCKS_TRACE_INDEX ||
        (head.type == GOLDILOCKS_TRACE_EVENTS && (head.first != events + 1 || in_it == 0)))
        return GL_LOOK_SECTION;
    *s = (struct gl_section){.offset = offset, .first = head.first, .type = head.type, .events = in_it};
    *need = offset + SECTION + head.size;
    return GL_LOOK_SECTION;
}

bool gl_layout_ends(const unsigned char *bytes, size_t size, uint64_t end, struct gl_trace_error *error)
{
    return end > size || !gl_layout_detect(bytes + end, size - end, true) ||
           gl_trace_fail(error, end, "another trace begins here; each is an execution of its own, give them one by one");
}

static const char no_memory[] = "there is not enough memory for the table of sections";

/* From section to section. */
static bool walk(struct gl_layout *l, const unsigned char *bytes, size_t size, struct gl_trace_error *error)
{
    struct gl_section s;
    for (uint64_t offset = HEAD;;) {
        enum gl_look look = gl_layout_look(bytes, size, offset, l->events, &s, &offset);
        if (look != GL_LOOK_SECTION) {
            l->complete = look == GL_LOOK_INDEX; /* it or the tail is not right, but all that they are about is here */
            return !l->complete || gl_layout_ends(bytes, size, offset, error);
        }
        if (!add(l, s))
            return gl_trace_fail(error, 0, no_memory);
        if (s.type == 0)
            return true;
    }
}

bool gl_layout_head(const unsigned char *bytes, size_t size, struct gl_trace_error *error)
{
    struct goldilocks_trace_head head;
    if (!gl_layout_detect(bytes, size, true))
        return gl_trace_fail(error, 0, "this is not a binary trace: it does not begin with the magic bytes");
    if (size < HEAD)
        return gl_trace_fail(error, size, "the file ends in its first 16 bytes");
    memcpy(&head, bytes, HEAD);
    return (head.version == GOLDILOCKS_TRACE_VERSION && head.reserved == 0) ||
           gl_trace_fail(error, offsetof(struct goldilocks_trace_head, version),
                         "this version of the binary format is not known; convert the trace with the version of "
                         "goldilocks that wrote it, or update");
}

bool gl_layout_read(struct gl_layout *l, const struct gl_env *env, const unsigned char *bytes, size_t size,
                    struct gl_trace_error *error)
{
    *l = (struct gl_layout){.env = *env};
    if (!gl_layout_head(bytes, size, error))
        return false;
    int index = read_index(l, bytes, size);
    l->complete = index > 0;
    if (index < 0)
        return gl_trace_fail(error, 0, no_memory);
    return index > 0 || walk(l, bytes, size, error);
}
