/* SPDX-License-Identifier: Apache-2.0
 *
 * See binary_chunk.h.
 */
#include <stddef.h>
#include <string.h>

#include "trace/binary_chunk.h"
#include "trace/binary_shape.h"

_Static_assert(offsetof(struct gl_event, order) == offsetof(struct gl_event, op) + 4 &&
                   offsetof(struct gl_event, n_reads) == offsetof(struct gl_event, size) + 4,
               "they are copied together");

static const char no_memory[] = "there is not enough memory to unpack a chunk";
static const char bad_operands[] = "the operands of an event are not all there, or are impossible";

bool gl_chunk_init(struct gl_chunk *c, const struct gl_env *env) { return gl_unpacker_init(&c->codec, env); }

static void space_free(struct gl_chunk *c)
{
    if (c->space)
        c->codec.env->unmap(c->codec.env->ctx, c->space, c->space_size);
    c->space = NULL;
    c->space_size = 0;
}

void gl_chunk_fini(struct gl_chunk *c)
{
    space_free(c);
    gl_codec_fini(&c->codec);
}

static bool space_reserve(struct gl_chunk *c, size_t need)
{
    if (need <= c->space_size)
        return true;
    space_free(c);
    size_t size = (need + 0xffff) & ~(size_t)0xffff;
    c->space = gl_env_map_whole(c->codec.env, size);
    if (c->space)
        c->space_size = size;
    return c->space;
}

/* ---- the start of a chunk ---- */

static bool take_shapes(struct gl_chunk *c, const unsigned char *at, const struct gl_names *names)
{
    c->has_operands = false;
    memset(c->kinds, 0, sizeof c->kinds);
    memset(c->shape, 0, sizeof c->shape);
    memset(c->size_in_operands, 0, sizeof c->size_in_operands);
    for (unsigned i = 0; i < c->head.shapes; i++) {
        struct goldilocks_trace_shape s;
        memcpy(&s, at + i * sizeof s, sizeof s);
        if (s.op >= GL_OP_COUNT || s.order > (gl_shape_has_order((enum gl_op)s.op) ? GL_SC : 0) ||
            s.flags > GOLDILOCKS_TRACE_SIZE_IN_OPERANDS)
            return false;
        enum gl_op op = (enum gl_op)s.op;
        c->shape[i] = (struct gl_event){.op = op, .order = (enum gl_order)s.order, .size = s.size};
        c->size_in_operands[i] = (uint8_t)s.flags;
        if (s.flags ? op != GL_OP_ALLOC || s.size > 0 : !gl_shape_has_size(op, s.size))
            return false;
        c->kinds[i] = (struct gl_chunk_kind){.limit = gl_shape_limit(op, s.size, names)};
        memcpy(c->kinds[i].size, &c->shape[i].size, sizeof c->kinds[i].size);
        memcpy(c->kinds[i].op_order, &c->shape[i].op, sizeof c->kinds[i].op_order);
        c->has_operands |= s.flags || op == GL_OP_COMMIT;
    }
    return true;
}

/* The blocks of a chunk, one after the other. */
struct cursor {
    const unsigned char *head, *body;
    uint64_t left; /* bytes of bodies */
};

/* The next block, which is valid and unpacks to `unpacked` bytes. */
static bool next_block(struct cursor *from, uint64_t unpacked, struct goldilocks_trace_block *b,
                       const unsigned char **body)
{
    memcpy(b, from->head, sizeof *b);
    if (!gl_block_is_valid(b, from->left) || b->unpacked != unpacked)
        return false;
    *body = from->body;
    from->head += sizeof *b;
    from->body += b->packed;
    from->left -= b->packed;
    return true;
}

/* plane: NULL, it is passed over. */
static bool take_plane(struct gl_chunk *c, struct cursor *from, unsigned number, unsigned char **space,
                       struct gl_plane *plane)
{
    struct goldilocks_trace_block b;
    const unsigned char *body;
    if (!next_block(from, c->head.events, &b, &body))
        return false;
    if (!plane)
        return true;
    *plane = (struct gl_plane){.at = body};
    if (b.coding == GOLDILOCKS_TRACE_CONSTANT) {
        *plane = (struct gl_plane){.at = c->constant[number], .constant = true};
        memset(c->constant[number], body[0], GL_CHUNK_STEP);
    } else if (b.coding != GOLDILOCKS_TRACE_STORED) {
        plane->at = *space;
        *space += b.unpacked;
        return gl_unpack(&c->codec, &b, body, *space - b.unpacked);
    }
    return true;
}

static bool take_planes(struct gl_chunk *c, struct cursor *from, unsigned *number, unsigned char **space,
                        struct gl_plane *plane, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!take_plane(c, from, (*number)++, space, plane ? &plane[i] : NULL))
            return false;
    return true;
}

