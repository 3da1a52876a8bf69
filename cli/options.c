/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks options`: the runtime's options, from the runtime's own table (native/options.def), for
 * reading and as the page docs/options.md; with --java the same for the Java agent (java/options.def).
 */
#include <stdio.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "java/options.h"
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

static void print_row(const struct gl_option *o, bool with_alias)
{
    const char *values = o->type == GL_OPTION_SHORT ? "yes|no" : o->values;
    printf("| `%s` | %s%s%s | ", o->name, *o->deflt ? "`" : "", o->deflt, *o->deflt ? "`" : "");
    put_cell(values);
    printf(" | ");
    put_cell(o->sentence);
    if (with_alias) printf(" | %s%s%s", *o->alias ? "`" : "", o->alias, *o->alias ? "`" : "");
    printf(" |\n");
}

static void print_java_markdown(void)
{
    fputs("# Options of the Java agent\n\n"
          "Made by `tools/make_options_doc` from `java/options.def`; do not edit.\n\n"
          "Write them after the agent's path, `-agentpath:.../libgoldilocks_java.so=NAME=VALUE,NAME=VALUE`, or into "
          "`GOLDILOCKS_JAVA_OPTIONS`,\n"
          "separated by `,` or blanks, or use the flags of `goldilocks java`. A value that holds a separator goes in quotes:\n"
          "`log_path='/tmp/my races'`. What is written after the path overrides the variable. What they are for:\n"
          "[java.md](java.md).\n\n"
          "| option | default | values | meaning |\n|---|---|---|---|\n",
          stdout);
    for (size_t i = 0; i < gl_j_option_set.count; i++) print_row(&gl_j_option_set.table[i], false);
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
    for (size_t i = 0; i < rt_option_count; i++) print_row(&rt_option_table[i], true);
    fputs("\n## Options of ThreadSanitizer that do nothing here\n\n"
          "They are accepted in `TSAN_OPTIONS`; with `verbosity=1` the program says so when it starts.\n\n"
          "| option | why |\n|---|---|\n",
          stdout);
    for (const struct rt_ignored_option *i = rt_ignored_options; i->name; i++)
        printf("| `%s` | %s |\n", i->name, i->why);
}

static const struct gl_flag flags[] = {
    {"java", NULL, "List the options of the Java agent (GOLDILOCKS_JAVA_OPTIONS) instead"},
    {"markdown", NULL, "Print the list as the page docs/options.md, or docs/java-options.md"},
    {NULL, NULL, NULL},
};
enum { FLAG_JAVA, FLAG_MARKDOWN, FLAGS };

static int run_options(const struct gl_command *cmd, int argc, char **argv)
{
    bool given[FLAGS] = {false};
    int got;
    while ((got = gl_next_flag(cmd, argc, argv)) >= 0) given[got] = true;
    if (got == GL_FLAGS_HELP) return GL_EXIT_OK;
    if (got != GL_FLAGS_END) return GL_EXIT_USAGE;
    if (argv[optind])
        return gl_complain(cmd, "'%s' is one word too many; 'goldilocks help options' shows the use",
                           argv[optind]);
    if (given[FLAG_MARKDOWN]) {
        if (given[FLAG_JAVA])
            print_java_markdown();
        else
            print_markdown();
        return GL_EXIT_OK;
    }
    if (given[FLAG_JAVA]) {
        fputs("Options of the Java agent, for GOLDILOCKS_JAVA_OPTIONS=NAME=VALUE,NAME=VALUE...\n\n", stdout);
        gl_options_print(&gl_j_option_set, "", put, NULL);
        return GL_EXIT_OK;
    }
    fputs("Options of the runtime, for GOLDILOCKS_OPTIONS=NAME=VALUE:NAME=VALUE...\n\n", stdout);
    rt_options_print(put, NULL);
    return GL_EXIT_OK;
}

const struct gl_command gl_command_options = {
    .name = "options",
    .arguments = "[--java] [--markdown]",
    .summary = "list the options of the runtime, or of the Java agent",
    .text = "Lists the options that a program under Goldilocks reads from the environment variable GOLDILOCKS_OPTIONS, with\n"
            "their defaults and values, and the names that are honoured in TSAN_OPTIONS.\n",
    .flags = flags,
    .run = run_options,
};
