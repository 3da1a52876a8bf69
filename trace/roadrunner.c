/* SPDX-License-Identifier: Apache-2.0
 *
 * The log text of RoadRunner's tools that print events: Acquire(0,@01) and the like, one to a line, between lines of
 * other things.  docs/trace-text.md says what is accepted.
 */
#include "trace/lines.h"

struct roadrunner {
    struct gl_lines lines;
    bool events; /* there was one */
    bool other;  /* there was a line that is none */
};

/* ours: the operation; NULL: it orders nothing and is passed over. */
static const struct {
    const char *word, *ours;
} words[] = {
    {"Rd", "r"},
    {"Wr", "w"},
    {"ARd", "r"},
    {"AWr", "w"},
    {"Acquire", "acq"},
    {"Release", "rel"},
    {"VolRd", "volread"},
    {"VolWr", "volwrite"},
    {"VRd", "volread"},
    {"VWr", "volwrite"},
    {"Start", "fork"},
    {"Join", "join"},
    {"PreWait", "cwait_begin"},
    {"PostWait", "cwait_end"},
    {"Enter", NULL},
    {"Exit", NULL},
    {"NewThread", NULL},
    {"Dummy", NULL},
    {"Notify", NULL},
    {"NotifyAll", NULL},
    {"Sleep", NULL},
    {"PreSleep", NULL},
    {"PostSleep", NULL},
    {"PreStart", NULL},
    {"PostStart", NULL},
    {"PreJoin", NULL},
    {"Interrupt", NULL},
    {"Interrupted", NULL},
    {"ClassInit", NULL},
    {"ClassAccess", NULL},
};
enum { WORDS = sizeof words / sizeof words[0] };

/* Name(digits at the start: which word, and the bracket's place; -1: no event.  `marked`: behind RoadRunner's @. */
static int event_of(struct gl_slice s, const char **open, bool *marked, struct gl_slice *name)
{
    *marked = s.n > 1 && s.at[0] == '@' && gl_is_blank(s.at[1]);
    if (*marked)
        s = gl_trim(s.at + 1, s.at + s.n);
    *open = memchr(s.at, '(', s.n);
    *name = (struct gl_slice){s.at, *open ? (size_t)(*open - s.at) : s.n};
    for (int i = 0; *open && i < WORDS; i++)
        if (gl_slice_is(*name, words[i].word))
            return i;
    return -1;
}

/* A bracket that is closed within [from, to): its end.  Names such as `foo()` have brackets of their own. */
static const char *closing(const char *from, const char *to)
{
    int depth = 0;
    for (const char *at = from; at < to; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0)
            return at;
    }
    return NULL;
}

static bool roadrunner_line(struct gl_lines *l)
{
    struct roadrunner *r = (struct roadrunner *)l;
    struct gl_slice all = gl_trim(l->line, l->line_end), name;
    const char *open;
    bool marked;
    int i = event_of(all, &open, &marked, &name);
    if (i < 0) {
        r->other = r->other || all.n > 0;
        return !marked || gl_lines_fail(l, "unknown operation ", name, "");
    }
    r->events = true;
    const char *to = l->line_end, *close = closing(open, to);
    if (!close)
        return gl_lines_fail_at(l, open, "this bracket is not closed");
    const char *comma = memchr(open, ',', (size_t)(close - open));
    struct gl_slice thread = gl_trim(open + 1, comma ? comma : close);
    struct gl_slice operand = comma ? gl_trim(comma + 1, close) : (struct gl_slice){close, 0};
    struct gl_slice place = gl_trim(close + 1, to);
    if (!words[i].ours)
        return true;
    if (thread.n == 0)
        return gl_lines_fail_at(l, thread.at, "no thread; write operation(thread,operand)");
    if (place.n > 0 && place.at[0] == '@')
        place = gl_trim(place.at + 1, to);
    if (!gl_lines_printable(l, thread) || !gl_lines_printable(l, operand) || !gl_lines_printable(l, place))
        return false;
    struct gl_slice ours = {words[i].ours, gl_text_length(words[i].ours)};
    return gl_lines_event(l, thread, gl_verb_find(l, ours), operand, place);
}

/* Among the first lines is an event. */
static bool roadrunner_detect(const unsigned char *bytes, size_t size, bool whole)
{
    (void)whole;
    const char *at = (const char *)bytes, *end = at + (size < 65536 ? size : 65536);
    at += gl_text_mark(bytes, size);
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *open;
        bool marked;
        struct gl_slice name;
        if (event_of(gl_trim(at, newline ? newline : end), &open, &marked, &name) >= 0 && open + 1 < end &&
            open[1] >= '0' && open[1] <= '9')
            return true;
        at = newline ? newline + 1 : end;
    }
    return false;
}

static bool roadrunner_open(struct gl_trace_reader *r, struct gl_trace_error *error)
{
    (void)error;
    gl_lines_open((struct gl_lines *)r, true);
    return true;
}

static int roadrunner_read(struct gl_trace_reader *base, struct gl_trace_batch *batch,
                           struct gl_trace_error *error)
{
    struct roadrunner *r = (struct roadrunner *)base;
    int result = gl_lines_read(&r->lines, batch, error, roadrunner_line, NULL);
    if (result == 0 && !r->events && r->other) {
        gl_trace_fail(error, 0, "no line of this text is an event of RoadRunner's");
        error->line = error->column = 1;
        return -1;
    }
    return result;
}

const struct gl_trace_kind gl_trace_roadrunner = {
    .format = GL_TRACE_ROADRUNNER,
    .size = sizeof(struct roadrunner),
    .detect = roadrunner_detect,
    .open = roadrunner_open,
    .read = roadrunner_read,
    .close = gl_lines_close,
};
