/* SPDX-License-Identifier: Apache-2.0
 *
 * Command-line flags from a table: parsing by getopt_long, help text, and the sentences for mistakes.
 */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "platform/option_text.h"

enum { FLAGS_MAX = 32, HELP = FLAGS_MAX };

int gl_complain(const struct gl_command *cmd, const char *fmt, ...)
{
    va_list ap;
    fprintf(stderr, cmd ? "goldilocks %s: " : "goldilocks: ", cmd ? cmd->name : "");
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    return GL_EXIT_USAGE;
}

static void complain_unknown(const struct gl_command *cmd, const char *word)
{
    const char *names[FLAGS_MAX], *name = word + strspn(word, "-"), *near = NULL;
    size_t n = 0, length = strcspn(name, "=");
    for (const struct gl_flag *f = cmd->flags; f && f->name && n < FLAGS_MAX; f++)
        names[n++] = f->name;
    if (name - word == 2)
        near = gl_nearest_name(name, length, names, n);
    if (near && strlen(near) == length && strncmp(near, name, length) == 0)
        gl_complain(cmd, "option '--%s' takes no value; 'goldilocks help %s' lists them all", near, cmd->name);
    else if (!near && strstr(cmd->arguments, "] -- ")) /* 'goldilocks java -jar app.jar' */
        gl_complain(cmd, "unknown or wrongly used option '%s'; what is meant for %s itself comes after --, and 'goldilocks help %s' lists the options",
                    word, cmd->name, cmd->name);
    else
        gl_complain(cmd, "unknown or wrongly used option '%s'%s%s%s; 'goldilocks help %s' lists them all", word,
                    near ? " (did you mean '--" : "", near ? near : "", near ? "'?)" : "", cmd->name);
}

int gl_next_flag(const struct gl_command *cmd, int argc, char **argv)
{
    struct option table[FLAGS_MAX + 2] = {{0}};
    int n = 0, output = -1; /* --output is -o too */
    for (const struct gl_flag *f = cmd->flags; f && f->name && n < FLAGS_MAX; f++, n++) {
        if (strcmp(f->name, "output") == 0) output = n;
        table[n] = (struct option){f->name, f->arg ? required_argument : no_argument, NULL, 256 + n};
    }
    table[n] = (struct option){"help", no_argument, NULL, 256 + HELP};

    opterr = 0; /* we say it ourselves, in one sentence with the way out */
    int at = optind, got = getopt_long(argc, argv, output >= 0 ? "+:ho:" : "+:h", table, NULL);
    if (got == -1) return GL_FLAGS_END;
    if (got == 'h' || got == 256 + HELP) {
        gl_print_usage(cmd);
        return GL_FLAGS_HELP;
    }
    if (got == 'o') return output;
    if (got == ':') {
        gl_complain(cmd, "option '%s' needs a value; 'goldilocks help %s' shows which", argv[at], cmd->name);
        return GL_FLAGS_BAD;
    }
    if (got == '?') {
        complain_unknown(cmd, argv[at]);
        return GL_FLAGS_BAD;
    }
    return got - 256;
}

int gl_take_flags(const struct gl_command *cmd, int argc, char **argv, gl_take_fn *take, void *ctx)
{
    for (int flag; (flag = gl_next_flag(cmd, argc, argv)) != GL_FLAGS_END;) {
        if (flag == GL_FLAGS_HELP) return GL_EXIT_OK;
        if (flag == GL_FLAGS_BAD || !take(cmd, ctx, flag)) return GL_EXIT_USAGE;
    }
    return -1;
}

int gl_no_flags(const struct gl_command *cmd, int argc, char **argv, int max_words)
{
    int got = gl_next_flag(cmd, argc, argv);
    if (got == GL_FLAGS_HELP) return GL_EXIT_OK;
    if (got == GL_FLAGS_BAD) return GL_EXIT_USAGE;
    if (argc - optind > max_words)
        return gl_complain(cmd, "'%s' is one word too many; 'goldilocks help %s' shows the use",
                           argv[optind + max_words], cmd->name);
    return -1;
}

void gl_print_usage(const struct gl_command *cmd)
{
    printf("Usage: goldilocks %s%s%s\n\n%s", cmd->name, *cmd->arguments ? " " : "", cmd->arguments,
           cmd->text);
    if (!cmd->flags) return;
    printf("\nOptions:\n");
    for (const struct gl_flag *f = cmd->flags; f->name; f++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", f->name, f->arg ? " " : "", f->arg ? f->arg : "");
        printf("  %-22s %s\n", left, f->sentence);
    }
    printf("  %-22s %s\n", "--help", "Print this text");
}
