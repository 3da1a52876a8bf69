/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks generate`: random executions of any length as traces (trace/generate.h).
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/env.h"
#include "cli/file.h"
#include "cli/format.h"
#include "cli/number.h"
#include "cli/progress.h"
#include "trace/generate.h"
#include "trace/writer.h"

enum { BATCH = 4096 };

enum {
    FLAG_EVENTS,
    FLAG_SEED,
    FLAG_THREADS,
    FLAG_ALIVE,
    FLAG_VARIABLES,
    FLAG_LOCKS,
    FLAG_OBJECTS,
    FLAG_PARTY,
    FLAG_QUANTUM,
    FLAG_LOCATIONS,
    FLAG_RACES,
    FLAG_MIX,
    FLAG_TOPOLOGY,
    FLAG_ADDRESSES,
    FLAG_TO,
    FLAG_OUTPUT
};

static const struct gl_flag flags[] = {
    [FLAG_EVENTS] = {"events", "N",
                     "Number of events, exactly (default 10M; any number may end in k, M or G)"},
    [FLAG_SEED] = {"seed", "N", "Another seed makes another execution (default 1)"},
    [FLAG_THREADS] = {"threads", "N", "Threads in all (default 16)"},
    [FLAG_ALIVE] = {"alive", "N",
                    "Threads alive at a time (default: all); give 'thread' a share in --mix then"},
    [FLAG_VARIABLES] = {"variables", "N", "Data variables (default 100k)"},
    [FLAG_LOCKS] = {"locks", "N", "Mutexes (default 100)"},
    [FLAG_OBJECTS] = {"objects", "N", "Objects of each other kind (default 8)"},
    [FLAG_PARTY] = {"party", "N", "Threads that meet at a barrier (default 16)"},
    [FLAG_QUANTUM] = {"quantum", "N",
                      "Mean number of events before it is another thread's turn (default 16)"},
    [FLAG_LOCATIONS] = {"locations", "N", "Different locations (default 1000; 0: events have none)"},
    [FLAG_RACES] = {"races", "RATE", "Share of the accesses that break the discipline, 0 to 1 (default 0)"},
    [FLAG_MIX] = {"mix", "LIST", "Shares of the families (default read=60,write=30,lock=10), or 'everything'"},
    [FLAG_TOPOLOGY] = {"topology", "NAME", "Which threads synchronize with which (default shared)"},
    [FLAG_ADDRESSES] = {"addresses", NULL, "Make variables of 8 bytes at an address, instead of variables with names"},
    [FLAG_TO] = {"to", "FORMAT", "std (text, the default) or binary"},
    [FLAG_OUTPUT] = {"output", "FILE",
                     "Write to FILE, which appears when it is complete (default: standard output)"},
    {NULL, NULL, NULL},
};

struct request {
    struct gl_generate_options o;
    enum gl_trace_format format;
    const char *path;
    bool alive_given;
};

/* ---- the command line ---- */

static bool take_mix(const struct gl_command *cmd, struct gl_generate_options *o, const char *list)
{
    static const uint32_t everything[GL_FAMILY_COUNT] = {
        [GL_FAMILY_READ] = 40,     [GL_FAMILY_WRITE] = 20,  [GL_FAMILY_HEAP] = 1,     [GL_FAMILY_LOCK] = 12,
        [GL_FAMILY_CWAIT] = 2,     [GL_FAMILY_RWLOCK] = 4,  [GL_FAMILY_VOLATILE] = 3, [GL_FAMILY_ATOMIC] = 6,
        [GL_FAMILY_FENCE] = 2,     [GL_FAMILY_BARRIER] = 3, [GL_FAMILY_COMMIT] = 2,   [GL_FAMILY_THREAD] = 2,
        [GL_FAMILY_SEMAPHORE] = 3,
    };
    memset(o->weight, 0, sizeof o->weight);
    if (strcmp(list, "everything") == 0) {
        memcpy(o->weight, everything, sizeof everything);
        return true;
    }
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ","), name = strcspn(at, "=,");
        int f = 0;
        while (f < GL_FAMILY_COUNT && (strlen(gl_family_name((enum gl_family)f)) != name ||
                                       strncmp(at, gl_family_name((enum gl_family)f), name) != 0))
            f++;
        char value[24];
        uint64_t weight;
        snprintf(value, sizeof value, "%.*s", at[name] == '=' ? (int)(length - name - 1) : 0, at + name + 1);
        if (f == GL_FAMILY_COUNT) {
            gl_complain(cmd, "'%.*s' is no family of operations; 'goldilocks help generate' lists them",
                        (int)name, at);
            return false;
        }
        if (!gl_number_parse(value, 1000000, &weight)) {
            gl_complain(cmd, "the weight of %.*s must be a number from 0 to 1000000: write --mix %.*s=10",
                        (int)name, at, (int)name, at);
            return false;
        }
        o->weight[f] = (uint32_t)weight;
        at += length + (at[length] == ',');
    }
    return true;
}

static bool take_topology(const struct gl_command *cmd, struct gl_generate_options *o, const char *name)
{
    for (int t = 0; t < GL_TOPOLOGY_COUNT; t++)
        if (strcmp(gl_topology_name((enum gl_topology)t), name) == 0) {
            o->topology = (enum gl_topology)t;
            return true;
        }
    gl_complain(cmd, "'%s' is no topology; 'goldilocks help generate' lists them", name);
    return false;
}

static bool take_number(const struct gl_command *cmd, const char *flag, uint64_t max, uint64_t *out)
{
    if (gl_number_parse(optarg, max, out))
        return true;
    gl_complain(cmd, "--%s '%s' must be a whole number from 0 to %llu; k, M and G may follow it", flag,
                optarg, (unsigned long long)max);
    return false;
}

static bool take_small(const struct gl_command *cmd, const char *flag, uint32_t *out)
{
    uint64_t n;
    if (!take_number(cmd, flag, UINT32_MAX, &n))
        return false;
    *out = (uint32_t)n;
    return true;
}

static bool take_rate(const struct gl_command *cmd, struct gl_generate_options *o)
{
    char *end;
    double rate = strtod(optarg, &end);
    if (*end || end == optarg || !(rate >= 0 && rate <= 1)) {
        gl_complain(cmd, "--races '%s' must be a number from 0 to 1, for example 0.001", optarg);
        return false;
    }
    o->races_per_million = (uint32_t)(rate * 1e6 + 0.5);
    if (rate > 0 && !o->races_per_million) {
        gl_complain(cmd, "--races '%s' is less than one access in a million, which is the least", optarg);
        return false;
    }
    return true;
}

static bool take_flag(const struct gl_command *cmd, void *ctx, int flag)
{
    struct request *r = ctx;
    struct gl_generate_options *o = &r->o;
    const char *name = flags[flag].name;
    switch (flag) {
    case FLAG_EVENTS:
        return take_number(cmd, name, INT64_MAX, &o->events);
    case FLAG_SEED:
        return take_number(cmd, name, INT64_MAX, &o->seed);
    case FLAG_THREADS:
        return take_small(cmd, name, &o->threads);
    case FLAG_ALIVE:
        r->alive_given = true;
        return take_small(cmd, name, &o->alive);
    case FLAG_VARIABLES:
        return take_small(cmd, name, &o->variables);
    case FLAG_LOCKS:
        return take_small(cmd, name, &o->locks);
    case FLAG_OBJECTS:
        return take_small(cmd, name, &o->objects);
    case FLAG_PARTY:
        return take_small(cmd, name, &o->party);
    case FLAG_QUANTUM:
        return take_small(cmd, name, &o->quantum);
    case FLAG_LOCATIONS:
        return take_small(cmd, name, &o->locations);
    case FLAG_RACES:
        return take_rate(cmd, o);
    case FLAG_MIX:
        return take_mix(cmd, o, optarg);
    case FLAG_TOPOLOGY:
        return take_topology(cmd, o, optarg);
    case FLAG_ADDRESSES:
        return o->addresses = true;
    case FLAG_TO:
        return gl_trace_format_asked(cmd, name, optarg, true, &r->format);
    default:
        r->path = optarg;
        return true;
    }
}

/* ---- the work ---- */

/* Generator to writer, until the end.  False: the output has failed. */
static bool pump(struct gl_generator *g, struct gl_trace_writer *w, uint64_t total)
{
    static struct gl_event events[BATCH];
    struct gl_progress bar;
    uint64_t done = 0;
    bool fine = true;
    gl_progress_begin(&bar, "generate", total);
    for (size_t n; fine && (n = gl_generator_next(g, events, BATCH)) > 0;) {
        fine = gl_trace_write(w, events, n);
        done += n;
        gl_progress_show(&bar, done);
    }
    gl_progress_end(&bar);
    return fine;
}

static int generate(const struct gl_command *cmd, const struct request *r)
{
    struct gl_counted_env memory;
    struct gl_output out;
    gl_counted_env_init(&memory);
    struct gl_names *names = gl_names_create(&memory.env);
    struct gl_generator *g = names ? gl_generator_create(&memory.env, &r->o, names) : NULL;
    if (!g) {
        if (names)
            gl_names_destroy(names);
        return gl_complain(cmd, "there is not enough memory for that many threads, variables and locks");
    }
    int status = GL_EXIT_USAGE;
    if (gl_output_open(cmd, r->path, &out)) {
        struct gl_trace_writer *w = gl_trace_writer_open(&memory.env, r->format, names, gl_output_put, &out);
        bool fine = w != NULL;
        if (w) {
            fine = pump(g, w, r->o.events);
            fine = gl_trace_writer_close(w) && fine;
        }
        if (!gl_output_close(&out, fine))
            fine = false;
        else if (!fine)
            gl_complain(cmd, "there is not enough memory to write the trace");
        status = fine ? GL_EXIT_OK : GL_EXIT_USAGE;
    }
    gl_generator_destroy(g);
    gl_names_destroy(names);
    return status;
}

static int run_generate(const struct gl_command *cmd, int argc, char **argv)
{
    struct request r = {.format = GL_TRACE_STD};
    gl_generate_usual(&r.o);
    int done = gl_take_flags(cmd, argc, argv, take_flag, &r);
    if (done >= 0)
        return done;
    if (argv[optind])
        return gl_complain(cmd, "'%s' is one word too many; 'goldilocks help generate' shows the use",
                           argv[optind]);
    if (!r.alive_given)
        r.o.alive = r.o.threads;
    const char *complaint = gl_generate_complaint(&r.o);
    if (complaint)
        return gl_complain(cmd, "%s", complaint);
    if (r.o.alive < r.o.threads && !r.o.weight[GL_FAMILY_THREAD])
        return gl_complain(
            cmd,
            "with --alive below --threads the others come when threads end: give 'thread' a weight in --mix");
    if (r.format == GL_TRACE_BINARY && (!r.path || strcmp(r.path, "-") == 0) && isatty(STDOUT_FILENO))
        return gl_complain(cmd, "a binary trace is not for a terminal; write --output FILE");
    return generate(cmd, &r);
}

const struct gl_command gl_command_generate = {
    .name = "generate",
    .arguments = "[OPTIONS]",
    .summary = "make a random execution as a trace",
    .text = "Makes a random execution that a program could produce, of any length, in little memory. The same options make\n"
            "the same trace on every machine. Without --races it has no data race, by construction: each variable belongs\n"
            "to a lock, to the transactions, to nobody (then it is only read), or to one thread at a time, which hands it\n"
            "on by some synchronization.\n"
            "\n"
            "Families of operations, for --mix:\n"
#define X(family, name, sentence) "  " name ": " sentence "\n"
    GL_FAMILIES(X)
#undef X
        "\n"
        "Topologies, for --topology:\n"
#define X(topology, name, sentence) "  " name ": " sentence "\n"
    GL_TOPOLOGIES(X)
#undef X
        ,
    .flags = flags,
    .run = run_generate,
};
