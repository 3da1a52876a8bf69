/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports as one HTML page: an index, then each report with its stacks; where things came from is folded away.
 */
#include <inttypes.h>
#include <string.h>

#include "cli/report.h"

static const char style[] =
    ":root{color-scheme:light dark;--line:#8884;--dim:#888;--race:#c0392b;--other:#b9770e;--card:#8881}"
    "body{font:15px/1.45 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem}"
    "h1{font-size:1.5rem;margin:0 0 .2rem}h2{font-size:1.1rem;margin:0}p{margin:.4rem 0}"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}"
    "th{font-weight:600;color:var(--dim)}.n{text-align:right;font-variant-numeric:tabular-nums}"
    "article{border:1px solid var(--line);border-left:4px solid var(--race);border-radius:6px;padding:.8rem 1rem;margin:1.2rem 0}"
    "article.other{border-left-color:var(--other)}.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(30rem,1fr));gap:.8rem;margin:.7rem 0}"
    "section,details{background:var(--card);border-radius:4px;padding:.5rem .7rem;overflow-x:auto}details{margin:.4rem 0}"
    "summary{cursor:pointer}h3{font-size:.95rem;margin:0 0 .3rem}ol{list-style:none;margin:0;padding:0;font:13px/1.5 ui-monospace,monospace}"
    "li{white-space:nowrap}li i{color:var(--dim);font-style:normal}.dim{color:var(--dim)}a{color:inherit}";

/* Text between tags or in a quoted attribute.  Bytes that are not UTF-8 are shown by the reader's replacement sign. */
static void put(FILE *to, const char *text)
{
    for (; text && *text; text++) {
        switch (*text) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        case '"': fputs("&quot;", to); break;
        default: putc(*text, to);
        }
    }
}

static bool is_race(const struct gl_saved *s)
{
    return s->managed || gl_report_is_race(s->native.type);
}

static uint64_t times(const struct gl_saved *s)
{
    return s->managed ? s->java.occurrences : s->native.occurrences;
}

static void frame(FILE *to, const struct gl_report_frame *f, size_t number)
{
    const char *base = f->module ? strrchr(f->module, '/') : NULL;
    fprintf(to, "<li><i>#%zu</i> ", number);
    put(to, f->function ? f->function : "?");
    fputs(" <i>", to);
    if (f->file) {
        put(to, f->file);
        if (f->line) fprintf(to, ":%" PRIu32, f->line);
        if (f->line && f->column) fprintf(to, ":%" PRIu32, f->column);
    } else if (f->module) {
        put(to, base ? base + 1 : f->module);
        fprintf(to, "+0x%zx", (size_t)f->offset);
    }
    fputs("</i></li>\n", to);
}

static void frames(FILE *to, const struct gl_saved_stack *s)
{
    fputs("<ol>\n", to);
    for (size_t i = 0; i < s->frames; i++) frame(to, &s->frame[i], i);
    fputs("</ol>\n", to);
}

struct page {
    FILE *to;
    bool about;    /* which stacks are wanted */
    bool had;      /* the first place was told */
};

static void tell_stack(void *ctx, const struct gl_saved_stack *s)
{
    struct page *p = ctx;
    if (s->about != p->about) return;
    const char *tag = s->about ? "section" : "details", *head = s->about ? "h3" : "summary";
    if (!s->about && s->frames == 0) {
        fputs("<p>", p->to);
        put(p->to, s->heading);
        fputs(".</p>\n", p->to);
        return;
    }
    fprintf(p->to, "<%s><%s>", tag, head);
    put(p->to, s->heading);
    fprintf(p->to, "</%s>\n", head);
    if (s->frames)
        frames(p->to, s);
    else
        fputs("<p class=dim>The stack is not known.</p>\n", p->to);
    fprintf(p->to, "</%s>\n", tag);
}

/* The place that a report is about, for the index. */
static void tell_place(void *ctx, const struct gl_saved_stack *s)
{
    struct page *p = ctx;
    for (size_t i = 0; i < s->frames && s->about && !p->had; i++) {
        const struct gl_report_frame *f = &s->frame[i];
        if (!f->file && i + 1 < s->frames) continue;
        p->had = true;
        put(p->to, f->function ? f->function : "?");
        if (f->file) {
            fputs(" <span class=dim>", p->to);
            put(p->to, f->file);
            if (f->line) fprintf(p->to, ":%" PRIu32, f->line);
            fputs("</span>", p->to);
        }
    }
}

static void card(FILE *to, const struct gl_saved *s, size_t number)
{
    const char *why = s->managed ? s->java.why : s->native.why;
    struct page about = {.to = to, .about = true}, rest = {.to = to};
    fprintf(to, "<article id=r%zu%s>\n<h2>%zu. ", number, is_race(s) ? "" : " class=other", number);
    put(to, s->title);
    if (s->managed) {
        fputs(" on ", to);
        put(to, s->java.variable);
    }
    fputs("</h2>\n", to);
    fprintf(to, "<p class=dim>process %" PRIu32, s->managed ? s->java.pid : s->native.pid);
    if (times(s) > 1) fprintf(to, ", happened %" PRIu64 " times until then", times(s));
    fputs("</p>\n<div class=pair>\n", to);
    gl_saved_each_stack(s, tell_stack, &about);
    fputs("</div>\n", to);
    if (why) {
        fputs("<p>Nothing orders the two accesses: ", to);
        put(to, why);
        fputs("</p>\n", to);
    }
    if (s->managed && s->java.object) {
        fputs("<p>The object is ", to);
        put(to, s->java.object);
        fputs(".</p>\n", to);
    }
    gl_saved_each_stack(s, tell_stack, &rest);
    fputs("</article>\n", to);
}

void gl_report_html(const struct gl_saved *reports, size_t n, FILE *to)
{
    size_t races = 0;
    for (size_t i = 0; i < n; i++) races += is_race(&reports[i]);
    fputs("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<meta name=viewport content=\"width=device-width\">\n"
          "<title>Goldilocks: reports</title>\n<style>",
          to);
    fputs(style, to);
    fprintf(to, "</style>\n</head>\n<body>\n<h1>Goldilocks</h1>\n<p class=dim>%zu %s, %zu other %s</p>\n", races,
            races == 1 ? "race" : "races", n - races, n - races == 1 ? "mistake" : "mistakes");
    if (n) fputs("<table>\n<tr><th class=n>#<th>report<th>where<th class=n>times</tr>\n", to);
    for (size_t i = 0; i < n; i++) {
        struct page p = {.to = to};
        fprintf(to, "<tr><td class=n>%zu<td><a href=\"#r%zu\">", i + 1, i + 1);
        put(to, reports[i].title);
        fputs("</a><td>", to);
        gl_saved_each_stack(&reports[i], tell_place, &p);
        if (times(&reports[i]))
            fprintf(to, "<td class=n>%" PRIu64 "</tr>\n", times(&reports[i]));
        else
            fputs("<td></tr>\n", to);
    }
    if (n) fputs("</table>\n", to);
    for (size_t i = 0; i < n; i++) card(to, &reports[i], i + 1);
    fputs("</body>\n</html>\n", to);
}
