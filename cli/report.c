/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks report`: saved JSON reports, of the native runtime and of the Java agent, as text, SARIF or a page.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/file.h"
#include "cli/report.h"
#include "report/text.h"

enum { FLAG_FORMAT, FLAG_OUTPUT };

static const struct gl_flag flags[] = {
    [FLAG_FORMAT] = {"format", "NAME", "What to print: text (default), tsan (ThreadSanitizer's layout), sarif or html"},
    [FLAG_OUTPUT] = {"output", "FILE", "Write to FILE instead of standard output"},
    {NULL, NULL, NULL},
};

enum format { TEXT, TSAN, SARIF, HTML };

struct request {
    enum format format;
    const char *output;
    struct gl_saved *report;
    size_t n, capacity;
};

static bool take_flag(const struct gl_command *cmd, void *ctx, int flag)
{
    static const char *const names[] = {"text", "tsan", "sarif", "html"};
    struct request *q = ctx;
    if (flag == FLAG_OUTPUT) {
        q->output = optarg;
        return true;
    }
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(optarg, names[i]) == 0) {
            q->format = i;
            return true;
        }
    gl_complain(cmd, "there is no format '%s'; text, tsan, sarif and html are", optarg);
    return false;
}

/* ---- reading ---- */

static void keep(struct request *q, const struct gl_saved *s)
{
    if (q->n == q->capacity) {
        q->capacity = q->capacity ? q->capacity * 2 : 64;
        q->report = realloc(q->report, q->capacity * sizeof *q->report);
        if (!q->report) abort(); /* out of memory in a small command */
    }
    q->report[q->n++] = *s;
}

static bool read_line(const struct gl_command *cmd, struct request *q, const char *name, size_t line, const char *bytes, size_t n)
{
    json_error_t error;
    const char *why;
    struct gl_saved s;
    json_t *json = json_loadb(bytes, n, 0, &error);
    if (!json) {
        gl_complain(cmd, "%s, line %zu, column %d: not JSON: %s; the end of a report may be missing", name, line, error.column, error.text);
        return false;
    }
    if (!gl_saved_read(json, &s, &why)) {
        gl_complain(cmd, "%s, line %zu: this object %s, so it is no report", name, line, why);
        return false;
    }
    keep(q, &s);
    return true;
}

/* What is no object on a line of its own is a message for people. */
static bool read_file(const struct gl_command *cmd, struct request *q, const char *path)
{
    struct gl_input in;
    if (!gl_input_open(cmd, path, &in)) return false;
    const char *at = in.bytes, *end = at + in.size;
    bool good = true;
    size_t before = q->n;
    for (size_t line = 1; good && at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        if (*at == '{') good = read_line(cmd, q, in.name, line, at, (size_t)(stop - at));
        at = stop < end ? stop + 1 : end;
    }
    if (good && in.size > 0 && q->n == before)
        gl_complain(cmd, "note: '%s' has no report in it: no line begins with '{', as the reports of format=json do", in.name);
    gl_input_close(&in);
    return good;
}

/* ---- writing ---- */

static void put(void *ctx, const char *text, size_t n)
{
    fwrite(text, 1, n, ctx);
}

static void print_text(const struct request *q, FILE *to)
{
    struct gl_text text = {.style = q->format == TSAN ? GL_STYLE_TSAN : GL_STYLE_OWN, .write = put, .write_ctx = to};
    uint64_t races = 0, others = 0;
    for (size_t i = 0; i < q->n; i++) {
        const struct gl_saved *s = &q->report[i];
        bool race = s->managed || gl_report_is_race(s->native.type);
        races += race;
        others += !race;
        if (s->managed)
            gl_managed_text(&s->java, put, to);
        else
            gl_text_report(&s->native, &text);
    }
    gl_text_closing(races, others, &text);
}

static int write_all(const struct gl_command *cmd, const struct request *q)
{
    struct gl_output out;
    bool good = true;
    if (!gl_output_open(cmd, q->output, &out)) return GL_EXIT_USAGE;
    if (q->format == SARIF)
        good = gl_report_sarif(q->report, q->n, out.file);
    else if (q->format == HTML)
        gl_report_html(q->report, q->n, out.file);
    else
        print_text(q, out.file);
    if (!gl_output_close(&out, good)) return GL_EXIT_USAGE;
    return good ? GL_EXIT_OK : gl_complain(cmd, "there is no memory for so many reports; give fewer files");
}

static int run_report(const struct gl_command *cmd, int argc, char **argv)
{
    struct request q = {.format = TEXT};
    int status = gl_take_flags(cmd, argc, argv, take_flag, &q);
    if (status >= 0) return status;
    if (!argv[optind]) return gl_complain(cmd, "no file was given; 'goldilocks help report' shows the use");
    status = 0;
    for (char **path = argv + optind; *path && status == 0; path++)
        if (!read_file(cmd, &q, *path)) status = GL_EXIT_USAGE;
    if (status == 0) status = write_all(cmd, &q);
    for (size_t i = 0; i < q.n; i++) gl_saved_free(&q.report[i]);
    free(q.report);
    return status;
}

const struct gl_command gl_command_report = {
    .name = "report",
    .arguments = "[OPTIONS] FILE...",
    .summary = "turn saved JSON reports into text, SARIF or an HTML page",
    .text = "Reads reports that programs under 'goldilocks run' or the Java agent saved with format=json (log_path says where),\n"
            "and prints them as text, as SARIF 2.1.0 for code scanners, or as one HTML page. Lines that do not begin with '{'\n"
            "are ignored. '-' is standard input.\n",
    .flags = flags,
    .run = run_report,
};
