/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks options`: the runtime's options, from the runtime's own table (native/options.def), for
 * reading and as the page docs/options.md.
 */
#include <stdio.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "native/options.h"

static void put(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    fwrite(text, 1, n, stdout);
}

/* '|' would end a table cell. */
static void put_cell(const char *text)
{
    for (; *text; text++) {
        if (*text == '|') putchar('\\');
        putchar(*text);
    }
}

static void print_markdown(void)
{
    fputs("# Options of the runtime\n\n"
          "Made by `tools/make_options_doc` from `native/options.def`; do not edit.\n\n"
          "Put them into `GOLDILOCKS_OPTIONS` as `NAME=VALUE`, separated by `:`, `,` or blanks, or use the "
          "flags of\n"
          "`goldilocks run`. A value that holds a separator goes in quotes: `log_path='/tmp/my races'`.\n"
          "What a program's `__tsan_default_options()` returns is read first, then `TSAN_OPTIONS`; in both the names of "
          "the last\ncolumn are honoured, and others are ignored.\n\n"
          "| option | default | values | meaning | in `TSAN_OPTIONS` |\n|---|---|---|---|---|\n",
          stdout);
    for (size_t i = 0; i < rt_option_count; i++) {
        const struct gl_option *o = &rt_option_table[i];
        const char *values = o->type == GL_OPTION_SHORT ? "yes|no" : o->values;
        printf("| `%s` | %s%s%s | ", o->name, *o->deflt ? "`" : "", o->deflt, *o->deflt ? "`" : "");
        put_cell(values);
        printf(" | ");
        put_cell(o->sentence);
        printf(" | %s%s%s |\n", *o->alias ? "`" : "", o->alias, *o->alias ? "`" : "");
    }
    fputs("\n## Options of ThreadSanitizer that do nothing here\n\n"
          "They are accepted in `TSAN_OPTIONS`; with `verbosity=1` the program says so when it starts.\n\n"
          "| option | why |\n|---|---|\n",
          stdout);
    for (const struct rt_ignored_option *i = rt_ignored_options; i->name; i++)
        printf("| `%s` | %s |\n", i->name, i->why);
}

static const struct gl_flag flags[] = {
    {"markdown", NULL, "Print the table as the page docs/options.md"},
    {NULL, NULL, NULL},
};

static int run_options(const struct gl_command *cmd, int argc, char **argv)
{
    int got = gl_next_flag(cmd, argc, argv), markdown = got == 0;
    if (markdown) got = gl_next_flag(cmd, argc, argv);
    if (got == GL_FLAGS_HELP) return GL_EXIT_OK;
    if (got != GL_FLAGS_END) return GL_EXIT_USAGE;
    if (argv[optind])
        return gl_complain(cmd, "'%s' is one word too many; 'goldilocks help options' shows the use",
                           argv[optind]);
    if (markdown) {
        print_markdown();
        return GL_EXIT_OK;
    }
    fputs("Options of the runtime, for GOLDILOCKS_OPTIONS=NAME=VALUE:NAME=VALUE...\n\n", stdout);
    rt_options_print(put, NULL);
    return GL_EXIT_OK;
}

const struct gl_command gl_command_options = {
    .name = "options",
    .arguments = "[--markdown]",
    .summary = "list the options of the runtime (GOLDILOCKS_OPTIONS)",
    .text = "Lists the options that a program under Goldilocks reads from GOLDILOCKS_OPTIONS, and the names "
            "that\n"
            "it honours in TSAN_OPTIONS.\n",
    .flags = flags,
    .run = run_options,
};