static const char *take_blocks(struct gl_chunk *c, struct cursor from)
{
    static const char damaged[] = "a column of a chunk is not what its head says";
    size_t packed_planes = 0;
    unsigned planes = 1u + c->head.thread_bytes + c->head.object_bytes + c->head.site_bytes;
    for (unsigned i = 0; i < planes; i++) {
        struct goldilocks_trace_block b;
        memcpy(&b, from.head + i * sizeof b, sizeof b);
        packed_planes += b.coding == GOLDILOCKS_TRACE_ZSTD || b.coding == GOLDILOCKS_TRACE_FOUR;
    }
    uint64_t operand_bytes = (uint64_t)c->head.operands * sizeof(uint64_t);
    /* Operands come first: they want alignment. */
    if (!space_reserve(c, packed_planes * c->head.events + operand_bytes + 1))
        return no_memory;
    c->operand = (uint64_t *)(void *)c->space;
    unsigned char *space = c->space + operand_bytes;
    unsigned number = 0;
    if (!take_planes(c, &from, &number, &space, &c->kind, 1) ||
        !take_planes(c, &from, &number, &space, c->thread, c->head.thread_bytes) ||
        !take_planes(c, &from, &number, &space, c->object, c->head.object_bytes) ||
        !take_planes(c, &from, &number, &space, c->no_sites ? NULL : c->site, c->head.site_bytes))
        return damaged;
    if (c->head.operands > 0) {
        struct goldilocks_trace_block b;
        const unsigned char *body;
        if (!next_block(&from, operand_bytes, &b, &body) || !gl_unpack(&c->codec, &b, body, c->space))
            return damaged;
    }
    return from.left == 0 ? NULL : "a chunk is longer than its columns";
}

const char *gl_chunk_open(struct gl_chunk *c, const unsigned char *payload, uint64_t size, uint64_t first,
                          const struct gl_names *names)
{
    struct goldilocks_trace_events *h = &c->head;
    c->first = first;
    c->at = 0;
    c->operand_at = 0;
    if (size < sizeof *h)
        return "a chunk ends within its head";
    memcpy(h, payload, sizeof *h);
    if (h->events < 1 || h->events > GOLDILOCKS_TRACE_EVENTS_MAX ||
        h->operands > GOLDILOCKS_TRACE_OPERANDS_MAX || h->shapes < 1 ||
        h->shapes > GOLDILOCKS_TRACE_SHAPES_MAX || h->thread_bytes > 4 || h->object_bytes > 8 ||
        h->site_bytes > 4 || h->reserved[0] || h->reserved[1] || h->reserved[2])
        return "the head of a chunk is impossible";
    unsigned blocks = 1u + h->thread_bytes + h->object_bytes + h->site_bytes + (h->operands > 0);
    uint64_t shapes_at = sizeof *h, blocks_at = shapes_at + h->shapes * sizeof(struct goldilocks_trace_shape),
             bodies_at = blocks_at + blocks * sizeof(struct goldilocks_trace_block);
    if (bodies_at > size)
        return "a chunk ends within its head";
    if (!take_shapes(c, payload + shapes_at, names))
        return "a chunk names an operation, an order or a size that does not exist";
    c->threads = gl_names_count(names, GL_NAME_THREAD);
    c->sites = gl_names_count(names, GL_NAME_LOCATION);
    c->data_end = gl_data_end(names);
    return take_blocks(c, (struct cursor){payload + blocks_at, payload + bodies_at, size - bodies_at});
}

/* ---- events ---- */

static const unsigned char *plane_at(const struct gl_plane *p, uint32_t event)
{
    return p->at + (p->constant ? 0 : event);
}

/* out[0..n) := the numbers whose `count` (0..4) lowest planes these are, from event `at` on. */
static inline void gather(uint32_t *restrict out, const struct gl_plane *p, unsigned count, uint32_t at,
                          unsigned n)
{
    const unsigned char *restrict a, *restrict b, *restrict c, *restrict d;
    switch (count) {
    case 0:
        memset(out, 0, n * sizeof *out);
        break;
    case 1:
        a = plane_at(&p[0], at);
        for (unsigned i = 0; i < n; i++)
            out[i] = a[i];
        break;
    case 2:
        a = plane_at(&p[0], at), b = plane_at(&p[1], at);
        for (unsigned i = 0; i < n; i++)
            out[i] = a[i] | (uint32_t)b[i] << 8;
        break;
    case 3:
        a = plane_at(&p[0], at), b = plane_at(&p[1], at), c = plane_at(&p[2], at);
        for (unsigned i = 0; i < n; i++)
            out[i] = a[i] | (uint32_t)b[i] << 8 | (uint32_t)c[i] << 16;
        break;
    default:
        a = plane_at(&p[0], at), b = plane_at(&p[1], at), c = plane_at(&p[2], at), d = plane_at(&p[3], at);
        for (unsigned i = 0; i < n; i++)
            out[i] = a[i] | (uint32_t)b[i] << 8 | (uint32_t)c[i] << 16 | (uint32_t)d[i] << 24;
    }
}

