/* SPDX-License-Identifier: Apache-2.0
 *
 * Going through a text line by line, see lines.h.
 */
#include "trace/lines.h"

enum {
    DETECT_MAX = 1 << 16, /* bytes */
    POOL_FULL = 1 << 16   /* a batch ends when its commits have so many operands */
};

struct gl_slice gl_trim(const char *from, const char *to)
{
    while (from < to && gl_is_blank(*from))
        from++;
    while (from < to && gl_is_blank(to[-1]))
        to--;
    return (struct gl_slice){from, (size_t)(to - from)};
}

/* The end of the line that begins at `from`, without its line end. */
static const char *line_end(const char *from, const char *end, const char **next)
{
    const char *newline = memchr(from, '\n', (size_t)(end - from));
    *next = newline ? newline + 1 : end;
    if (!newline)
        newline = end;
    return newline > from && newline[-1] == '\r' ? newline - 1 : newline;
}

struct gl_slice gl_first_line(const unsigned char *bytes, size_t size)
{
    const char *at = (const char *)bytes, *end = at + (size < DETECT_MAX ? size : DETECT_MAX);
    at += gl_text_mark(bytes, size);
    while (at < end) {
        const char *next, *to = line_end(at, end, &next);
        struct gl_slice line = gl_trim(at, to);
        if (line.n > 0 && line.at[0] != '#')
            return line;
        at = next;
    }
    return (struct gl_slice){end, 0};
}

bool gl_lines_fail(struct gl_lines *l, const char *before, struct gl_slice piece, const char *after)
{
    (void)gl_lines_fail_at(l, piece.at, before);
    struct gl_text t = gl_text_in(l->error->text, sizeof l->error->text);
    gl_text_add(&t, before);
    gl_text_add(&t, "'");
    gl_text_quote(&t, piece.at, piece.n);
    gl_text_add(&t, "'");
    gl_text_add(&t, after);
    return false;
}

bool gl_lines_fail_at(struct gl_lines *l, const char *at, const char *sentence)
{
    size_t column = (size_t)(at - l->line) + 1;
    (void)gl_trace_fail(l->error, (uint64_t)(at - (const char *)l->reader.bytes), sentence);
    l->error->line = l->number;
    l->error->column = column < UINT32_MAX ? (uint32_t)column : UINT32_MAX;
    return false;
}

bool gl_lines_printable(struct gl_lines *l, struct gl_slice s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.at[i] < ' ' || s.at[i] == 0x7f)
            return gl_lines_fail_at(l, s.at + i, "a control character; this is no text");
    return true;
}

/* ---- verbs ---- */

static uint64_t key_of(struct gl_slice word)
{
    char padded[8] = {0};
    memcpy(padded, word.at, word.n < 8 ? word.n : 8);
    return gl_load8(padded);
}

static void verb_add(struct gl_lines *l, const char *word, enum gl_op op, enum gl_order order)
{
    struct gl_slice s = {word, gl_text_length(word)};
    unsigned i = 0;
    while (gl_verb_slot(l, key_of(s), i)->key)
        i++;
    struct gl_verb *v = &l->verb[gl_verb_slot(l, key_of(s), i) - l->verb];
    *v = (struct gl_verb){.key = key_of(s),
                          .rest = s.n > 8 ? word + 8 : "",
                          .op = op,
                          .order = order,
                          .kind = gl_name_kind_of_class(gl_op_class(op))};
}

/* The orders that C11 gives an operation; the words are constants because verbs point to them. */
static const struct {
    const char *word;
    enum gl_op op;
    enum gl_order order;
} ordered[] = {
    {"ld.rlx", GL_OP_LOAD, GL_RLX},     {"ld.acq", GL_OP_LOAD, GL_ACQ},
    {"ld.sc", GL_OP_LOAD, GL_SC},       {"st.rlx", GL_OP_STORE, GL_RLX},
    {"st.rel", GL_OP_STORE, GL_REL},    {"st.sc", GL_OP_STORE, GL_SC},
    {"rmw.rlx", GL_OP_RMW, GL_RLX},     {"rmw.acq", GL_OP_RMW, GL_ACQ},
    {"rmw.rel", GL_OP_RMW, GL_REL},     {"rmw.ar", GL_OP_RMW, GL_AR},
    {"rmw.sc", GL_OP_RMW, GL_SC},       {"fence.rlx", GL_OP_FENCE, GL_RLX},
    {"fence.acq", GL_OP_FENCE, GL_ACQ}, {"fence.rel", GL_OP_FENCE, GL_REL},
    {"fence.ar", GL_OP_FENCE, GL_AR},   {"fence.sc", GL_OP_FENCE, GL_SC},
};

