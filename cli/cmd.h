/* SPDX-License-Identifier: Apache-2.0
 *
 * What a subcommand of `goldilocks` is, and what all of them share: flags made from a table, one way
 * to complain, exit codes.  A subcommand is one file that defines one struct gl_command; main.c lists
 * them, and all help is printed from these structs.
 */
#ifndef GL_CLI_CMD_H
#define GL_CLI_CMD_H

#include <stdbool.h>
#include <stddef.h>

enum {
    GL_EXIT_OK = 0,
    GL_EXIT_RACE = 66, /* a data race was found */
    GL_EXIT_USAGE = 2, /* bad input of any kind; one sentence on stderr said what and what to do */
};

/* --name, or --name ARG; of "output", -o ARG too.  A table of them ends with a NULL name. */
struct gl_flag {
    const char *name;
    const char *arg; /* NULL: the flag takes none */
    const char *sentence;
};

struct gl_command {
    const char *name;
    const char *arguments;       /* the usage line behind the name */
    const char *summary;         /* one line, for the list of commands */
    const char *text;            /* paragraphs of `goldilocks help NAME` */
    const struct gl_flag *flags; /* --help need not be listed: every command has it */
    int (*run)(const struct gl_command *self, int argc, char **argv); /* argv[0] is the command's name */
};

extern const struct gl_command gl_command_cc, gl_command_cxx, gl_command_run, gl_command_record, gl_command_java, gl_command_go, gl_command_options,
    gl_command_analyze, gl_command_compare, gl_command_detectors, gl_command_generate, gl_command_convert, gl_command_dump,
    gl_command_explain, gl_command_report, gl_command_version, gl_command_help;

/* All of them, in the order of the help text; ends with NULL.  Lives in main.c. */
extern const struct gl_command *const gl_commands[];

/* Prints "goldilocks COMMAND: sentence" on stderr; returns GL_EXIT_USAGE. */
int gl_complain(const struct gl_command *cmd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The next flag of the command line as an index into cmd->flags, its argument in optarg.  Stops at
 * the first word that is no flag.  GL_FLAGS_END: optind is that word; GL_FLAGS_HELP: --help was given
 * and its text printed; GL_FLAGS_BAD: a sentence has been printed. */
enum { GL_FLAGS_END = -1, GL_FLAGS_HELP = -2, GL_FLAGS_BAD = -3 };
int gl_next_flag(const struct gl_command *cmd, int argc, char **argv);

/* Gives every flag to `take` (flag: an index into cmd->flags), which prints a sentence where it returns false.  -1: go on,
 * words start at argv[optind]; otherwise the exit code. */
typedef bool gl_take_fn(const struct gl_command *cmd, void *ctx, int flag);
int gl_take_flags(const struct gl_command *cmd, int argc, char **argv, gl_take_fn *take, void *ctx);

/* For a command without flags of its own that takes at most max_words words.  -1: go on, words start
 * at argv[optind]; otherwise the exit code. */
int gl_no_flags(const struct gl_command *cmd, int argc, char **argv, int max_words);

void gl_print_usage(const struct gl_command *cmd);

/* The folder that holds libtsan.so.2, absolute, in static memory.  NULL: a sentence has been printed. */
const char *gl_library_folder(const struct gl_command *cmd);
/* The same; NULL, and no sentence: it is not there. */
const char *gl_library_folder_if_any(void);

/* The folder of our headers for programs (goldilocks/race.h ...), absolute, in static memory.  NULL: there is none. */
const char *gl_header_folder(void);

#define GL_RUNTIME_NAME "libtsan.so.2"
#define GL_RUNTIME_OLDER_NAME "libtsan.so.0" /* a link to it, by the name that gcc 11 and older gave theirs */
#define GL_INLINE_NAME "inline.h" /* beside it: what --inline takes with clang */
#define GL_ROWS_NAME "rows-%d.so" /* the same, by clang's version; there need be none */
#define GL_COMPLETE_NAME "complete-%d.so"         /* what clang always takes, if it is there */
#define GL_COMPLETE_GCC_NAME "complete-gcc-%d.so" /* and gcc */
#define GL_INLINE_GCC_NAME "inline.s" /* and with gcc */

#endif
