/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks java`: starts a JVM with our agent.  It becomes the JVM (exec), so process id, signals and exit code are its own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "java/options.h"

#define AGENT_NAME "libgoldilocks_java.so"

/* Flags named like an option of the agent (with - for _) set that option. */
static const struct gl_flag flags[] = {
    {"on-race", "WHAT", "At a race: report, throw (a DataRaceException right before the access), halt or log"},
    {"include", "GLOBS", "Check the data of these classes only, for instance com.acme.*:org.acme.Main"},
    {"exclude", "GLOBS", "Leave these classes alone: see neither their data nor their synchronization"},
    {"history", "WHAT", "What to show of an earlier access: its site (default) or its whole stack"},
    {"allocations", NULL, "Also say where the object or array was allocated"},
    {"exitcode", "N", "Exit code when a race was reported (default 0: the program's own)"},
    {"log-path", "PATH", "Write reports to PATH.<pid> instead of stderr"},
    {"format", "NAME", "Reports as text or as json, one object per line"},
    {"detector", "NAME", "The detector that judges: goldilocks (default), vc, fasttrack or eraser"},
    {"record", "FILE", "Also record the run, for 'goldilocks analyze' and 'goldilocks explain'"},
    {"stats", NULL, "Print all counters at the end"},
    {"option", "NAME=VALUE", "Set any option of the agent; --options lists them"},
    {"options", NULL, "List all options of the agent, and exit"},
    {"java", "FILE", "The JVM's command (default: $JAVA_HOME/bin/java, or java from the PATH)"},
    {NULL, NULL, NULL},
};
enum { FLAG_OPTION = 11, FLAG_OPTIONS = 12, FLAG_JAVA = 13 };

struct request {
    char *options; /* for the agent; malloc */
    const char *java;
    bool list;
};

static bool add(const struct gl_command *cmd, struct request *r, const char *name, size_t name_length, const char *value)
{
    const char *quote = !value[strcspn(value, ", \t\r\n'\"")] ? "" : strchr(value, '\'') ? "\"" : "'";
    char *longer;
    if (*quote && strchr(value, *quote)) {
        gl_complain(cmd, "the value of '%.*s' holds both kinds of quotes; use at most one kind", (int)name_length, name);
        return false;
    }
    if (asprintf(&longer, "%s%s%.*s=%s%s%s", r->options, *r->options ? "," : "", (int)name_length, name, quote, value, quote) < 0)
        abort(); /* out of memory in a small command */
    free(r->options);
    r->options = longer;
    return true;
}

static bool take(const struct gl_command *cmd, void *ctx, int flag)
{
    struct request *r = ctx;
    if (flag == FLAG_OPTIONS) return r->list = true;
    if (flag == FLAG_JAVA) {
        r->java = optarg;
        return true;
    }
    if (flag == FLAG_OPTION) {
        const char *equals = strchr(optarg, '=');
        if (equals) return add(cmd, r, optarg, (size_t)(equals - optarg), equals + 1);
        gl_complain(cmd, "--option '%s' has no value; write --option NAME=VALUE", optarg);
        return false;
    }
    char name[32] = "";
    for (size_t i = 0; flags[flag].name[i] && i < sizeof name - 1; i++)
        name[i] = flags[flag].name[i] == '-' ? '_' : flags[flag].name[i];
    return add(cmd, r, name, strlen(name), flags[flag].arg ? optarg : "yes");
}

static void print(void *ctx, const char *text, size_t n) { fwrite(text, 1, n, ctx); }

/* The agent beside this command, or the program java is started with. */
static int start(const struct gl_command *cmd, struct request *r, char **words, int n_words)
{
    struct gl_j_options parsed;
    char error[512], agent[PATH_MAX + sizeof AGENT_NAME + 1], java[PATH_MAX], *argument;
    const char *folder = gl_library_folder(cmd), *home = getenv("JAVA_HOME");
    if (!gl_j_options_parse(getenv("GOLDILOCKS_JAVA_OPTIONS"), r->options, &parsed, error, sizeof error))
        return gl_complain(cmd, "%s", error);
    if (!folder) return GL_EXIT_USAGE;
    snprintf(agent, sizeof agent, "%s/%s", folder, AGENT_NAME);
    if (access(agent, R_OK) != 0)
        return gl_complain(cmd, "there is no %s; it is built where a JDK 17 is installed (package openjdk-17-jdk-headless)", agent);
    if (strchr(agent, '='))
        return gl_complain(cmd, "java takes no agent from '%s', since '=' ends the name; install where the path has none", folder);
    if (r->java)
        snprintf(java, sizeof java, "%s", r->java);
    else if (home && *home)
        snprintf(java, sizeof java, "%s/bin/java", home);
    else
        snprintf(java, sizeof java, "java");
    if (asprintf(&argument, "-agentpath:%s=%s", agent, r->options) < 0) abort();
    char **argv = calloc((size_t)n_words + 3, sizeof *argv);
    if (!argv) abort();
    argv[0] = java;
    argv[1] = argument;
    memcpy(argv + 2, words, (size_t)n_words * sizeof *argv);
    execvp(java, argv);
    int status = gl_complain(cmd, "'%s' could not be started: %s; set JAVA_HOME, or give --java FILE", java, strerror(errno));
    free(argv);
    free(argument);
    return status;
}

static int run_java(const struct gl_command *cmd, int argc, char **argv)
{
    struct request r = {.options = strdup("")};
    if (!r.options) abort();
    int status = gl_take_flags(cmd, argc, argv, take, &r);
    if (status >= 0) {
        free(r.options);
        return status;
    }
    if (r.list) {
        gl_options_print(&gl_j_option_set, "", print, stdout);
        status = GL_EXIT_OK;
    } else if (!argv[optind]) {
        status = gl_complain(cmd, "no program was given; write what you would give to java after --, for instance -- -jar app.jar");
    } else {
        status = start(cmd, &r, argv + optind, argc - optind);
    }
    free(r.options);
    return status;
}

const struct gl_command gl_command_java = {
    .name = "java",
    .arguments = "[OPTIONS] -- JAVA-ARGUMENTS",
    .summary = "run a Java program and report its data races",
    .text = "Runs java with the Goldilocks agent, which instruments the application's classes as they are loaded and reports\n"
            "each data race on a field or an array element. JAVA-ARGUMENTS are those of java itself, such as -jar app.jar, or\n"
            "-cp CLASSES Main. It works with JDK 17 to 25; nothing needs to be rebuilt.\n"
            "\n"
            "Exit code: the program's own, unless --exitcode says otherwise; 2 when the program was not started.\n",
    .flags = flags,
    .run = run_java,
};