static bool takes_order(enum gl_op op) { return gl_op_class(op) == GL_CLASS_ATOMIC || op == GL_OP_FENCE; }

const struct gl_verb *gl_verb_find(const struct gl_lines *l, struct gl_slice word)
{
    uint64_t key = key_of(word);
    for (unsigned i = 0;; i++) {
        const struct gl_verb *v = gl_verb_slot(l, key, i);
        if (!v->key)
            return NULL;
        if (v->key == key &&
            gl_slice_is(word.n > 8 ? (struct gl_slice){word.at + 8, word.n - 8} : (struct gl_slice){"", 0},
                        v->rest))
            return v;
    }
}

/* ---- reading ---- */

void gl_lines_open(struct gl_lines *l, bool verbatim)
{
    l->verbatim = verbatim;
    l->next = (const char *)l->reader.bytes + gl_text_mark(l->reader.bytes, l->reader.size);
    l->end = (const char *)l->reader.bytes + l->reader.size;
    gl_tokens_init(&l->tokens, &l->reader.env, l->reader.names, !verbatim);
    for (int op = 0; op < GL_OP_COUNT; op++)
        if (!takes_order((enum gl_op)op))
            verb_add(l, gl_op_name((enum gl_op)op), (enum gl_op)op, GL_RLX);
    for (size_t i = 0; i < sizeof ordered / sizeof ordered[0]; i++)
        verb_add(l, ordered[i].word, ordered[i].op, ordered[i].order);
    l->letter['r' & 1] = gl_verb_find(l, (struct gl_slice){"r", 1});
    l->letter['w' & 1] = gl_verb_find(l, (struct gl_slice){"w", 1});
}

void gl_lines_close(struct gl_trace_reader *r)
{
    struct gl_lines *l = (struct gl_lines *)r;
    if (l->next)
        gl_tokens_fini(&l->tokens);
    if (l->pool)
        r->env.unmap(r->env.ctx, l->pool, l->pool_capacity * sizeof *l->pool);
}

/* The events of the batch's commits get the addresses of their operands, which have stopped moving. */
static void commits_finish(struct gl_lines *l)
{
    if (l->pool_n == 0)
        return;
    for (size_t i = 0; i < l->batch->count; i++) {
        struct gl_event *e = &l->batch->events[i];
        if (e->op == GL_OP_COMMIT) {
            e->reads = l->pool + e->object;
            e->writes = e->reads + e->n_reads;
            e->object = 0;
        }
    }
}

/* Is there a line at l->next?  All of it, then: a stream is waited for.  -1: *l->error is filled. */
static int whole_line(struct gl_lines *l)
{
    struct gl_trace_reader *r = &l->reader;
    for (size_t seen = 0; r->growing;) {
        size_t left = (size_t)(l->end - l->next);
        if (memchr(l->next + seen, '\n', left - seen))
            return 1;
        seen = left;
        if (left >= GL_STREAM_PIECE) {
            gl_trace_fail(l->error, (uint64_t)(l->next - (const char *)r->bytes),
                          "a line of more than 64 MiB in what comes through a pipe; give a file");
            return -1;
        }
        if (gl_reader_more(r, l->error) < 0)
            return -1;
        l->end = (const char *)r->bytes + r->size;
    }
    return l->next < l->end;
}

int gl_lines_read(struct gl_lines *l, struct gl_trace_batch *batch, struct gl_trace_error *error,
                  gl_line_fn *line, gl_easy_lines_fn *easy)
{
    l->batch = batch;
    l->error = error;
    l->pool_n = 0;
    gl_reader_release(&l->reader, (size_t)(l->next - (const char *)l->reader.bytes));
    bool good = gl_lines_pieces(l);
    while (good && batch->count < batch->capacity && l->pool_n < POOL_FULL) {
        if (easy) {
            easy(l);
            if (batch->count == batch->capacity)
                break;
        }
        int there = whole_line(l);
        if (there <= 0) {
            good = there == 0;
            break;
        }
        l->line = l->next;
        l->line_end = line_end(l->line, l->end, &l->next);
        l->number++;
        good = line(l);
    }
    commits_finish(l);
    return good ? batch->count > 0 : -1;
}
