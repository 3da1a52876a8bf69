/* SPDX-License-Identifier: Apache-2.0
 *
 * What all text formats share (private to trace/): going through a trace line by line, events put together from the
 * words of a line, and errors that name the line and the column.
 */
#ifndef GL_TRACE_LINES_H
#define GL_TRACE_LINES_H

#include "trace/reader.h"
#include "trace/token.h"

/* A piece of a line. */
struct gl_slice {
    const char *at;
    size_t n;
};

/* An operation as text formats write it: "r", "ld.acq" ... */
struct gl_verb {
    uint64_t key;     /* its first 8 characters, first one lowest; 0: no verb */
    const char *rest; /* the characters after those, zero-terminated */
    enum gl_op op;
    enum gl_order order;
    enum gl_name_kind kind; /* of its operand; GL_NAME_KINDS: it has none, or a list */
};
enum { GL_VERBS = 128 }; /* slots, open addressing */

/* The rest of an access to more bytes than one event can tell of. */
struct gl_pieces {
    struct gl_event event;
    uint64_t address, left; /* bytes */
};

/* A reader of a text format is a struct that begins with this. */
struct gl_lines {
    struct gl_trace_reader reader;
    const char *next, *end; /* what has not been read yet */
    const char *line;       /* the present line, without its end */
    const char *line_end;
    uint64_t number; /* of the present line, from 1 */
    struct gl_trace_batch *batch;
    struct gl_trace_error *error;
    struct gl_tokens tokens;
    struct gl_verb verb[GL_VERBS];
    struct gl_pieces pieces;
    uint64_t *pool; /* operands of the commits in the batch; while it grows, the events hold indices */
    size_t pool_n, pool_capacity;
    bool verbatim; /* operands are names, whatever characters they have; else as in docs/trace-text.md */
    const struct gl_verb *letter[2];    /* the operations of one letter, by its lowest bit: r, w */
    uint64_t last_thread;               /* std.c: the text of the last easy line's, and its number */
    uint32_t last_thread_number;
    bool atomics_with_data, atomics_without; /* met so far */
};

/* One line, from l->line to l->line_end; adds its events (if any) with gl_lines_event().  False: gl_lines_fail(). */
typedef bool gl_line_fn(struct gl_lines *l);
/* Adds events of the lines from l->next on, as long as they are easy.  Stops before the first that is not, or at a
 * full batch. */
typedef void gl_easy_lines_fn(struct gl_lines *l);

/* The three functions of struct gl_trace_kind, but for what the format adds.  easy: NULL, there are none. */
void gl_lines_open(struct gl_lines *l, bool verbatim);
int gl_lines_read(struct gl_lines *l, struct gl_trace_batch *batch, struct gl_trace_error *error,
                  gl_line_fn *line, gl_easy_lines_fn *easy);
void gl_lines_close(struct gl_trace_reader *r);

/* Adds what a line says.  place: its location, n == 0: none.  Operands: docs/trace-text.md.  False: *error is filled. */
bool gl_lines_event(struct gl_lines *l, struct gl_slice thread, const struct gl_verb *verb,
                    struct gl_slice operand, struct gl_slice place);

/* Adds what is left of an access to many bytes, as far as the batch has room. */
bool gl_lines_pieces(struct gl_lines *l);

/* NULL: there is no such operation. */
const struct gl_verb *gl_verb_find(const struct gl_lines *l, struct gl_slice word);
static inline const struct gl_verb *gl_verb_slot(const struct gl_lines *l, uint64_t key, unsigned i)
{
    return &l->verb[((key * 0x9e3779b97f4a7c15u >> 57) + i) % GL_VERBS];
}

/* *error := before + the piece of the line in quotes + after, at the place of the piece.  Always false. */
bool gl_lines_fail(struct gl_lines *l, const char *before, struct gl_slice piece, const char *after);
/* The same with a sentence that quotes nothing. */
bool gl_lines_fail_at(struct gl_lines *l, const char *at, const char *sentence);

/* True: no control character in it, as in any text.  False: *error is filled. */
bool gl_lines_printable(struct gl_lines *l, struct gl_slice s);

static inline bool gl_is_blank(char c) { return c == ' ' || c == '\t'; }
/* Without blanks at its ends. */
struct gl_slice gl_trim(const char *from, const char *to);
static inline bool gl_slice_is(struct gl_slice s, const char *word)
{
    return s.n == gl_text_length(word) && memcmp(s.at, word, s.n) == 0;
}
/* How many bytes a text begins with that are none of its own: the mark of UTF-8, which some programs put there. */
static inline size_t gl_text_mark(const void *bytes, size_t size) { return size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; }
/* The first line of a text that is neither blank nor a comment (n == 0: there is none).  Looks at the first 64 KiB. */
struct gl_slice gl_first_line(const unsigned char *bytes, size_t size);

#endif
