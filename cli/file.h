/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that commands read and write: an input is bytes in memory, an output appears whole or not at all.
 * Every failure is one sentence on stderr that names the file.
 *
 *     struct gl_input in;
 *     struct gl_output out;
 *     if (!gl_input_open(cmd, "a.trace", &in)) return GL_EXIT_USAGE;     or gl_input_open_once()
 *     if (!gl_output_open(cmd, "b.gltrace", &out)) ...
 *     bool fine = gl_output_put(&out, bytes, n);
 *     if (!gl_output_close(&out, fine)) ...            nothing of b.gltrace is left when !fine
 */
#ifndef GL_CLI_FILE_H
#define GL_CLI_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/cmd.h"
#include "cli/stream.h"
#include "trace/trace.h"

struct gl_input {
    const char *name;  /* for messages; "standard input" for - */
    const void *bytes; /* never NULL */
    size_t size;
    size_t mapped; /* bytes of the mapping; 0: none */
    struct gl_stream *stream; /* malloc; NULL: all bytes are here; else none is, and they come through this */
    int fd;                   /* of the stream */
};

/* Maps a file; what cannot be mapped (a pipe; "-", standard input) is read to its end first.  When the file
 * is shortened meanwhile, a sentence says so and the command ends.  False: a sentence has been printed, and there is nothing to close. */
bool gl_input_open(const struct gl_command *cmd, const char *path, struct gl_input *in);
/* The same, but nothing more is read of what goes on for ever and does not begin as a trace, unless the format is known. */
bool gl_input_open_trace(const struct gl_command *cmd, const char *path, enum gl_trace_format format, struct gl_input *in);
/* As gl_input_open(), but what cannot be mapped stays where it is, and becomes a stream: for who reads it once, from the first byte to
 * the last. */
bool gl_input_open_once(const struct gl_command *cmd, const char *path, struct gl_input *in);
void gl_input_close(struct gl_input *in);

/* A reader of the input, whichever it is.  NULL: *error says why. */
struct gl_trace_reader *gl_input_reader(const struct gl_input *in, const struct gl_env *env, enum gl_trace_format format,
                                        struct gl_trace_error *error);

/* Why a stream could not be read further; NULL: it could. */
const char *gl_input_failure(const struct gl_input *in);

/* Says what is wrong with a trace, and where; returns GL_EXIT_USAGE. */
int gl_complain_trace(const struct gl_command *cmd, const struct gl_input *in,
                      const struct gl_trace_error *error);
/* Says that a trace ends early. */
void gl_note_no_end(const struct gl_command *cmd, const struct gl_input *in);
/* The same, when it does. */
void gl_note_incomplete(const struct gl_command *cmd, const struct gl_input *in,
                        const struct gl_trace_reader *r);

struct gl_output {
    const struct gl_command *cmd;
    const char *name; /* for messages */
    FILE *file;       /* write here, or through gl_output_put() */
    char *path;       /* malloc; what `part` becomes; NULL: there is no part */
    char *part;       /* malloc; the file beside it that is written */
    int error;        /* errno of the first write that failed; 0 */
};

/* NULL or "-" is standard output.  A file is written beside its final place, and what was there stays until
 * gl_output_close(); devices and pipes are written directly.  One output at a time: a signal that ends the
 * command removes what was begun.  False: a sentence has been printed, and there is nothing to close. */
bool gl_output_open(const struct gl_command *cmd, const char *path, struct gl_output *out);

/* Writes n bytes; a gl_bytes_fn (trace/writer.h) with the output as its context.  False: they could not be written,
 * and gl_output_close() will say so. */
bool gl_output_put(void *out, const void *bytes, size_t n);

/* keep: the file takes its place.  !keep: it goes away; why is the caller's to tell, unless the answer is false.
 * False: bytes could not be written; a sentence has been printed, and nothing half-written is left. */
bool gl_output_close(struct gl_output *out, bool keep);

#endif
