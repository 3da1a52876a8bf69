/* SPDX-License-Identifier: Apache-2.0
 *
 * The `goldilocks` command: knows the list of subcommands, finds the one that was asked for (by its first argument, or by the
 * name of a link), and prints help and version.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "goldilocks/version.h"
#include "platform/option_text.h"

const struct gl_command *const gl_commands[] = {
    &gl_command_cc,
    &gl_command_cxx,
    &gl_command_run,
    &gl_command_record,
    &gl_command_java,
    &gl_command_go,
    &gl_command_options,
    &gl_command_analyze,
    &gl_command_compare,
    &gl_command_detectors,
    &gl_command_generate,
    &gl_command_convert,
    &gl_command_dump,
    &gl_command_explain,
    &gl_command_report,
    &gl_command_version,
    &gl_command_help,
    NULL,
};

static void print_overview(FILE *to)
{
    fputs("Usage: goldilocks COMMAND [ARGUMENTS]\n\n"
          "Finds the data races of running C, C++, Java and Go programs, and of recorded executions.\n\n"
          "Commands:\n",
          to);
    for (size_t i = 0; gl_commands[i]; i++)
        fprintf(to, "  %-9s %s\n", gl_commands[i]->name, gl_commands[i]->summary);
    fputs("\n'goldilocks help COMMAND' describes one of them and its options.\n"
          "\nTo find the races of a C program:\n"
          "  goldilocks cc -g program.c -o program\n"
          "  goldilocks run ./program\n"
          "and of a Java program:\n"
          "  goldilocks java -- -cp classes Main\n"
          "and of a Go program:\n"
          "  goldilocks go run .\n",
          to);
}

/* NULL: a sentence has been printed. */
static const struct gl_command *find(const char *name)
{
    const char *names[sizeof gl_commands / sizeof gl_commands[0]];
    size_t count = 0;
    for (; gl_commands[count]; count++) {
        if (strcmp(gl_commands[count]->name, name) == 0) return gl_commands[count];
        names[count] = gl_commands[count]->name;
    }
    const char *near = gl_nearest_name(name, strlen(name), names, count);
    gl_complain(NULL, "there is no command '%s'%s%s%s; 'goldilocks help' lists them all", name,
                near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    return NULL;
}

static int run_version(const struct gl_command *cmd, int argc, char **argv)
{
    int status = gl_no_flags(cmd, argc, argv, 0);
    if (status < 0) status = printf("goldilocks %s\n", GOLDILOCKS_VERSION_STRING) < 0;
    return status;
}

static int run_help(const struct gl_command *cmd, int argc, char **argv)
{
    int status = gl_no_flags(cmd, argc, argv, 1);
    if (status >= 0) return status;
    if (!argv[optind]) {
        print_overview(stdout);
        return GL_EXIT_OK;
    }
    const struct gl_command *about = find(argv[optind]);
    if (!about) return GL_EXIT_USAGE;
    gl_print_usage(about);
    return GL_EXIT_OK;
}

const struct gl_command gl_command_version = {
    .name = "version",
    .arguments = "",
    .summary = "print the version",
    .text = "Prints the version.\n",
    .run = run_version,
};

const struct gl_command gl_command_help = {
    .name = "help",
    .arguments = "[COMMAND]",
    .summary = "list the commands, or describe one of them",
    .text = "Lists the commands, or describes one of them and its options.\n",
    .run = run_help,
};

static int finish(const struct gl_command *cmd, int argc, char **argv)
{
    int status = cmd->run(cmd, argc, argv);
    errno = 0; /* what could not be written is still there, and is tried again */
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    return gl_complain(cmd, "the output could not be written%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
}

/* The command that `goldilocks-NAME` stands for, a link to this program for builds that take one word as their compiler.  NULL: the
 * program was called by its own name, or any other. */
static const struct gl_command *named_by_link(const char *path)
{
    static const struct gl_command *const linked[] = {&gl_command_cc, &gl_command_cxx};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t prefix = strlen("goldilocks-");
    if (strncmp(name, "goldilocks-", prefix) != 0) return NULL;
    for (size_t i = 0; i < sizeof linked / sizeof linked[0]; i++)
        if (strcmp(linked[i]->name, name + prefix) == 0) return linked[i];
    return NULL;
}

int main(int argc, char **argv)
{
    const struct gl_command *by_link = argc > 0 ? named_by_link(argv[0]) : NULL;
    if (by_link) return finish(by_link, argc, argv);
    if (argc < 2) {
        print_overview(stderr);
        return GL_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) word = "help";
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) word = "version";
    if (word[0] == '-') {
        return gl_complain(NULL, "unknown option '%s'; 'goldilocks help' lists what there is", word);
    }
    const struct gl_command *cmd = find(word);
    return cmd ? finish(cmd, argc - 1, argv + 1) : GL_EXIT_USAGE;
}
