/* SPDX-License-Identifier: Apache-2.0
 *
 * Events as comma-separated values: thread,operation,operand,location, with or without a header line that names the
 * columns in another order.  docs/trace-text.md says what is accepted.
 */
#include "trace/lines.h"

enum { COLUMNS_MAX = 32 };

enum column { THREAD, OPERATION, OPERAND, LOCATION, COLUMNS };

struct csv {
    struct gl_lines lines;
    int column[COLUMNS]; /* which field of a line it is; -1: none */
    bool begun;          /* the header, or the first event, has been read */
};

/* What a header may call a column. */
static const struct {
    const char *word;
    enum column column;
} header_words[] = {
    {"thread", THREAD},       {"tid", THREAD},        {"threadid", THREAD}, {"op", OPERATION},
    {"operation", OPERATION}, {"event", OPERATION},   {"type", OPERATION},  {"operand", OPERAND},
    {"object", OPERAND},      {"target", OPERAND},    {"decor", OPERAND},   {"variable", OPERAND},
    {"loc", LOCATION},        {"location", LOCATION}, {"line", LOCATION},   {"site", LOCATION},
};

/* What others call our operations. */
static const struct {
    const char *word, *ours;
} synonyms[] = {
    {"read", "r"},
    {"write", "w"},
    {"acquire", "acq"},
    {"lock", "acq"},
    {"release", "rel"},
    {"unlock", "rel"},
    {"start", "fork"},
    {"spawn", "fork"},
    {"volatileread", "volread"},
    {"volatilewrite", "volwrite"},
};

/* Upper and lower case of ASCII are one. */
static bool is_word(struct gl_slice s, const char *word)
{
    if (s.n != gl_text_length(word))
        return false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.at[i];
        if ((c >= 'A' && c <= 'Z' ? c | 0x20 : c) != word[i])
            return false;
    }
    return true;
}

/* The next field from *at on, without its quotes and blanks; *at: behind its comma, NULL: it was the last. */
static bool field(struct gl_lines *l, const char **at, struct gl_slice *s)
{
    const char *from = *at;
    while (from < l->line_end && gl_is_blank(*from))
        from++;
    if (from == l->line_end || *from != '"') {
        const char *comma = memchr(from, ',', (size_t)(l->line_end - from));
        *s = gl_trim(from, comma ? comma : l->line_end);
        *at = comma ? comma + 1 : NULL;
        return true;
    }
    const char *close = memchr(from + 1, '"', (size_t)(l->line_end - from - 1));
    if (!close)
        return gl_lines_fail_at(l, from, "this quote is not closed");
    *s = gl_trim(from + 1, close);
    struct gl_slice rest = gl_trim(close + 1, l->line_end);
    if (rest.n > 0 && rest.at[0] != ',')
        return gl_lines_fail_at(l, rest.at, "a comma is missing after the quote");
    *at = rest.n > 0 ? rest.at + 1 : NULL;
    return true;
}

/* All fields of the line; their number, or -1. */
static int fields(struct gl_lines *l, struct gl_slice f[COLUMNS_MAX])
{
    int n = 0;
    for (const char *at = l->line; at; n++) {
        if (n == COLUMNS_MAX) {
            gl_lines_fail_at(l, at, "more than 32 columns");
            return -1;
        }
        if (!field(l, &at, &f[n]) || !gl_lines_printable(l, f[n]))
            return -1;
    }
    return n;
}

/* Is this line a header?  Then it says what the columns are. */
static bool header(struct csv *r, const struct gl_slice *f, int n)
{
    int column[COLUMNS] = {-1, -1, -1, -1};
    for (int i = 0; i < n; i++)
        for (size_t k = 0; k < sizeof header_words / sizeof header_words[0]; k++)
            if (is_word(f[i], header_words[k].word) && column[header_words[k].column] < 0)
                column[header_words[k].column] = i;
    if (column[THREAD] < 0 || column[OPERATION] < 0)
        return false;
    memcpy(r->column, column, sizeof column);
    return true;
}

static const struct gl_verb *verb_of(const struct gl_lines *l, struct gl_slice word)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; i++)
        if (is_word(word, synonyms[i].word))
            return gl_verb_find(l, (struct gl_slice){synonyms[i].ours, gl_text_length(synonyms[i].ours)});
    return gl_verb_find(l, word);
}

static bool csv_line(struct gl_lines *l)
{
    struct csv *r = (struct csv *)l;
    struct gl_slice f[COLUMNS_MAX], all = gl_trim(l->line, l->line_end);
    if (all.n == 0 || all.at[0] == '#')
        return true;
    int n = fields(l, f);
    if (n < 0)
        return false;
    bool first = !r->begun;
    r->begun = true;
    if (first && header(r, f, n))
        return true;
    struct gl_slice cell[COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        cell[c] = r->column[c] >= 0 && r->column[c] < n ? f[r->column[c]] : (struct gl_slice){l->line_end, 0};
    if (cell[THREAD].n == 0)
        return gl_lines_fail_at(l, cell[THREAD].at, "no thread; write thread,operation,operand,location");
    const struct gl_verb *verb = verb_of(l, cell[OPERATION]);
    if (!verb)
        return gl_lines_fail(l, "unknown operation ", cell[OPERATION],
                             first ? ", and no header line either" : "");
    return gl_lines_event(l, cell[THREAD], verb, cell[OPERAND], cell[LOCATION]);
}

static bool csv_detect(const unsigned char *bytes, size_t size, bool whole)
{
    (void)whole;
    struct gl_slice line = gl_first_line(bytes, size);
    return line.n > 0 && !memchr(bytes, 0, size < 4096 ? size : 4096) && memchr(line.at, ',', line.n);
}

static bool csv_open(struct gl_trace_reader *r, struct gl_trace_error *error)
{
    (void)error;
    struct csv *c = (struct csv *)r;
    for (int i = 0; i < COLUMNS; i++)
        c->column[i] = i;
    gl_lines_open(&c->lines, false);
    return true;
}

static int csv_read(struct gl_trace_reader *r, struct gl_trace_batch *batch, struct gl_trace_error *error)
{
    return gl_lines_read((struct gl_lines *)r, batch, error, csv_line, NULL);
}

const struct gl_trace_kind gl_trace_csv = {
    .format = GL_TRACE_CSV,
    .size = sizeof(struct csv),
    .detect = csv_detect,
    .open = csv_open,
    .read = csv_read,
    .close = gl_lines_close,
};
