/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks dump`: a recorded execution as text, from any record on; or what there is to know about the file.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/env.h"
#include "cli/file.h"
#include "cli/number.h"
#include "cli/plain.h"
#include "trace/binary_layout.h"
#include "trace/writer.h"

enum { BATCH = 4096, NAMES_SHOWN = 8 };

static const struct gl_flag flags[] = {
    {"from", "N", "Begin with record N of a binary trace, or line N of a text"},
    {"count", "N", "Print at most N events"},
    {"info", NULL, "Print instead what the file contains: counts, names, sections"},
    {"stacks", NULL, "Print instead the locations that stand for call stacks, with these stacks"},
    {NULL, NULL, NULL},
};

struct request {
    const char *path;
    uint64_t from, count;
    bool info, stacks;
};

/* A trace that is being read. */
struct source {
    const struct gl_command *cmd;
    struct gl_input in;
    struct gl_counted_env env;
    struct gl_trace_reader *reader;
    struct gl_trace_batch batch;
};

static struct gl_event batch_events[BATCH];
static uint64_t batch_records[BATCH];

/* As gl_trace_read(); errors are told. */
static int read_batch(struct source *s)
{
    struct gl_trace_error error;
    int got = gl_trace_read(s->reader, &s->batch, &error);
    if (got < 0)
        gl_complain_trace(s->cmd, &s->in, &error);
    return got;
}

/* ---- events ---- */

/* Places the reader at the record, or before it in a format that cannot.  -1: go on; otherwise the exit code. */
static int go_to(struct source *s, uint64_t record)
{
    struct gl_trace_error error;
    if (record <= 1 || gl_trace_chunks(s->reader) == 0 || gl_trace_seek(s->reader, record, &error))
        return -1;
    return gl_complain(s->cmd, "record %" PRIu64 " of '%s': %s", record, s->in.name, error.text);
}

static int print_events(struct source *s, const struct request *r)
{
    struct gl_output out;
    int status = go_to(s, r->from);
    if (status >= 0)
        return status;
    if (!gl_output_open(s->cmd, NULL, &out))
        return GL_EXIT_USAGE;
    struct gl_trace_writer *writer =
        gl_trace_writer_open(&s->env.env, GL_TRACE_STD, gl_trace_names(s->reader), gl_output_put, &out);
    uint64_t left = r->count;
    int got = 1;
    bool fine = writer, found = r->from <= 1;
    while (fine && left > 0 && (got = read_batch(s)) > 0) {
        size_t first = 0, n = s->batch.count;
        while (first < n && s->batch.records[first] < r->from)
            first++;
        n -= first;
        found = found || n > 0;
        if (n > left)
            n = (size_t)left;
        left -= n;
        fine = gl_trace_write(writer, s->batch.events + first, n);
    }
    fine = writer && gl_trace_writer_close(writer) && fine;
    if (!gl_output_close(&out, true) || got < 0)
        return GL_EXIT_USAGE;
    if (!fine)
        return gl_complain(s->cmd, "there is not enough memory, or '%s' holds what the text cannot say", s->in.name);
    if (!found && got == 0)
        return gl_complain(s->cmd, "record %" PRIu64 " of '%s': the file has no such record", r->from,
                           s->in.name);
    if (got == 0)
        gl_note_incomplete(s->cmd, &s->in, s->reader);
    return GL_EXIT_OK;
}

/* ---- what the file holds ---- */

static void print_kind(const struct gl_names *names, enum gl_name_kind kind, const char *title)
{
    uint32_t first = kind == GL_NAME_LOCATION, count = gl_names_count(names, kind);
    if (count == first)
        return;
    printf("%-12s %10" PRIu32 "  ", title, count - first);
    for (uint32_t i = first; i < count && i < first + NAMES_SHOWN; i++) {
        fputs(i > first ? ", " : "", stdout);
        gl_put_plain(gl_name_of(names, kind, i), stdout);
    }
    puts(count - first > NAMES_SHOWN ? ", ..." : "");
}

static void print_names(const struct gl_names *names)
{
    static const char *const title[GL_NAME_KINDS] = {"threads",  "variables",  "mutexes",
                                                     "rwlocks",  "volatiles",  "atomics",
                                                     "barriers", "semaphores", "locations", "strings"};
    puts("\nnames             count");
    for (int k = 0; k < GL_NAME_KINDS; k++)
        print_kind(names, (enum gl_name_kind)k, title[k]);
    if (gl_stacks_count(names) > 0)
        printf("%-12s %10" PRIu32 "  of locations; --stacks prints them\n", "stacks", gl_stacks_count(names));
    uint64_t pages = gl_data_end(names) / GOLDILOCKS_TRACE_PAGE, addresses = 0, base;
    for (uint64_t page = 0; page < pages; page++)
        addresses += gl_data_page(names, page, &base);
    printf("%-12s %10" PRIu64 "  of %d bytes, %" PRIu64 " of them memory, the others named variables\n",
           "data pages", pages, GOLDILOCKS_TRACE_PAGE, addresses);
}

static void print_ops(const uint64_t count[GL_OP_COUNT])
{
    puts("\noperation        events");
    for (int op = 0; op < GL_OP_COUNT; op++)
        if (count[op] > 0)
            printf("%-12s %10" PRIu64 "\n", gl_op_name((enum gl_op)op), count[op]);
}

/* The sections of a binary file. */
static bool print_sections(struct source *s)
{
    struct gl_layout layout;
    struct gl_trace_error error;
    bool fine = gl_layout_read(&layout, &s->env.env, s->in.bytes, s->in.size, &error);
    if (fine)
        puts("\nsection       offset      bytes  first record   events");
    for (size_t i = 0; fine && i < layout.n; i++) {
        const struct gl_section *section = &layout.section[i];
        struct goldilocks_trace_section head;
        const unsigned char *payload;
        fine = gl_section_open(section, s->in.bytes, s->in.size, &head, &payload, &error);
        if (!fine)
            break;
        char type[5] = {0};
        for (int c = 0; c < 4; c++) {
            char letter = (char)(section->type >> 8 * c);
            type[c] = letter >= ' ' && letter < 0x7f ? letter : '?';
        }
        printf("%-6s  %12" PRIu64 " %10" PRIu64, type, section->offset, (uint64_t)(head.size + sizeof head));
        if (section->events > 0)
            printf("  %12" PRIu64 " %8" PRIu32, section->first, section->events);
        putchar('\n');
    }
    if (!fine)
        gl_complain_trace(s->cmd, &s->in, &error);
    gl_layout_fini(&layout);
    return fine;
}

static int print_info(struct source *s)
{
    uint64_t count[GL_OP_COUNT] = {0}, events = 0;
    int got;
    while ((got = read_batch(s)) > 0) {
        events += s->batch.count;
        for (size_t i = 0; i < s->batch.count; i++)
            count[s->batch.events[i].op]++;
    }
    if (got < 0)
        return GL_EXIT_USAGE;
    bool binary = gl_trace_format_of(s->reader) == GL_TRACE_BINARY;
    printf("file         %s\nformat       %s", s->in.name,
           gl_trace_format_name(gl_trace_format_of(s->reader)));
    if (binary)
        printf(", version %d", GOLDILOCKS_TRACE_VERSION);
    printf("\nbytes        %zu\nevents       %" PRIu64 "\ncomplete     %s\n", s->in.size, events,
           gl_trace_is_complete(s->reader) ? "yes" : "no: what wrote it was stopped");
    print_ops(count);
    print_names(gl_trace_names(s->reader));
    return binary && !print_sections(s) ? GL_EXIT_USAGE : GL_EXIT_OK;
}

/* ---- stacks ---- */

static const char *string_of(const struct gl_names *names, uint32_t number)
{
    return number == UINT32_MAX ? "?" : gl_name_of(names, GL_NAME_STRING, number);
}

static int print_stacks(struct source *s)
{
    int got;
    while ((got = read_batch(s)) > 0)
        ; /* names lie between the events */
    if (got < 0)
        return GL_EXIT_USAGE;
    const struct gl_names *names = gl_trace_names(s->reader);
    const struct gl_stack_frame *frames;
    for (uint32_t location = 1; location < gl_names_count(names, GL_NAME_LOCATION); location++) {
        uint32_t count = gl_stack_of(names, location, &frames);
        if (count > 0) {
            gl_put_plain(gl_name_of(names, GL_NAME_LOCATION, location), stdout);
            putchar('\n');
        }
        for (uint32_t i = 0; i < count; i++) {
            printf("    #%" PRIu32 " ", i);
            gl_put_plain(string_of(names, frames[i].function), stdout);
            putchar(' ');
            gl_put_plain(string_of(names, frames[i].file), stdout);
            printf(frames[i].line ? ":%" PRIu32 "\n" : "\n", frames[i].line);
        }
    }
    gl_note_incomplete(s->cmd, &s->in, s->reader);
    return GL_EXIT_OK;
}

/* ---- the command ---- */

static bool take_number(const struct gl_command *cmd, const char *flag, uint64_t least, uint64_t *number)
{
    if (gl_number_parse(optarg, UINT64_MAX, number) && *number >= least)
        return true;
    gl_complain(cmd, "--%s '%s' is not a number from %" PRIu64 " on", flag, optarg, least);
    return false;
}

static bool take_flag(const struct gl_command *cmd, void *ctx, int flag)
{
    struct request *r = ctx;
    const char *name = flags[flag].name;
    if (strcmp(name, "info") == 0)
        return r->info = true;
    if (strcmp(name, "stacks") == 0)
        return r->stacks = true;
    return take_number(cmd, name, name[0] == 'f', name[0] == 'f' ? &r->from : &r->count);
}

/* -1: go on; otherwise the exit code. */
static int take_words(const struct gl_command *cmd, int argc, char **argv, struct request *r)
{
    int done = gl_take_flags(cmd, argc, argv, take_flag, r);
    if (done >= 0)
        return done;
    r->path = argv[optind];
    if (!r->path)
        return gl_complain(cmd, "no trace was given; 'goldilocks help dump' shows the use");
    if (argv[optind + 1])
        return gl_complain(cmd, "'%s' is one word too many; options come before the one FILE",
                           argv[optind + 1]);
    return -1;
}

static int run_dump(const struct gl_command *cmd, int argc, char **argv)
{
    struct request r = {.from = 1, .count = UINT64_MAX};
    struct source s = {.cmd = cmd,
                       .batch = {.events = batch_events, .records = batch_records, .capacity = BATCH}};
    struct gl_trace_error error;
    int status = take_words(cmd, argc, argv, &r);
    if (status >= 0)
        return status;
    if (!(r.info ? gl_input_open_trace(cmd, r.path, GL_TRACE_UNKNOWN, &s.in) /* looks at the end too */
                 : gl_input_open_once(cmd, r.path, &s.in)))
        return GL_EXIT_USAGE;
    gl_counted_env_init(&s.env);
    s.reader = gl_input_reader(&s.in, &s.env.env, GL_TRACE_UNKNOWN, &error);
    status = !s.reader  ? gl_complain_trace(cmd, &s.in, &error)
             : r.info   ? print_info(&s)
             : r.stacks ? print_stacks(&s)
                        : print_events(&s, &r);
    gl_trace_close(s.reader);
    gl_input_close(&s.in);
    return status;
}

const struct gl_command gl_command_dump = {
    .name = "dump",
    .arguments = "[OPTIONS] FILE",
    .summary = "print a recorded execution as text",
    .text = "Prints the events of a recorded execution, one on each line, in the text format std. FILE may have any format\n"
            "that Goldilocks reads; '-' is standard input. With --from, a binary trace is entered at that record, without\n"
            "reading what comes before.\n",
    .flags = flags,
    .run = run_dump,
};
