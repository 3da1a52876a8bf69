/* SPDX-License-Identifier: Apache-2.0
 *
 * Events as STD text with our extension (docs/trace-text.md): what the STD reader reads back as the same events.
 *
 * Some events have no form in the text: an access to a part of a named variable, or across several places; a load that releases, or a
 * store that acquires.  Readers of text give none such, and writing one fails.
 */
#include <string.h>

#include "trace/lines.h"
#include "trace/text.h"
#include "trace/writer_impl.h"

enum {
    BUFFER = 1 << 16,
    WORD = 64, /* no number or fixed word is longer */
    PAGE = 4096,
    CELL = 4,
    RUN_MAX = 16 /* bytes of one operand of a commit, as the reader takes them */
};

struct std_writer {
    struct gl_trace_writer writer;
    char buffer[BUFFER];
    size_t n;
    bool escape[256];   /* bytes that no name shows as they are */
    bool brackets[256]; /* those that a location may show all the same */
};

/* ---- characters ---- */

static bool flush(struct std_writer *w)
{
    size_t n = w->n;
    w->n = 0;
    return gl_writer_put(&w->writer, w->buffer, n);
}

/* Room for a word, also when writing has failed: then it goes nowhere. */
static char *room(struct std_writer *w)
{
    if (w->n > BUFFER - WORD)
        flush(w);
    return w->buffer + w->n;
}

static void put(struct std_writer *w, char c)
{
    *room(w) = c;
    w->n++;
}

static void put_word(struct std_writer *w, const char *word)
{
    char *to = room(w);
    size_t n = gl_text_length(word); // < WORD: our own
    memcpy(to, word, n);
    w->n += n;
}

static void put_escaped(struct std_writer *w, unsigned char c)
{
    char *to = room(w);
    to[0] = '%';
    to[1] = "0123456789ABCDEF"[c >> 4];
    to[2] = "0123456789ABCDEF"[c & 15];
    w->n += 3;
}

/* 122 would come back as T122. */
static bool is_number(const char *name)
{
    while (*name >= '0' && *name <= '9')
        name++;
    return !*name;
}

/* A name, so that the reader gets the same one.  False: it has none. */
static bool put_name(struct std_writer *w, enum gl_name_kind kind, uint64_t number)
{
    const char *name = number < UINT32_MAX ? gl_name_of(w->writer.names, kind, (uint32_t)number) : NULL;
    if (!name)
        return false;
    if (!*name)
        put(w, '%');
    /* At the beginning of a text the mark of UTF-8 would be none of the name's. */
    bool first = kind == GL_NAME_THREAD && (is_number(name) || gl_text_mark(name, strlen(name)));
    for (const char *s = name; *s; s++) {
        unsigned char c = (unsigned char)*s;
        bool edge = s == name || !s[1], after_blank = s == name || s[-1] == ' ';
        bool bracket = kind == GL_NAME_LOCATION && w->brackets[c];
        if ((w->escape[c] && !bracket) || (first && s == name) || (c == ' ' && edge) ||
            (c == '#' && after_blank) || (c == '@' && s == name))
            put_escaped(w, c);
        else
            put(w, (char)c);
    }
    return true;
}

static void put_address(struct std_writer *w, uint64_t address, uint64_t size)
{
    char *to = room(w), *at = to;
    *at++ = '@';
    at += gl_hexadecimal(at, address);
    if (size > 1) {
        *at++ = '+';
        at += gl_decimal(at, size); // 1 + 16 + 1 + 20 characters < WORD
    }
    w->n += (size_t)(at - to);
}

/* ---- operands ---- */

