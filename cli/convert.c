/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks convert`: a recorded execution from any format that we read into one that we write.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/env.h"
#include "cli/file.h"
#include "cli/format.h"
#include "trace/writer.h"

enum { BATCH = 4096 };

static const struct gl_flag flags[] = {
    {"from", "FORMAT", "Format of IN: std, csv, roadrunner, rapidbin or binary (default: found out)"},
    {"to", "FORMAT", "Format to write: std or binary (default: std from binary, else binary)"},
    {"output", "FILE", "Write to FILE; '-' is standard output (the default)"},
    {NULL, NULL, NULL},
};

struct request {
    enum gl_trace_format from, to;
    const char *input, *output;
};

static bool take_flag(const struct gl_command *cmd, void *ctx, int flag)
{
    struct request *r = ctx;
    const char *name = flags[flag].name;
    if (strcmp(name, "output") != 0)
        return gl_trace_format_asked(cmd, name, optarg, name[0] == 't', name[0] == 't' ? &r->to : &r->from);
    r->output = optarg;
    return true;
}

/* -1: go on; otherwise the exit code. */
static int take_words(const struct gl_command *cmd, int argc, char **argv, struct request *r)
{
    int done = gl_take_flags(cmd, argc, argv, take_flag, r);
    if (done >= 0)
        return done;
    r->input = argv[optind];
    if (!r->input)
        return gl_complain(cmd, "no trace was given; 'goldilocks help convert' shows the use");
    if (argv[optind + 1])
        return gl_complain(cmd, "'%s' is one word too many; options, such as --output FILE, come before IN",
                           argv[optind + 1]);
    return -1;
}

/* All events from one to the other. */
static bool copy(const struct gl_command *cmd, const struct gl_input *in, struct gl_trace_reader *reader,
                 struct gl_trace_writer *writer)
{
    static struct gl_event events[BATCH];
    static uint64_t records[BATCH];
    struct gl_trace_batch batch = {.events = events, .records = records, .capacity = BATCH};
    struct gl_trace_error error;
    int got;
    while ((got = gl_trace_read(reader, &batch, &error)) > 0)
        if (!gl_trace_write(writer, events, batch.count))
            return true; /* close() says so again */
    if (got < 0)
        gl_complain_trace(cmd, in, &error);
    return got == 0;
}

static int convert(const struct gl_command *cmd, const struct request *r, const struct gl_input *in,
                   struct gl_trace_reader *reader)
{
    struct gl_counted_env env;
    struct gl_output out;
    gl_counted_env_init(&env);
    enum gl_trace_format to = r->to;
    if (to == GL_TRACE_UNKNOWN)
        to = gl_trace_format_of(reader) == GL_TRACE_BINARY ? GL_TRACE_STD : GL_TRACE_BINARY;
    if (to == GL_TRACE_BINARY && (!r->output || strcmp(r->output, "-") == 0) && isatty(STDOUT_FILENO))
        return gl_complain(cmd, "a binary trace is nothing for a terminal; write it with --output FILE");
    if (!gl_output_open(cmd, r->output, &out))
        return GL_EXIT_USAGE;
    struct gl_trace_writer *writer =
        gl_trace_writer_open(&env.env, to, gl_trace_names(reader), gl_output_put, &out);
    bool read = writer && copy(cmd, in, reader, writer);
    bool written = read && gl_trace_writer_close(writer);
    if (writer && !read)
        gl_trace_writer_abandon(writer);
    if (!gl_output_close(&out, read && written))
        return GL_EXIT_USAGE;
    if (writer && !read)
        return GL_EXIT_USAGE;
    if (!written)
        return gl_complain(cmd, "there is not enough memory, or '%s' holds what the format %s cannot say",
                           in->name, gl_trace_format_name(to));
    gl_note_incomplete(cmd, in, reader);
    return GL_EXIT_OK;
}

static int run_convert(const struct gl_command *cmd, int argc, char **argv)
{
    struct request r = {.from = GL_TRACE_UNKNOWN, .to = GL_TRACE_UNKNOWN};
    struct gl_counted_env env;
    struct gl_input in;
    struct gl_trace_error error;
    int status = take_words(cmd, argc, argv, &r);
    if (status >= 0)
        return status;
    if (!gl_input_open_once(cmd, r.input, &in))
        return GL_EXIT_USAGE;
    gl_counted_env_init(&env);
    struct gl_trace_reader *reader = gl_input_reader(&in, &env.env, r.from, &error);
    status = reader ? convert(cmd, &r, &in, reader) : gl_complain_trace(cmd, &in, &error);
    gl_trace_close(reader);
    gl_input_close(&in);
    return status;
}

const struct gl_command gl_command_convert = {
    .name = "convert",
    .arguments = "[OPTIONS] IN",
    .summary = "write a recorded execution in another format",
    .text = "Reads the recorded execution IN ('-' is standard input), and writes it as text (std) or in the binary format of\n"
            "Goldilocks, which is several times smaller, is read faster, and can be entered in the middle.\n",
    .flags = flags,
    .run = run_convert,
};
