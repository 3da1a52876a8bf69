/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks analyze`: judges recorded executions and prints their races, for people or as JSON (docs/analyze.md).
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/detectors.h"
#include "cli/explain_words.h"
#include "cli/file.h"
#include "cli/format.h"
#include "cli/json.h"
#include "cli/judge.h"
#include "cli/number.h"
#include "cli/plain.h"

enum { VARIABLE_MAX = 160 }; /* characters of a name */

enum {
    FLAG_DETECTOR,
    FLAG_ALL,
    FLAG_JSON,
    FLAG_JOBS,
    FLAG_LENIENT,
    FLAG_TRUST,
    FLAG_SET,
    FLAG_STATS,
    FLAG_MEMORY,
    FLAG_FROM
};

static const struct gl_flag flags[] = {
    [FLAG_DETECTOR] = {"detector", "NAME",
                       "The detector that judges (default goldilocks); 'goldilocks detectors' lists them"},
    [FLAG_ALL] = {"all", NULL, "List every racing access, not only the first one of each variable"},
    [FLAG_JSON] = {"json", NULL, "Print one JSON object per file, on a line of its own"},
    [FLAG_JOBS] = {"jobs", "N", "Use N cores for each trace, 1 to 256; the races found are the same"},
    [FLAG_LENIENT] = {"lenient", NULL, "Leave out events that no program could have produced, and count them"},
    [FLAG_TRUST] = {"trust", NULL,
                    "Do not check whether the events are possible: faster, for traces known to be right"},
    [FLAG_SET] = {"set", "SWITCH=on|off", "Turn a part of the detector on or off, for study"},
    [FLAG_STATS] = {"stats", NULL, "Also print the detector's counters, memory and time"},
    [FLAG_MEMORY] = {"memory", "BYTES",
                     "Memory that the detector may take, such as 4G (default: three quarters of all)"},
    [FLAG_FROM] = {"from", "FORMAT",
                   "Format of the files: std, csv, roadrunner, rapidbin or binary (default: found out)"},
    {NULL, NULL, NULL},
};

struct request {
    struct gl_judge_options o;
    struct gl_judge_set sets[GL_JUDGE_SETS];
    enum gl_trace_format format;
    bool json, stats;
};

/* ---- the command line ---- */

static bool take_set(const struct gl_command *cmd, struct request *r)
{
    char *equals = strchr(optarg, '=');
    bool on = equals && strcmp(equals, "=on") == 0;
    if (!on && (!equals || strcmp(equals, "=off") != 0)) {
        gl_complain(cmd, "--set '%s' must end with =on or =off", optarg);
        return false;
    }
    if (r->o.n_sets == GL_JUDGE_SETS) {
        gl_complain(cmd, "--set can be given %d times", GL_JUDGE_SETS);
        return false;
    }
    *equals = 0; /* the command line is ours */
    r->sets[r->o.n_sets++] = (struct gl_judge_set){optarg, on};
    return true;
}

static bool take_flag(const struct gl_command *cmd, void *ctx, int flag)
{
    struct request *r = ctx;
    uint64_t n;
    switch (flag) {
    case FLAG_DETECTOR:
        return (r->o.detector = gl_detector_asked(cmd, optarg)) != NULL;
    case FLAG_ALL:
        return r->o.all = true;
    case FLAG_JSON:
        return r->json = true;
    case FLAG_JOBS:
        if (!gl_number_parse(optarg, GL_JUDGE_JOBS, &n) || !n) {
            gl_complain(cmd, "--jobs '%s' must be a number from 1 to %d", optarg, GL_JUDGE_JOBS);
            return false;
        }
        r->o.jobs = (unsigned)n;
        return true;
    case FLAG_LENIENT:
        return r->o.lenient = true;
    case FLAG_TRUST:
        return r->o.trust = true;
    case FLAG_SET:
        return take_set(cmd, r);
    case FLAG_STATS:
        return r->stats = true;
    case FLAG_MEMORY:
        if (!gl_number_parse(optarg, SIZE_MAX, &n) || !n) {
            gl_complain(cmd, "--memory '%s' must be a number of bytes; k, M and G may follow it", optarg);
            return false;
        }
        r->o.memory = (size_t)n;
        return true;
    default:
        return gl_trace_format_asked(cmd, "from", optarg, false, &r->format);
    }
}

static bool check_sets(const struct gl_command *cmd, const struct request *r)
{
    for (size_t i = 0; i < r->o.n_sets; i++) {
        const struct gl_switch *s = r->o.detector->switches;
        while (s && s->name && strcmp(s->name, r->sets[i].name) != 0)
            s++;
        if (!s || !s->name) {
            gl_complain(cmd, "%s has no switch '%s'; 'goldilocks detectors' lists what there is",
                        r->o.detector->name, r->sets[i].name);
            return false;
        }
    }
    return true;
}

/* ---- for people ---- */

static const char *location_of(const struct gl_judgement *j, const struct gl_judge_access *a)
{
    return a->location ? gl_name_of(gl_trace_names(j->reader), GL_NAME_LOCATION, a->location) : NULL;
}

static const char *thread_of(const struct gl_judgement *j, const struct gl_judge_access *a)
{
    const char *name = gl_name_of(gl_trace_names(j->reader), GL_NAME_THREAD, a->thread);
    return name ? name : "?";
}

static void print_access(const struct gl_judgement *j, const struct gl_judge_access *a, const char *which)
{
    const char *at = location_of(j, a);
    printf("  %-8s %s %llu: ", which, j->text ? "line" : "record", (unsigned long long)a->record);
    gl_put_plain(thread_of(j, a), stdout);
    printf(" %s%s", gl_words_op(a->op, a->order).text, at ? " at " : "");
    gl_put_plain(at, stdout);
    puts(a->forgotten ? " at a place that was not kept: the trace came through a pipe" : "");
}

static void print_race(const struct gl_judgement *j, const char *file, const struct gl_judge_race *race)
{
    char variable[VARIABLE_MAX];
    gl_data_name(gl_trace_names(j->reader), race->variable, variable, sizeof variable);
    printf("%s: race on %s", file, gl_plain(variable));
    if (gl_data_symbol_name(gl_trace_names(j->reader), race->variable, variable, sizeof variable))
        printf(" (%s)", gl_plain(variable));
    putchar('\n');
    print_access(j, &race->now, "access");
    if (race->then.record)
        print_access(j, &race->then, "earlier");
    else
        printf("  %-8s not known: of an atomic access it is told for the first variable only\n", "earlier");
}

static void print_stats(const struct gl_judgement *j)
{
    for (size_t i = 0; i < j->n_counts; i++)
        printf("  %-24s %14llu  %s\n", j->counts[i].name, (unsigned long long)j->counts[i].value,
               j->counts[i].sentence);
    printf("  %-24s %14zu  bytes of memory that the detector asked for, at most\n", "memory", j->memory);
    printf("  %-24s %14.3f  seconds in the detector\n", "seconds", j->seconds);
}

static void print_text(const struct request *r, const struct gl_judgement *j, const char *file)
{
    char a[27], b[27], c[27], d[27];
    for (size_t i = 0; i < j->n_races; i++) {
        print_race(j, file, &j->races[i]);
        putchar('\n');
    }
    if (j->n_races == GL_JUDGE_LISTED)
        printf("%s: only the first %s are listed\n", file, gl_number_text(a, GL_JUDGE_LISTED));
    if (j->racing_variables)
        printf("%s: %s racing %s on %s of %s %s", file, gl_number_text(a, j->racing_accesses),
               j->racing_accesses == 1 ? "access" : "accesses", gl_number_text(b, j->racing_variables),
               gl_number_text(c, j->variables), j->variables == 1 ? "variable" : "variables");
    else
        printf("%s: no race on %s %s", file, gl_number_text(c, j->variables),
               j->variables == 1 ? "variable" : "variables");
    printf("; %s %s, %s %s; %s\n", gl_number_text(a, j->events), j->events == 1 ? "event" : "events", gl_number_text(d, j->threads),
           j->threads == 1 ? "thread" : "threads", r->o.detector->name);
    if (!(r->o.detector->can & GL_CAN_PRECISE))
        printf("%s: %s is not precise: races may be missing, or not be races\n", file, r->o.detector->name);
    if (j->skipped) {
        printf("%s: %s %s left out, because no program can do that there", file,
               gl_number_text(a, j->skipped), j->skipped == 1 ? "event was" : "events were");
        for (int f = 0, n = 0; f < GL_FAULT_COUNT; f++)
            if (j->faults[f])
                printf("%s%s %s", n++ ? ", " : ": ", gl_number_text(a, j->faults[f]),
                       gl_fault_name((enum gl_fault)f));
        putchar('\n');
    }
    if (j->incomplete)
        printf("%s: the trace has no end; it was judged up to its last full chunk\n", file);
    if (r->stats)
        print_stats(j);
}

/* ---- JSON ---- */

/* Members of an access; `to` is the race itself or its "earlier". */
static void set_access(json_t *to, const struct gl_judgement *j, const struct gl_judge_access *a)
{
    json_object_set_new(to, "event", gl_json_number(a->record));
    json_object_set_new(to, "thread", gl_json_text(thread_of(j, a)));
    json_object_set_new(to, "op", gl_json_text(gl_words_op(a->op, a->order).text));
    json_object_set_new(to, "location", gl_json_text(location_of(j, a)));
    if (a->forgotten)
        json_object_set_new(to, "kept", json_false());
}

static json_t *race_to_json(const struct gl_judgement *j, const struct gl_judge_race *race)
{
    char variable[VARIABLE_MAX];
    json_t *out = json_object(), *earlier = race->then.record ? json_object() : json_null();
    gl_data_name(gl_trace_names(j->reader), race->variable, variable, sizeof variable);
    json_object_set_new(out, "variable", gl_json_text(variable));
    if (gl_data_symbol_name(gl_trace_names(j->reader), race->variable, variable, sizeof variable))
        json_object_set_new(out, "symbol", gl_json_text(variable));
    set_access(out, j, &race->now);
    if (race->then.record)
        set_access(earlier, j, &race->then);
    json_object_set_new(out, "earlier", earlier);
    return out;
}

static json_t *counts_to_json(const struct request *r, const struct gl_judgement *j)
{
    json_t *out = json_object();
    for (int op = 0; op < GL_OP_COUNT; op++)
        if (j->of[op])
            json_object_set_new(out, gl_op_name((enum gl_op)op), gl_json_number(j->of[op]));
    json_object_set_new(out, "racing_accesses", gl_json_number(j->racing_accesses));
    json_object_set_new(out, "racing_variables", gl_json_number(j->racing_variables));
    json_object_set_new(out, "skipped", gl_json_number(j->skipped));
    json_t *faults = json_object();
    for (int f = 0; f < GL_FAULT_COUNT; f++)
        if (j->faults[f])
            json_object_set_new(faults, gl_fault_name((enum gl_fault)f), gl_json_number(j->faults[f]));
    json_object_set_new(out, "faults", faults);
    if (!r->stats)
        return out;
    json_t *detector = json_object();
    for (size_t i = 0; i < j->n_counts; i++)
        json_object_set_new(detector, j->counts[i].name, gl_json_number(j->counts[i].value));
    json_object_set_new(detector, "memory", gl_json_number(j->memory));
    json_object_set_new(detector, "seconds", json_real(j->seconds));
    json_object_set_new(out, "detector", detector);
    return out;
}

static bool print_json(const struct request *r, const struct gl_judgement *j, const char *file)
{
    json_t *out = json_object(), *races = json_array();
    json_object_set_new(out, "file", gl_json_text(file));
    json_object_set_new(out, "events", gl_json_number(j->events));
    json_object_set_new(out, "threads", gl_json_number(j->threads));
    json_object_set_new(out, "variables", gl_json_number(j->variables));
    json_object_set_new(out, "detector", gl_json_text(r->o.detector->name));
    for (size_t i = 0; i < j->n_races; i++)
        json_array_append_new(races, race_to_json(j, &j->races[i]));
    json_object_set_new(out, "races", races);
    json_object_set_new(out, "counts", counts_to_json(r, j));
    if (j->incomplete)
        json_object_set_new(out, "complete", json_false());
    return gl_json_print(out);
}

static void print_json_error(const char *file, const char *sentence)
{
    json_t *out = json_object();
    json_object_set_new(out, "file", gl_json_text(file));
    json_object_set_new(out, "error", gl_json_text(sentence));
    gl_json_print(out);
}

/* ---- the work ---- */

/* The exit code of one file. */
static int analyze(const struct gl_command *cmd, const struct request *r, const char *path)
{
    struct gl_input in;
    struct gl_judgement j;
    struct gl_judge_error error;
    if (!gl_input_open_once(cmd, path, &in)) {
        if (r->json)
            print_json_error(path, "the file cannot be read");
        return GL_EXIT_USAGE;
    }
    int status = GL_EXIT_USAGE;
    struct gl_judge_source source = {.name = in.name,
                                     .bytes = in.bytes,
                                     .size = in.size,
                                     .stream = in.stream ? &in.stream->trace : NULL,
                                     .format = r->format};
    if (!gl_judge(&source, &r->o, &j, &error)) {
        const char *failure = gl_input_failure(&in);
        gl_complain(cmd, "%s: %s%s%s", in.name, error.text, failure ? ": " : "", failure ? failure : "");
        if (r->json)
            print_json_error(in.name, error.text);
    } else {
        status = j.racing_variables ? GL_EXIT_RACE : GL_EXIT_OK;
        if (!r->json)
            print_text(r, &j, in.name);
        else if (!print_json(r, &j, in.name))
            status = gl_complain(cmd, "%s: there is not enough memory to print the races", in.name);
        gl_judgement_free(&j);
    }
    gl_input_close(&in);
    return status;
}

static int run_analyze(const struct gl_command *cmd, int argc, char **argv)
{
    struct request r = {.o = {.detector = &gl_detector_goldilocks, .jobs = 1}};
    r.o.sets = r.sets;
    int done = gl_take_flags(cmd, argc, argv, take_flag, &r);
    if (done >= 0)
        return done;
    if (!argv[optind])
        return gl_complain(cmd, "no trace was given; 'goldilocks help analyze' shows the use");
    if (!check_sets(cmd, &r))
        return GL_EXIT_USAGE;
    bool raced = false, bad = false;
    for (char **file = argv + optind; *file; file++) {
        int status = analyze(cmd, &r, *file);
        raced = raced || status == GL_EXIT_RACE;
        bad = bad || status == GL_EXIT_USAGE;
    }
    return bad ? GL_EXIT_USAGE : raced ? GL_EXIT_RACE : GL_EXIT_OK;
}

const struct gl_command gl_command_analyze = {
    .name = "analyze",
    .arguments = "[OPTIONS] FILE...",
    .summary = "find the data races of recorded executions",
    .text = "Finds the data races of recorded executions: recordings of 'goldilocks record', or traces of other tools.\n"
            "For each variable (one with a name, or four bytes at an address) the first race is shown: the access, the\n"
            "earlier access that nothing orders before it, and the places of both. '-' is standard input.\n"
            "\n"
            "Exit code: 0 when there is no race; 66 when there is one; 2 when a file could not be judged.\n",
    .flags = flags,
    .run = run_analyze,
};