/* size bytes of data at `place`; of a named variable `cell` of them. */
static bool put_data(struct std_writer *w, uint64_t place, uint64_t size, uint64_t cell)
{
    uint64_t base;
    if (place >= gl_data_end(w->writer.names) || size == 0 || place % PAGE + size > PAGE)
        return false;
    if (gl_data_page(w->writer.names, place / PAGE, &base)) {
        put_address(w, base + place % PAGE, size);
        return true;
    }
    return place % CELL == 0 && size == cell && put_name(w, GL_NAME_DATA, base + place % PAGE / CELL);
}

/* How many of n > 0 bytes lie one after the other, in one page of addresses. */
static uint64_t run_of(const struct std_writer *w, const uint64_t *bytes, uint32_t n)
{
    uint64_t base, run = 1;
    if (bytes[0] >= gl_data_end(w->writer.names) || !gl_data_page(w->writer.names, bytes[0] / PAGE, &base))
        return 1;
    while (run < n && run < RUN_MAX && bytes[run] == bytes[0] + run && bytes[run] % PAGE != 0)
        run++;
    return run;
}

static bool put_list(struct std_writer *w, const uint64_t *bytes, uint32_t n)
{
    for (uint64_t i = 0, run; i < n; i += run) {
        run = run_of(w, bytes + i, n - (uint32_t)i);
        if (i > 0)
            put(w, ',');
        if (!put_data(w, bytes[i], run, 1))
            return false;
    }
    return true;
}

static bool put_operand(struct std_writer *w, const struct gl_event *e)
{
    switch (gl_op_class(e->op)) {
    case GL_CLASS_DATA:
        return put_data(w, e->object, e->size, CELL);
    case GL_CLASS_ATOMIC:
        if (e->size > 0)
            return put_data(w, e->object, e->size, CELL);
        if (!put_name(w, GL_NAME_ATOMIC, e->object))
            return false;
        put_word(w, ",0");
        return true;
    case GL_CLASS_TRANSACTION:
        if (!put_list(w, e->reads, e->n_reads))
            return false;
        put(w, ';');
        return put_list(w, e->writes, e->n_writes);
    default:
        return put_name(w, gl_name_kind_of_class(gl_op_class(e->op)), e->object);
    }
}

static bool put_event(struct std_writer *w, const struct gl_event *e)
{
    enum gl_class class = gl_op_class(e->op);
    if (!put_name(w, GL_NAME_THREAD, e->thread))
        return false;
    put(w, '|');
    put_word(w, gl_op_name(e->op));
    if (class == GL_CLASS_ATOMIC || e->op == GL_OP_FENCE) {
        if (!gl_order_fits(e->op, e->order))
            return false;
        put(w, '.');
        put_word(w, gl_order_name(e->order));
    }
    if (class != GL_CLASS_NONE) {
        put(w, '(');
        if (!put_operand(w, e))
            return false;
        put(w, ')');
    }
    if (e->site) {
        put(w, '|');
        if (!put_name(w, GL_NAME_LOCATION, e->site))
            return false;
    }
    put(w, '\n');
    return true;
}

/* ---- the format ---- */

static bool std_open(struct gl_trace_writer *base)
{
    struct std_writer *w = (struct std_writer *)base;
    for (int c = 0; c < ' '; c++)
        w->escape[c] = true;
    for (const char *s = "|(),;%\x7f"; *s; s++)
        w->escape[(unsigned char)*s] = true;
    for (const char *s = "(),;"; *s; s++)
        w->brackets[(unsigned char)*s] = true;
    return true;
}

static bool std_write(struct gl_trace_writer *base, const struct gl_event *events, size_t n)
{
    struct std_writer *w = (struct std_writer *)base;
    for (size_t i = 0; i < n; i++)
        if (!put_event(w, &events[i]))
            return false;
    return !base->failed;
}

static bool std_close(struct gl_trace_writer *base) { return flush((struct std_writer *)base); }

const struct gl_trace_writer_kind gl_trace_std_writer = {
    .format = GL_TRACE_STD,
    .size = sizeof(struct std_writer),
    .open = std_open,
    .write = std_write,
    .close = std_close,
};