/* All columns from event c->at on.  With a constant n the loops become vector code, with few and wide steps.  False: a number is too large. */
static inline bool gather_all(struct gl_chunk *c, unsigned n)
{
    unsigned object_bytes = c->head.object_bytes, low = object_bytes < 4 ? object_bytes : 4;
    uint32_t threads = c->threads, sites = c->sites, bad = 0;
    gather(c->column.thread, c->thread, c->head.thread_bytes, c->at, n);
    gather(c->column.low, c->object, low, c->at, n);
    gather(c->column.high, c->object + low, object_bytes - low, c->at, n);
    gather(c->column.site, c->site, c->no_sites ? 0 : c->head.site_bytes, c->at, n);
    for (unsigned i = 0; i < n; i++)
        bad |= (uint32_t)(c->column.thread[i] >= threads) | (uint32_t)(c->column.site[i] >= sites);
    for (unsigned i = 0; i < n; i++)
        c->column.object[i] = c->column.low[i] | (uint64_t)c->column.high[i] << 32;
    return !bad;
}

/* n <= GL_CHUNK_STEP events from c->at on.  False: one of them names what the file does not. */
static bool put_together(struct gl_chunk *c, struct gl_event *restrict events, uint64_t *restrict records,
                         unsigned n)
{
    const unsigned char *kind = plane_at(&c->kind, c->at);
    uint64_t record = c->first + c->at;
    bool bad = n == GL_CHUNK_STEP ? !gather_all(c, GL_CHUNK_STEP) : !gather_all(c, n);
    for (unsigned i = 0; i < n; i++) {
        const struct gl_chunk_kind *k = &c->kinds[kind[i]];
        struct gl_event *e = &events[i];
        uint64_t object = c->column.object[i];
        memcpy(&e->op, k->op_order, sizeof k->op_order);
        e->thread = c->column.thread[i];
        e->site = c->column.site[i];
        e->object = object;
        memcpy(&e->size, k->size, sizeof k->size);
        memset(&e->n_writes, 0, sizeof *e - offsetof(struct gl_event, n_writes));
        records[i] = record + i;
        bad |= object >= k->limit;
    }
    return !bad;
}

/* The list of one COMMIT.  NULL: it is not there or not right. */
static const uint64_t *take_list(struct gl_chunk *c, uint32_t n)
{
    if (n > c->head.operands - c->operand_at)
        return NULL;
    const uint64_t *list = c->operand + c->operand_at;
    for (uint32_t i = 0; i < n; i++)
        if (list[i] >= c->data_end)
            return NULL;
    c->operand_at += n;
    return list;
}

/* Gives an event what it has among the operands. */
static bool take_operands(struct gl_chunk *c, struct gl_event *e)
{
    const uint64_t *o = c->operand + c->operand_at;
    uint64_t left = c->head.operands - c->operand_at;
    if (e->op != GL_OP_COMMIT) {
        if (left < 1 || o[0] > UINT32_MAX || o[0] > c->data_end - e->object)
            return false;
        e->size = (uint32_t)o[0];
        c->operand_at++;
        return true;
    }
    if (left < 2 || o[0] > left || o[1] > left)
        return false;
    c->operand_at += 2;
    e->n_reads = (uint32_t)o[0];
    e->n_writes = (uint32_t)o[1];
    e->reads = take_list(c, e->n_reads);
    e->writes = e->reads ? take_list(c, e->n_writes) : NULL;
    return e->writes;
}

static bool wants_operands(const struct gl_chunk *c, unsigned kind)
{
    return c->size_in_operands[kind] || c->shape[kind].op == GL_OP_COMMIT;
}

/* NULL, or what is wrong with one of n <= GL_CHUNK_STEP events. */
static const char *step(struct gl_chunk *c, struct gl_event *events, uint64_t *records, unsigned n)
{
    if (!put_together(c, events, records, n))
        return "an event names a thread, an object or a location that the file does not name before it";
    if (c->has_operands) {
        const unsigned char *kind = plane_at(&c->kind, c->at);
        for (unsigned i = 0; i < n; i++)
            if (wants_operands(c, kind[i]) && !take_operands(c, &events[i]))
                return bad_operands;
    }
    c->at += n;
    return NULL;
}

const char *gl_chunk_read(struct gl_chunk *c, struct gl_event *events, uint64_t *records, size_t n,
                          size_t *got)
{
    size_t left = c->head.events - c->at, done = 0;
    if (n > left)
        n = left;
    while (done < n) {
        unsigned now = n - done < GL_CHUNK_STEP ? (unsigned)(n - done) : GL_CHUNK_STEP;
        const char *wrong = step(c, events + done, records + done, now);
        if (wrong)
            return wrong;
        done += now;
    }
    if (c->at == c->head.events && c->operand_at != c->head.operands)
        return bad_operands;
    *got = n;
    return NULL;
}

const char *gl_chunk_skip(struct gl_chunk *c, uint32_t n)
{
    uint32_t to = c->at + n;
    for (; c->at < to && c->has_operands; c->at++) {
        unsigned kind = c->kind.at[c->kind.constant ? 0 : c->at];
        struct gl_event e = c->shape[kind]; /* only its operands are looked at */
        if (wants_operands(c, kind) && !take_operands(c, &e))
            return bad_operands;
    }
    c->at = to;
    return NULL;
}
