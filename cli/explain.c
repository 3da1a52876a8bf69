/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks explain`: picks one variable of a recorded execution, or one of its races, and has it explained.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/env.h"
#include "cli/explain_print.h"
#include "cli/file.h"
#include "cli/format.h"
#include "cli/judge.h"
#include "cli/number.h"

enum { BATCH = 1024, WORD = GL_VARIABLE_BYTES, PAGE = 4096 };

enum { RACE, VARIABLE, FULL, JSON, LENIENT, FROM };
static const struct gl_flag flags[] = {
    [RACE] = {"race", "N", "Explain the Nth race, in the order in which 'goldilocks analyze' lists them"},
    [VARIABLE] = {"variable", "X", "Explain variable X, racing or not: a name, or an address such as 0x7f001230"},
    [FULL] = {"full", NULL, "Also show the events that change nothing, and more of long tables"},
    [JSON] = {"json", NULL, "Print one JSON object instead of a table"},
    [LENIENT] = {"lenient", NULL, "Leave out events that cannot happen, instead of refusing the trace"},
    [FROM] = {"from", "FORMAT", "Format of FILE: std, csv, roadrunner, rapidbin or binary (default: found out)"},
    {NULL, NULL, NULL},
};

/* The first byte of a named variable; UINT64_MAX: it has no place. */
static uint64_t place_of_name(const struct gl_names *names, uint32_t number)
{
    uint64_t base;
    for (uint64_t page = 0; page < gl_data_end(names) / PAGE; page++)
        if (!gl_data_page(names, page, &base) && number - base < PAGE / WORD)
            return page * PAGE + (number - base) * WORD;
    return UINT64_MAX;
}

/* A byte of a variable of the program, as `analyze` names it beside the address: "total", "queue+8".  UINT64_MAX: there is none. */
static uint64_t place_of_symbol(const struct gl_names *names, const char *variable)
{
    for (uint64_t i = 0; i < gl_data_symbols_count(names); i++) {
        const struct gl_data_symbol *symbol = gl_data_symbol_at(names, i);
        const char *name = gl_name_of(names, GL_NAME_STRING, symbol->name);
        size_t length = strlen(name);
        uint64_t offset = 0, byte;
        if (strncmp(variable, name, length) != 0)
            continue;
        if (variable[length] && (variable[length] != '+' || !gl_number_parse(variable + length + 1, symbol->size - 1, &offset)))
            continue;
        if ((byte = gl_data_find_address(names, symbol->start + offset)) != UINT64_MAX)
            return byte;
    }
    return UINT64_MAX;
}

/* The first byte of the variable's word; UINT64_MAX: the trace does not know it. */
static uint64_t place_of(const struct gl_names *names, const char *variable)
{
    char decoded[GL_NAME_SPELLED_MAX];
    size_t length = strlen(variable);
    uint32_t number = gl_name_find(names, GL_NAME_DATA, variable, length);
    if (number == UINT32_MAX && length <= sizeof decoded) /* as a line of a trace or `dump` spells it */
        number = gl_name_find(names, GL_NAME_DATA, decoded, gl_name_decode(decoded, variable, length));
    if (number != UINT32_MAX)
        return place_of_name(names, number);
    uint64_t byte = place_of_symbol(names, variable);
    if (byte != UINT64_MAX)
        return byte / WORD * WORD;
    const char *digits = variable + (variable[0] == '@');
    char *end;
    errno = 0;
    uint64_t address = strtoull(digits, &end, 16);
    if (!isxdigit((unsigned char)*digits) || *end || errno)
        return UINT64_MAX;
    byte = gl_data_find_address(names, address);
    return byte == UINT64_MAX ? byte : byte / WORD * WORD;
}

/* Reads the trace for its names, and so finds the variable that was asked for.  False: a sentence has been printed. */
static bool find_variable(const struct gl_command *cmd, const struct gl_env *env, const char *variable,
                          struct gl_explain_request *q)
{
    struct gl_event events[BATCH];
    uint64_t records[BATCH];
    struct gl_trace_batch batch = {events, records, BATCH, 0};
    struct gl_trace_error error = {{0}, 0, 0, 0};
    struct gl_trace_reader *reader = gl_trace_open(env, q->bytes, q->size, q->format, &error);
    int more = reader ? 1 : -1;
    while (more > 0)
        more = gl_trace_read(reader, &batch, &error);
    q->variable = more < 0 ? UINT64_MAX : place_of(gl_trace_names(reader), variable);
    if (more < 0) {
        char place[80];
        gl_judge_place(&error, place, sizeof place);
        gl_complain(cmd, "%s: %s: %s", q->path, place, error.text);
    } else if (q->variable == UINT64_MAX) {
        gl_complain(cmd, "%s has no variable '%s'; give a name as it stands in the trace, or an address as 0x7f001230",
                    q->path, variable);
    }
    if (reader)
        gl_trace_close(reader);
    return q->variable != UINT64_MAX;
}

/* Race number `wanted`.  False: there is none, and a sentence has been printed. */
static bool find_race(const struct gl_command *cmd, const struct gl_judgement *j, uint64_t wanted,
                      struct gl_explain_request *q)
{
    if (wanted <= j->n_races) {
        q->variable = j->races[wanted - 1].variable;
        q->now = j->races[wanted - 1].now.record;
        return true;
    }
    if (j->n_races)
        gl_complain(cmd, "%s has %zu %s, not %" PRIu64 "; 'goldilocks analyze' lists them", q->path, j->n_races,
                    j->n_races == 1 ? "race" : "races", wanted);
    else
        gl_complain(cmd, "%s has no race to explain; --variable X explains why the accesses of X are ordered", q->path);
    return false;
}

struct request {
    struct gl_explain_request explain;
    const char *file, *variable;
    uint64_t race;
    bool race_given;
};

static bool take_flag(const struct gl_command *cmd, void *ctx, int flag)
{
    struct request *r = ctx;
    switch (flag) {
    case RACE:
        r->race_given = true;
        if (gl_number_parse(optarg, UINT64_MAX, &r->race) && r->race)
            return true;
        gl_complain(cmd, "--race %s: give the number of a race, from 1", optarg);
        return false;
    case VARIABLE: return (r->variable = optarg) != NULL;
    case FULL: return r->explain.full = true;
    case JSON: return r->explain.json = true;
    case LENIENT: return r->explain.lenient = true;
    default: return gl_trace_format_asked(cmd, "from", optarg, false, &r->explain.format);
    }
}

/* Flags before the file, and behind it.  As gl_take_flags(). */
static int take_words(const struct gl_command *cmd, int argc, char **argv, struct request *r)
{
    int done = gl_take_flags(cmd, argc, argv, take_flag, r);
    if (done < 0 && optind < argc) {
        r->file = argv[optind++];
        done = gl_take_flags(cmd, argc, argv, take_flag, r);
    }
    if (done >= 0)
        return done;
    if (!r->file || optind < argc)
        return gl_complain(cmd, "give one trace; 'goldilocks help explain' shows the use");
    if (r->variable && r->race_given)
        return gl_complain(cmd, "--race and --variable each say what to explain; give one of them");
    return -1;
}

static int run_explain(const struct gl_command *cmd, int argc, char **argv)
{
    struct request r = {.explain.format = GL_TRACE_UNKNOWN, .race = 1};
    int done = take_words(cmd, argc, argv, &r);
    if (done >= 0)
        return done;
    struct gl_explain_request request = r.explain;
    struct gl_input input;
    if (!gl_input_open_trace(cmd, r.file, request.format, &input))
        return GL_EXIT_USAGE;
    request.path = input.name;
    request.bytes = input.bytes;
    request.size = input.size;
    struct gl_counted_env env;
    gl_counted_env_init(&env);
    struct gl_judge_options judging = {.detector = &gl_detector_goldilocks, .jobs = 1, .lenient = request.lenient};
    struct gl_judge_source source = {.name = input.name, .bytes = input.bytes, .size = input.size, .format = request.format};
    struct gl_judgement j;
    struct gl_judge_error error;
    int result = GL_EXIT_USAGE;
    if (!gl_judge(&source, &judging, &j, &error)) {
        gl_complain(cmd, "%s: %s", input.name, error.text);
    } else {
        if (j.incomplete)
            gl_note_no_end(cmd, &input);
        bool found = r.variable ? find_variable(cmd, &env.env, r.variable, &request) : find_race(cmd, &j, r.race, &request);
        gl_judgement_free(&j);
        if (found)
            result = gl_explain_print(stdout, cmd, &env.env, &request);
    }
    gl_input_close(&input);
    return result;
}

const struct gl_command gl_command_explain = {
    .name = "explain",
    .arguments = "[--race N | --variable X] [OPTIONS] FILE",
    .summary = "show step by step why two accesses race, or do not",
    .text = "Shows how the Goldilockset of one variable (the threads and objects through which its ownership has passed)\n"
            "changes in a recorded execution: each event, the rule of the algorithm that applies, and the set after it.\n"
            "Then comes the verdict and, for a race, what would have ordered the two accesses. Without --race and\n"
            "--variable it explains the first race of FILE. '-' is standard input. Options may also stand behind FILE.\n"
            "\n"
            "Exit code: 0 when what was explained is no race; 66 when it is one; 2 when the input is bad.\n",
    .flags = flags,
    .run = run_explain,
};
