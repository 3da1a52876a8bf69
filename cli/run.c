/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks run`: starts a program with our runtime in the place of libtsan.so.2, after looking at
 * the file to say early, in one sentence, why that could not work.  It becomes the program (exec), so
 * process id, signals and exit code are the program's own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/elf.h"
#include "goldilocks/trace_format.h"
#include "native/options.h"

/* Flags named like an option of the runtime (with - for _) set that option. */
#define RUN_FLAGS                                                                                           \
    {"on-race", "WHAT", "At a race: report (and go on, the default), halt (end the program) or trap (for a debugger)"}, \
    {"exitcode", "N", "Exit code when something was reported (default 66; 0: the program's own)"},                  \
    {"log-path", "PATH", "Write reports to PATH.<pid> instead of stderr"},                                  \
    {"format", "NAME", "Layout of reports: goldilocks (default), tsan (ThreadSanitizer's) or json"},                                \
    {"color", "WHEN", "Colours in reports: auto (on a terminal, the default), always or never"},                                         \
    {"stats", NULL, "Print the runtime's counters at the end"},                                                          \
    {"option", "NAME=VALUE", "Set any option of the runtime; 'goldilocks options' lists them"},             \
    {"force", NULL, "Run a program that is not instrumented itself; its libraries may be"}                

static const struct gl_flag flags[] = {
    RUN_FLAGS,
    {NULL, NULL, NULL},
};

static const struct gl_flag record_flags[] = {
    {"output", "FILE", "The recording (also -o FILE); by default PROGRAM.gltrace in the current folder"},
    {"accesses", "WHICH", "new (default): leave out accesses that can show no other race; all: record all"},
    RUN_FLAGS,
    {NULL, NULL, NULL},
};

struct request {
    char *options; /* GOLDILOCKS_OPTIONS for the program; malloc */
    const char *output; /* of record; NULL: not given */
    bool force;
};

/* Appends NAME=VALUE in the runtime's syntax. */
static bool add_option(const struct gl_command *cmd, struct request *r, const char *flag, const char *name, size_t name_length,
                       const char *value)
{
    const char *quote = !value[strcspn(value, ":, \t\r\n'\"")] ? "" : strchr(value, '\'') ? "\"" : "'";
    if (*quote && strchr(value, *quote)) {
        gl_complain(cmd, "the value of '%.*s' holds both kinds of quotes; use at most one kind",
                    (int)name_length, name);
        return false;
    }
    struct rt_options parsed;
    char *longer, error[512];
    if (asprintf(&longer, "%.*s=%s%s%s", (int)name_length, name, quote, value, quote) < 0)
        abort(); /* out of memory in a small command */
    bool fine = rt_options_parse(NULL, longer, &parsed, error, sizeof error);
    free(longer);
    if (!fine) { /* the variable's name is what the sentence begins with */
        const char *behind = strchr(error, ' ');
        gl_complain(cmd, "--%s:%s", flag, behind ? behind : error);
        return false;
    }
    if (asprintf(&longer, "%s%s%.*s=%s%s%s", r->options, *r->options ? ":" : "", (int)name_length, name,
                 quote, value, quote) < 0)
        abort(); /* out of memory in a small command */
    free(r->options);
    r->options = longer;
    return true;
}

static bool take_flag(const struct gl_command *cmd, struct request *r, const struct gl_flag *flag)
{
    if (strcmp(flag->name, "force") == 0) return r->force = true;
    if (strcmp(flag->name, "output") == 0) return r->output = optarg, true;
    if (strcmp(flag->name, "accesses") == 0) return add_option(cmd, r, flag->name, "record_accesses", 15, optarg);
    if (strcmp(flag->name, "option") == 0) {
        const char *equals = strchr(optarg, '=');
        if (!equals) {
            gl_complain(cmd, "--option '%s' has no value; write --option NAME=VALUE", optarg);
            return false;
        }
        return add_option(cmd, r, flag->name, optarg, (size_t)(equals - optarg), equals + 1);
    }
    char name[32] = "";
    for (size_t i = 0; flag->name[i] && i < sizeof name - 1; i++)
        name[i] = flag->name[i] == '-' ? '_' : flag->name[i];
    return add_option(cmd, r, flag->name, name, strlen(name), flag->arg ? optarg : "yes");
}

/* The options as the runtime will read them; complains here, before anything is started. */
static bool check_options(const struct gl_command *cmd, const struct request *r)
{
    struct rt_options parsed;
    char error[512], folder[GL_OPTION_TEXT_MAX + 2];
    if (!rt_options_parse(getenv("TSAN_OPTIONS"), r->options, &parsed, error, sizeof error)) {
        gl_complain(cmd, "%s", error);
        return false;
    }
    if (strcmp(parsed.log_path, "stderr") == 0 || strcmp(parsed.log_path, "stdout") == 0) return true;
    snprintf(folder, sizeof folder, "%s", parsed.log_path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = 0; /* keep the slash of the root */
    else
        strcpy(folder, ".");
    if (access(folder, W_OK | X_OK) == 0) return true;
    gl_complain(cmd, "reports cannot be written to '%s.<pid>': %s: %s; choose another log_path",
                parsed.log_path, folder, strerror(errno));
    return false;
}

/* A recording that is in the way goes; any other file stays.  False: a sentence has been printed. */
static bool make_way(const struct gl_command *cmd, const char *path)
{
    char head[sizeof GOLDILOCKS_TRACE_MAGIC - 1] = "";
    struct stat st;
    if (stat(path, &st) != 0 || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))) return true; /* the runtime says what is wrong */
    FILE *f = S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
    bool ours = st.st_size == 0 || (f && fread(head, sizeof head, 1, f) == 1 && memcmp(head, GOLDILOCKS_TRACE_MAGIC, sizeof head) == 0);
    if (f) fclose(f);
    if (!ours || S_ISDIR(st.st_mode)) {
        gl_complain(cmd, "'%s' is there and is no recording; name another file", path);
        return false;
    }
    if (unlink(path) == 0) return true;
    gl_complain(cmd, "'%s' is there and cannot be removed: %s", path, strerror(errno));
    return false;
}

/* Sets the runtime's option.  The program may change its folder before it forks: the path is made whole. */
static bool choose_output(const struct gl_command *cmd, struct request *r, const char *program)
{
    char folder[PATH_MAX] = "", path[2 * PATH_MAX];
    const char *slash = strrchr(program, '/');
    if (!(r->output && r->output[0] == '/') && !getcwd(folder, sizeof folder)) {
        gl_complain(cmd, "this folder has no name any more: %s", strerror(errno));
        return false;
    }
    if (r->output)
        snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", r->output);
    else
        snprintf(path, sizeof path, "%s/%s.gltrace", folder, slash ? slash + 1 : program);
    return make_way(cmd, path) && add_option(cmd, r, "output", "record", 6, path);
}

/* As execvp() would find it.  false: a sentence has been printed. */
static bool find_program(const struct gl_command *cmd, const char *word, char path[PATH_MAX])
{
    struct stat st;
    const char *search = getenv("PATH");
    bool denied = false;
    if (strchr(word, '/') || !search) search = NULL;
    do {
        size_t n = search ? strcspn(search, ":") : 0;
        int length = search ? snprintf(path, PATH_MAX, "%.*s/%s", n ? (int)n : 1, n ? search : ".", word)
                            : snprintf(path, PATH_MAX, "%s", word);
        if (length < PATH_MAX && stat(path, &st) == 0) {
            if (S_ISREG(st.st_mode) && access(path, X_OK) == 0) return true;
            denied = true;
            if (!search) break;
        }
        search = search && search[n] ? search + n + 1 : NULL;
    } while (search);
    if (denied && S_ISDIR(st.st_mode))
        gl_complain(cmd, "'%s' is a folder; give the program in it", word);
    else if (denied)
        gl_complain(cmd, "'%s' is not executable; chmod +x would make it so", word);
    else
        gl_complain(cmd, "there is no program '%s'%s", word,
                    strchr(word, '/') ? "; check the path"
                                      : " in PATH; write ./ in front of one in this folder");
    return false;
}

/* 0: goes well with our runtime; else the exit code after a sentence. */
static int judge(const struct gl_command *cmd, const char *word, const struct gl_program *p, bool force)
{
    if (p->kind == GL_FILE_UNREADABLE)
        return gl_complain(cmd, "'%s' cannot be read: %s", word, strerror(errno));
    if (p->has_ours) return 0;
    if (p->has_runtime)
        return gl_complain(
            cmd,
            "'%s' has the compiler's own race detector linked into it, which ours cannot replace; link it "
            "with 'goldilocks cc' (clang's comes with clang itself, GOLDILOCKS_CC selects it; gcc's with -static-libtsan)",
            word);
    if (p->needs_other[0])
        return gl_complain(cmd, "'%s' loads %s, but we stand in for %s; link it with 'goldilocks cc'", word,
                           p->needs_other, GL_RUNTIME_NAME);
    if (p->needs_ours || p->calls_tsan || force) return 0;
    if (p->kind == GL_FILE_SCRIPT)
        return gl_complain(
            cmd, "'%s' is a script; give the program that it starts, or --force to run the script under us",
            word);
    if (p->kind == GL_FILE_OTHER)
        return gl_complain(cmd, "'%s' is not a 64-bit ELF program; we can run no other", word);
    return gl_complain(
        cmd,
        "'%s' is not instrumented, so no access of it would be seen; build it with 'goldilocks cc' or "
        "'goldilocks c++' (or --force if only its libraries are)",
        word);
}

static void put_in_front(const char *variable, const char *value)
{
    const char *old = getenv(variable);
    char *both;
    if (asprintf(&both, "%s%s%s", value, old && *old ? ":" : "", old ? old : "") < 0) abort();
    if (setenv(variable, both, 1) != 0) abort();
    free(both);
}

/* LD_LIBRARY_PATH is enough for a program that loads libtsan.so.2 (or .0), and leaves the uninstrumented
 * programs that it starts alone.  LD_PRELOAD is for those that it cannot reach. */
static int set_environment(const struct gl_command *cmd, const struct gl_program *p, const struct request *r)
{
    const char *folder = gl_library_folder(cmd);
    char library[PATH_MAX + sizeof GL_RUNTIME_NAME + 1];
    if (!folder) return GL_EXIT_USAGE;
    if (folder[strcspn(folder, " :;")])
        return gl_complain(
            cmd,
            "the runtime is in '%s', and the loader cannot take a folder with a blank, ':' or ';' in its "
            "name; move it",
            folder);
    put_in_front("LD_LIBRARY_PATH", folder);
    if (!p->has_ours && (!p->needs_ours || p->has_rpath || p->libc_first)) {
        snprintf(library, sizeof library, "%s/%s", folder, GL_RUNTIME_NAME);
        put_in_front("LD_PRELOAD", library);
    }
    if (*r->options && setenv("GOLDILOCKS_OPTIONS", r->options, 1) != 0) abort();
    return 0;
}

static int start(const struct gl_command *cmd, int argc, char **argv, bool record)
{
    const char *inherited = getenv("GOLDILOCKS_OPTIONS");
    struct request r = {.options = NULL};
    if (asprintf(&r.options, "warn_modules=yes%s%s", inherited && *inherited ? ":" : "", inherited ? inherited : "") < 0) abort();
    for (int got; (got = gl_next_flag(cmd, argc, argv)) != GL_FLAGS_END;) {
        if (got == GL_FLAGS_HELP) return GL_EXIT_OK;
        if (got == GL_FLAGS_BAD || !take_flag(cmd, &r, &cmd->flags[got])) return GL_EXIT_USAGE;
    }
    char **words = argv + optind, path[PATH_MAX];
    if (!*words) return gl_complain(cmd, "no program was given; 'goldilocks help %s' shows the use", cmd->name);
    if (!find_program(cmd, *words, path)) return GL_EXIT_USAGE;
    if ((record && !choose_output(cmd, &r, *words)) || !check_options(cmd, &r)) return GL_EXIT_USAGE;

    struct gl_program program;
    gl_program_read(path, &program);
    int status = judge(cmd, *words, &program, r.force);
    if (!status) status = set_environment(cmd, &program, &r);
    free(r.options);
    if (status) return status;
    execv(path, words);
    return gl_complain(cmd, "'%s' could not be started: %s", *words, strerror(errno));
}

static int run_run(const struct gl_command *cmd, int argc, char **argv) { return start(cmd, argc, argv, false); }

static int run_record(const struct gl_command *cmd, int argc, char **argv) { return start(cmd, argc, argv, true); }

const struct gl_command gl_command_run = {
    .name = "run",
    .arguments = "[OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .summary = "run a program and report its data races",
    .text = "Runs PROGRAM with the Goldilocks runtime, which reports each data race at the moment when it happens. PROGRAM\n"
            "is one that 'goldilocks cc' built, or one that gcc linked with -fsanitize=thread: the runtime then takes the\n"
            "place of gcc's own, and nothing needs to be rebuilt. The options are added to those in GOLDILOCKS_OPTIONS.\n"
            "\n"
            "Exit code: the program's own; 66 when something was reported; 2 when the program was not started.\n",
    .flags = flags,
    .run = run_run,
};

const struct gl_command gl_command_record = {
    .name = "record",
    .arguments = "[OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .summary = "run a program and record what its threads do",
    .text = "Runs PROGRAM as 'goldilocks run' does, and also records the execution: accesses, synchronization, threads and\n"
            "memory, with their places in the program and call stacks. 'goldilocks analyze FILE' finds the races of the\n"
            "recording with any detector, and 'goldilocks explain FILE' shows why two accesses race. A child that PROGRAM\n"
            "forks records into FILE.<pid>.\n"
            "\n"
            "Exit code: the program's own; 66 when something was reported; 2 when the program was not started, or when the\n"
            "recording could not be written to its end and the code would have been 0.\n",
    .flags = record_flags,
    .run = run_record,
};
