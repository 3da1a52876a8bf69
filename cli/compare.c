/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks compare`: several detectors on the same recorded execution, held against the engine, and the first
 * place where one of them says something else.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/detectors.h"
#include "cli/env.h"
#include "cli/explain_print.h"
#include "cli/file.h"
#include "cli/format.h"
#include "cli/judge.h"
#include "cli/number.h"
#include "cli/plain.h"
#include "peers/registry.h"

enum { DETECTORS_MAX = 32, GL_EXIT_DIFFERENT = 1 };

enum { FLAG_DETECTORS, FLAG_LENIENT, FLAG_TRUST, FLAG_BRIEF, FLAG_FROM };

static const struct gl_flag flags[] = {
    [FLAG_DETECTORS] = {"detectors", "LIST",
                        "The detectors, such as fasttrack,eraser (default: all; some are slow)"},
    [FLAG_LENIENT] = {"lenient", NULL, "Leave out events that no program could have produced"},
    [FLAG_TRUST] = {"trust", NULL, "Do not check whether the events are possible"},
    [FLAG_BRIEF] = {"brief", NULL, "Do not explain the first disagreement"},
    [FLAG_FROM] = {"from", "FORMAT",
                   "Format of the files: std, csv, roadrunner, rapidbin or binary (default: found out)"},
    {NULL, NULL, NULL},
};

struct request {
    const struct gl_detector *detector[DETECTORS_MAX]; /* the engine first */
    size_t n;
    enum gl_trace_format format;
    bool given; /* --detectors */
    bool lenient, trust, brief;
};

/* What one detector said. */
struct saying {
    struct gl_judgement j;
    struct gl_judge_race *races;      /* those of j, by variable */
    uint64_t missed, invented, moved; /* variables, against the engine; moved: first race at another event */
    struct gl_judge_error gave_up;    /* "": it did not */
};

/* Where a detector and the engine part. */
struct parting {
    bool found;
    uint64_t record, variable;
};

/* ---- the command line ---- */

static bool add(const struct gl_command *cmd, struct request *r, const struct gl_detector *d)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->detector[i] == d)
            return true;
    if (r->n == DETECTORS_MAX) {
        gl_complain(cmd, "more than %d detectors; give fewer to --detectors", DETECTORS_MAX);
        return false;
    }
    r->detector[r->n++] = d;
    return true;
}

static bool take_list(const struct gl_command *cmd, struct request *r, const char *list)
{
    char *copy = strdup(list), *at = copy;
    bool fine = r->given = true;
    if (!copy)
        abort(); /* out of memory in a small command */
    for (char *name; fine && (name = strsep(&at, ",")) != NULL;) {
        const struct gl_detector *d = gl_detector_asked(cmd, name);
        fine = d && add(cmd, r, d);
    }
    free(copy);
    return fine;
}

static bool take_flag(const struct gl_command *cmd, void *ctx, int flag)
{
    struct request *r = ctx;
    switch (flag) {
    case FLAG_DETECTORS:
        return take_list(cmd, r, optarg);
    case FLAG_LENIENT:
        return r->lenient = true;
    case FLAG_TRUST:
        return r->trust = true;
    case FLAG_BRIEF:
        return r->brief = true;
    default:
        return gl_trace_format_asked(cmd, "from", optarg, false, &r->format);
    }
}

/* ---- who differs ---- */

static int by_variable(const void *a, const void *b)
{
    const struct gl_judge_race *x = a, *y = b;
    return x->variable < y->variable ? -1 : x->variable > y->variable;
}

static bool sort(struct saying *s)
{
    s->races = calloc(s->j.n_races ? s->j.n_races : 1, sizeof *s->races);
    if (!s->races)
        return false;
    memcpy(s->races, s->j.races, s->j.n_races * sizeof *s->races); /* both exist, also when they are empty */
    qsort(s->races, s->j.n_races, sizeof *s->races, by_variable);
    return true;
}

static void part(struct parting *p, const struct gl_judge_race *race)
{
    if (p->found && p->record <= race->now.record)
        return;
    *p = (struct parting){true, race->now.record, race->variable};
}

/* Both lists are in the order of the variables. */
static void hold_against(struct saying *s, const struct saying *engine, struct parting *p)
{
    size_t i = 0, k = 0;
    while (i < s->j.n_races || k < engine->j.n_races) {
        const struct gl_judge_race *mine = &s->races[i], *right = &engine->races[k];
        if (k == engine->j.n_races || (i < s->j.n_races && mine->variable < right->variable)) {
            s->invented++;
            part(p, mine);
            i++;
        } else if (i == s->j.n_races || right->variable < mine->variable) {
            s->missed++;
            part(p, right);
            k++;
        } else {
            if (mine->now.record != right->now.record) {
                s->moved++;
                part(p, mine->now.record < right->now.record ? mine : right);
            }
            i++;
            k++;
        }
    }
}

/* ---- what is printed ---- */

static void print_table(const struct request *r, const struct saying *s, const char *file)
{
    char a[27], b[27], c[27];
    const struct gl_judgement *j = &s[0].j;
    printf("%s: events %s, threads %s, variables %s\n\n", file, gl_number_text(a, j->events),
           gl_number_text(b, j->threads), gl_number_text(c, j->variables));
    int width = 8;
    for (size_t i = 0; i < r->n; i++)
        if ((int)strlen(r->detector[i]->name) > width)
            width = (int)strlen(r->detector[i]->name);
    printf("%-*s  precise      races     missed      false    elsewhere    seconds   events/s  memory MB\n",
           width, "detector");
    for (size_t i = 0; i < r->n; i++) {
        if (s[i].gave_up.text[0]) {
            printf("%-*s  %-7s gave up: %s\n", width, r->detector[i]->name, r->detector[i]->can & GL_CAN_PRECISE ? "yes" : "no",
                   s[i].gave_up.text);
            continue;
        }
        double rate = s[i].j.seconds > 0 ? (double)s[i].j.events / s[i].j.seconds : 0;
        printf("%-*s  %-7s %10llu %10llu %10llu %12llu %10.3f %9.2fM %10.1f\n", width, r->detector[i]->name,
               r->detector[i]->can & GL_CAN_PRECISE ? "yes" : "no",
               (unsigned long long)s[i].j.racing_variables, (unsigned long long)s[i].missed,
               (unsigned long long)s[i].invented, (unsigned long long)s[i].moved, s[i].j.seconds, rate / 1e6,
               (double)s[i].j.memory / (1 << 20));
    }
    if (j->skipped)
        printf("\n%s events were left out, because no program can do that there.\n",
               gl_number_text(a, j->skipped));
    if (j->incomplete)
        printf("\nThe trace has no end; it was judged up to its last full chunk.\n");
    for (size_t i = 0; i < r->n; i++)
        if (s[i].j.racing_variables > GL_JUDGE_LISTED)
            printf("\n%s: only its first %s races are compared.\n", r->detector[i]->name,
                   gl_number_text(a, GL_JUDGE_LISTED));
}

static void print_opinion(const struct saying *s, const char *name, const struct parting *p)
{
    if (s->gave_up.text[0])
        return;
    struct gl_judge_race key = {.variable = p->variable};
    const struct gl_judge_race *race = bsearch(&key, s->races, s->j.n_races, sizeof key, by_variable);
    const char *unit = s->j.text ? "line" : "record";
    printf("  %-24s ", name);
    if (!race)
        printf("no race on this variable\n");
    else if (race->now.record > p->record)
        printf("no race here; its first race on this variable is at %s %llu\n", unit,
               (unsigned long long)race->now.record);
    else if (race->now.record < p->record)
        printf("has found a race on this variable before, at %s %llu\n", unit,
               (unsigned long long)race->now.record);
    else if (race->then.record)
        printf("race with %s %llu\n", unit, (unsigned long long)race->then.record);
    else
        printf("race\n");
}

static void print_parting(const struct request *r, const struct saying *s, const struct parting *p)
{
    char variable[GL_VARIABLE_NAME_MAX] = "?";
    for (size_t i = 0; i < r->n; i++) /* the reader of one that has a race there has met the name */
        for (size_t k = 0; k < s[i].j.n_races; k++)
            if (s[i].races[k].variable == p->variable && s[i].races[k].now.record == p->record)
                gl_data_name(gl_trace_names(s[i].j.reader), p->variable, variable, sizeof variable);
    printf("\nThe first disagreement: the access of %s at %s %llu\n", gl_plain(variable),
           s[0].j.text ? "line" : "record", (unsigned long long)p->record);
    for (size_t i = 0; i < r->n; i++)
        print_opinion(&s[i], r->detector[i]->name, p);
}

/* ---- the work ---- */

static int explain(const struct gl_command *cmd, const struct request *r, const struct gl_input *in,
                   const struct parting *p)
{
    struct gl_counted_env memory;
    gl_counted_env_init(&memory);
    struct gl_explain_request q = {
        .path = in->name,
        .bytes = in->bytes,
        .size = in->size,
        .format = r->format,
        .variable = p->variable,
        .now = p->record,
        .lenient = r->lenient,
    };
    putchar('\n');
    return gl_explain_print(stdout, cmd, &memory.env, &q) == GL_EXIT_USAGE ? GL_EXIT_USAGE
                                                                           : GL_EXIT_DIFFERENT;
}

/* What the engine can judge is a trace: if another detector cannot, it lacks memory, and the others are still compared. */
static bool judge_all(const struct gl_command *cmd, const struct request *r, const struct gl_input *in,
                      struct saying *s)
{
    for (size_t i = 0; i < r->n; i++) {
        struct gl_judge_error *error = &s[i].gave_up;
        struct gl_judge_options o = {
            .detector = r->detector[i], .jobs = 1, .lenient = r->lenient, .trust = r->trust};
        struct gl_judge_source source = {
            .name = r->detector[i]->name, .bytes = in->bytes, .size = in->size, .format = r->format};
        if (gl_judge(&source, &o, &s[i].j, error))
            error->text[0] = 0;
        else if (i == 0)
            return gl_complain(cmd, "%s: %s", in->name, error->text), false;
        if (!sort(&s[i])) {
            gl_complain(cmd, "%s: there is not enough memory to compare the races", in->name);
            return false;
        }
    }
    return true;
}

static int compare(const struct gl_command *cmd, const struct request *r, const char *path)
{
    struct gl_input in;
    static struct saying s[DETECTORS_MAX];
    int status = GL_EXIT_USAGE;
    memset(s, 0, sizeof s);
    if (!gl_input_open_trace(cmd, path, r->format, &in))
        return status;
    if (judge_all(cmd, r, &in, s)) {
        struct parting p = {false, 0, 0};
        size_t others = 0;
        for (size_t i = 1; i < r->n; i++)
            if (!s[i].gave_up.text[0]) {
                hold_against(&s[i], &s[0], &p);
                others++;
            }
        print_table(r, s, in.name);
        status = p.found ? GL_EXIT_DIFFERENT : GL_EXIT_OK;
        if (p.found)
            print_parting(r, s, &p);
        else if (others == r->n - 1)
            printf("\nAll agree.\n");
        else if (others)
            printf("\nThe others agree.\n");
        if (p.found && !r->brief)
            status = explain(cmd, r, &in, &p);
        if (others < r->n - 1)
            status = gl_complain(cmd, "%s: not all detectors could judge it", in.name);
    }
    for (size_t i = 0; i < r->n; i++) {
        gl_judgement_free(&s[i].j);
        free(s[i].races);
    }
    gl_input_close(&in);
    return status;
}

static int run_compare(const struct gl_command *cmd, int argc, char **argv)
{
    struct request r = {.detector = {&gl_detector_goldilocks}, .n = 1};
    int done = gl_take_flags(cmd, argc, argv, take_flag, &r);
    if (done >= 0)
        return done;
    if (!argv[optind])
        return gl_complain(cmd, "no trace was given; 'goldilocks help compare' shows the use");
    if (!r.given)
        for (size_t i = 0; gl_detectors[i]; i++)
            if (!add(cmd, &r, gl_detectors[i]))
                return GL_EXIT_USAGE;
    int worst = GL_EXIT_OK;
    for (char **file = argv + optind; *file; file++) {
        if (file != argv + optind)
            putchar('\n');
        int status = compare(cmd, &r, *file);
        worst = status > worst ? status : worst; /* the same < different < bad */
    }
    return worst;
}

const struct gl_command gl_command_compare = {
    .name = "compare",
    .arguments = "[--detectors LIST] [OPTIONS] FILE...",
    .summary = "run several detectors on one trace and compare their answers",
    .text = "Runs several detectors on the same recorded execution and compares each of them with the engine of Goldilocks.\n"
            "It prints for each detector on how many variables it found a race, how many of the engine's races it missed,\n"
            "how many of its own are false, how many it first found elsewhere (at another event than the engine), and the\n"
            "time and memory that it took, without reading the trace. Then it explains the first disagreement.\n"
            "\n"
            "Exit code: 0 when all agree; 1 when they do not; 2 when a file could not be judged, or not by all of them.\n",
    .flags = flags,
    .run = run_compare,
};
