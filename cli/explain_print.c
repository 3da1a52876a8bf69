/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain_print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/explain_story.h"
#include "cli/json.h"
#include "cli/judge.h"
#include "cli/plain.h"
#include "trace/validate.h"

enum { BATCH = 1024 };

/* ---- walking ---- */

struct walk {
    const struct gl_command *cmd;
    const struct gl_explain_request *request;
    const struct gl_env *env;
    struct gl_trace_reader *reader;
    struct gl_validator *validator; /* lenient: says which events to leave out, as it does for `analyze`; or NULL */
    struct gl_explain *explain[GL_VARIABLE_BYTES]; /* n of them, for as many bytes */
    unsigned n;
};

static const char *unit_of(enum gl_trace_format f)
{
    return f == GL_TRACE_BINARY || f == GL_TRACE_RAPIDBIN ? "event" : "line";
}

static void complain_of_trace(const struct walk *k, const struct gl_trace_error *error)
{
    char place[80];
    gl_judge_place(error, place, sizeof place);
    gl_complain(k->cmd, "%s: %s: %s", k->request->path, place, error->text);
}

static bool complain_of_event(const struct walk *k, const struct gl_event *e, uint64_t record, gl_status status)
{
    if (status == GL_INVALID)
        gl_complain(k->cmd, "%s: %s %" PRIu64 ": %s cannot happen here; --lenient leaves such events out",
                    k->request->path, unit_of(gl_trace_format_of(k->reader)), record,
                    gl_words_event(k->env, gl_trace_names(k->reader), e).text);
    else
        gl_complain(k->cmd, "%s: %s", k->request->path, gl_status_message(status));
    return false;
}

/* Begins at the start of the trace, with a walk for n bytes from plan->byte on.  False: a sentence has been printed. */
static bool walk_open(struct walk *k, const struct gl_explain_plan *plan, unsigned n)
{
    struct gl_trace_error error = {{0}, 0, 0, 0};
    k->reader = gl_trace_open(k->env, k->request->bytes, k->request->size, k->request->format, &error);
    if (!k->reader)
        return complain_of_trace(k, &error), false;
    if (k->request->lenient && !(k->validator = gl_validator_create(k->env)))
        return gl_complain(k->cmd, "%s: %s", k->request->path, gl_status_message(GL_NOMEM)), false;
    for (k->n = 0; k->n < n; k->n++) {
        struct gl_explain_plan next = *plan;
        next.byte += k->n;
        if (!(k->explain[k->n] = gl_explain_create(k->env, &next)))
            return gl_complain(k->cmd, "%s: %s", k->request->path, gl_status_message(GL_NOMEM)), false;
    }
    return true;
}

static void walk_close(struct walk *k)
{
    while (k->n)
        gl_explain_destroy(k->explain[--k->n]);
    if (k->validator)
        gl_validator_destroy(k->validator);
    k->validator = NULL;
    if (k->reader)
        gl_trace_close(k->reader);
    k->reader = NULL;
}

/* All events up to and including record `until` (0: all), or to the first race if to_race.  False: a sentence has been
 * printed. */
static bool walk_to(struct walk *k, uint64_t until, bool to_race)
{
    struct gl_event events[BATCH];
    uint64_t records[BATCH];
    struct gl_trace_batch batch = {events, records, BATCH, 0};
    struct gl_trace_error error;
    int more;
    while ((more = gl_trace_read(k->reader, &batch, &error)) > 0)
        for (size_t i = 0; i < batch.count; i++) {
            if (until && records[i] > until)
                return true;
            enum gl_fault fault;
            if (k->validator && !gl_validate(k->validator, &events[i], 1, &fault))
                continue;
            bool raced = false;
            for (unsigned b = 0; b < k->n; b++) {
                gl_status status = gl_explain_event(k->explain[b], &events[i], records[i]);
                if (status == GL_NOMEM || status == GL_INVALID)
                    return complain_of_event(k, &events[i], records[i], status);
                raced = raced || status == GL_RACE;
            }
            if (raced && to_race)
                return true;
        }
    if (more < 0)
        complain_of_trace(k, &error);
    return more == 0;
}

/* ---- text ---- */

static int width_of(const char *text) { return (int)strlen(text); }

static int wider(int width, const char *text, int limit)
{
    int w = width_of(text) < limit ? width_of(text) : limit;
    return w > width ? w : width;
}

static void print_set(FILE *out, const struct gl_story_row *r)
{
    putc('{', out);
    for (size_t i = 0; i < r->set.n; i++) {
        if (r->set.n < r->set_size && i == r->set.n / 2)
            fprintf(out, ", ... %zu more ...", r->set_size - r->set.n);
        fprintf(out, "%s%s", i ? ", " : "", r->set.at[i]);
    }
    putc('}', out);
}

static void print_skipped(FILE *out, uint64_t n)
{
    if (n)
        fprintf(out, "%8s  %" PRIu64 " %s nothing\n", "...", n, n == 1 ? "event that changes" : "events that change");
}

static void print_left_out(FILE *out, uint64_t n, const char *where)
{
    if (n)
        fprintf(out, "%8s  %" PRIu64 " %s %s\n", "...", n, n == 1 ? "row" : "rows", where);
}

static void print_table(FILE *out, const struct gl_story *s, const char *variable)
{
    int event = 5, location = 0, why = 4;
    for (size_t i = 0; i < s->n; i++) {
        const struct gl_story_row *r = gl_story_row(s, i);
        event = wider(event, r->event, 40);
        location = wider(location, r->location, 32);
        why = wider(why, r->why, 72);
    }
    if (location && location < 8)
        location = 8;
    int gap = location ? 2 : 0;
    fprintf(out, "%8s  %-*s%*s%-*s  %-*s  GLS(%s)\n", s->unit, event, "event", gap, "", location,
            location ? "location" : "", why, "rule", variable);
    print_left_out(out, s->left_out, s->full ? "before" : "before; --full shows more");
    for (size_t i = 0; i < s->n; i++) {
        const struct gl_story_row *r = gl_story_row(s, i);
        print_skipped(out, r->skipped);
        if (*r->event)
            fprintf(out, "%8" PRIu64, r->record);
        else
            fprintf(out, "%8s", "");
        if (!r->has_set && !*r->why && !*r->location)
            fprintf(out, "  %s\n", r->event);
        else if (!r->has_set && !*r->why) /* before the first access, and no rule */
            fprintf(out, "  %-*s%*s%s\n", event, r->event, gap, "", r->location);
        else {
            fprintf(out, "  %-*s%*s%-*s  %-*s  ", event, r->event, gap, "", location, r->location, why, r->why);
            print_set(out, r);
            putc('\n', out);
        }
    }
    print_skipped(out, s->skipped);
    print_left_out(out, s->left_out_at_end, "after the last access; --full shows them");
}

static void print_names(FILE *out, const struct gl_strings *list)
{
    for (size_t i = 0; i < list->n; i++)
        fprintf(out, "%s%s", i ? ", " : "", list->at[i]);
    if (!list->n)
        fputs("no lock", out);
}

static void print_side(FILE *out, const struct gl_story *s, const struct gl_story_side *side)
{
    fprintf(out, "  %s %" PRIu64 "  %s%s%s, holding ", s->unit, side->at.record, side->event.text,
            *side->location.text ? "  " : "", side->location.text);
    print_names(out, &side->held);
    putc('\n', out);
}

static void print_list(FILE *out, const struct gl_strings *list)
{
    for (size_t i = 0; i < list->n; i++)
        fprintf(out, "  - %s\n", list->at[i]);
}

static void print_race(FILE *out, const struct gl_story *s, const char *variable)
{
    const struct gl_story_side *now = &s->now, *then = &s->then;
    fprintf(out, "\nRace on %s: %s is not in the Goldilockset that %s had grown by then,\n"
            "so nothing orders %s after it.\n\n", variable, now->thread.text, then->access.text, now->access.text);
    print_side(out, s, then);
    for (size_t i = 0; i < s->beside.n; i++)
        fprintf(out, "    and as well %s\n", s->beside.at[i]);
    if (s->more_beside)
        fprintf(out, "    and %zu more accesses of the same segment\n", s->more_beside);
    print_side(out, s, now);
    if (then->held.n || now->held.n) {
        fputs("  held at both: ", out);
        print_names(out, &s->common);
        fputs(s->common.n ? ", for reading only\n" : "\n", out);
    }
    fputs("\nAny of these would have ordered them:\n", out);
    print_list(out, &s->ways);
    fputs("Nearest miss:\n", out);
    print_list(out, &s->misses);
}

static void print_text(FILE *out, const struct gl_story *s, const struct gl_explain_request *q, const char *variable,
                       bool raced, uint64_t accesses)
{
    if (s->n)
        print_table(out, s, variable);
    if (s->several_sets && raced)
        fprintf(out, "\nSome accesses of %s stand beside one another, and each has a set of its own. From %s %" PRIu64
                " on, the set\nshown is that of %s there; other sets come where they decide.\n", variable, s->unit,
                s->then.at.record, s->then.access.text);
    else if (s->several_sets)
        fprintf(out, "\nSome accesses of %s stand beside one another, and each has a set of its own. The set shown is "
                "that of the last\naccess; other sets come where they decide.\n", variable);
    if (raced) {
        print_race(out, s, variable);
        return;
    }
    fprintf(out, "%sNo race on %s", s->n ? "\n" : "", variable);
    if (q->now)
        fprintf(out, " in %s %" PRIu64 ": the access is ordered after every earlier one that conflicts with it.\n",
                s->unit, q->now);
    else if (accesses == 0)
        fputs(": it is never accessed.\n", out);
    else if (accesses == 1)
        fputs(": it is accessed once.\n", out);
    else
        fprintf(out, ": each of its %" PRIu64 " accesses is ordered after every earlier one that conflicts with it.\n",
                accesses);
}

/* ---- JSON ---- */

static json_t *json_strings(const struct gl_strings *list)
{
    json_t *a = json_array();
    for (size_t i = 0; i < list->n; i++)
        json_array_append_new(a, gl_json_text(list->at[i]));
    return a;
}

static const char *const change_names[] = {"none", "add", "remove", "reset"};
static const char *const verdict_names[] = {NULL, "first", "ordered", "harmless", "race"};

static json_t *json_row(const struct gl_story *s, size_t i)
{
    const struct gl_story_row *r = gl_story_row(s, i), *event = r;
    for (; !*event->event && i > 0; i--) /* the row that begins the event */
        event = gl_story_row(s, i - 1);
    json_t *o = json_object();
    json_object_set_new(o, "event", gl_json_number(r->record));
    json_object_set_new(o, "thread", gl_json_text(event->thread));
    json_object_set_new(o, "op", gl_json_text(gl_words_op(r->op, r->order).text));
    json_object_set_new(o, "text", gl_json_text(event->event));
    json_object_set_new(o, "location", gl_json_text(*event->location ? event->location : NULL));
    json_object_set_new(o, "family", json_string(gl_rule_family(r->rule)));
    json_object_set_new(o, "rule", json_string(gl_rule_text(r->rule)));
    json_object_set_new(o, "number", gl_rule_number(r->rule) ? json_integer(gl_rule_number(r->rule)) : json_null());
    json_object_set_new(o, "why", gl_json_text(r->why));
    json_object_set_new(o, "change", json_string(change_names[r->change]));
    if (*r->element)
        json_object_set_new(o, "element", gl_json_text(r->element));
    if (verdict_names[r->verdict])
        json_object_set_new(o, "verdict", json_string(verdict_names[r->verdict]));
    json_object_set_new(o, "set", json_strings(&r->set));
    if (r->set_size > r->set.n)
        json_object_set_new(o, "set_size", gl_json_number(r->set_size));
    json_object_set_new(o, "skipped_before", gl_json_number(r->skipped));
    return o;
}

static json_t *json_side(const struct gl_story_side *side)
{
    json_t *o = json_object();
    json_object_set_new(o, "event", gl_json_number(side->at.record));
    json_object_set_new(o, "thread", gl_json_text(side->thread.text));
    json_object_set_new(o, "text", gl_json_text(side->event.text));
    json_object_set_new(o, "location", gl_json_text(*side->location.text ? side->location.text : NULL));
    json_object_set_new(o, "write", json_boolean(side->at.write));
    json_object_set_new(o, "atomic", json_boolean(side->at.atomic));
    json_object_set_new(o, "held", json_strings(&side->held));
    return o;
}

static bool print_json(FILE *out, const struct gl_story *s, const struct gl_explain_request *q, const char *variable,
                       bool raced, uint64_t accesses)
{
    json_t *o = json_object(), *steps = json_array();
    json_object_set_new(o, "file", gl_json_text(q->path));
    json_object_set_new(o, "variable", gl_json_text(variable));
    json_object_set_new(o, "verdict", json_string(raced ? "race" : "no race"));
    json_object_set_new(o, "accesses", gl_json_number(accesses));
    json_object_set_new(o, "several_sets", json_boolean(s->several_sets));
    json_object_set_new(o, "left_out_before", gl_json_number(s->left_out));
    json_object_set_new(o, "left_out_after", gl_json_number(s->left_out_at_end));
    for (size_t i = 0; i < s->n; i++)
        json_array_append_new(steps, json_row(s, i));
    json_object_set_new(o, "steps", steps);
    if (raced) {
        json_t *race = json_object();
        json_object_set_new(race, "earlier", json_side(&s->then));
        json_object_set_new(race, "later", json_side(&s->now));
        json_object_set_new(race, "same_segment", json_strings(&s->beside));
        if (s->more_beside)
            json_object_set_new(race, "same_segment_left_out", gl_json_number(s->more_beside));
        json_object_set_new(race, "held_at_both", json_strings(&s->common));
        json_object_set_new(race, "would_have_ordered", json_strings(&s->ways));
        json_object_set_new(race, "nearest_misses", json_strings(&s->misses));
        json_object_set_new(o, "race", race);
    }
    bool written = o && json_dumpf(o, out, JSON_COMPACT) == 0 && putc('\n', out) != EOF;
    json_decref(o);
    return written;
}

/* ---- all of it ---- */

struct verdict {
    struct gl_explain_plan plan;    /* byte, and the pair if there is a race (plan.now != 0) */
    struct gl_access_at now, then;  /* the pair */
    uint64_t last_access;           /* record; 0: never accessed */
};

/* Which byte and which pair the story is about.  False: a sentence has been printed. */
static bool find_pair(struct walk *k, struct verdict *v)
{
    const struct gl_explain_request *q = k->request;
    *v = (struct verdict){.plan.byte = q->variable};
    if (!walk_open(k, &v->plan, GL_VARIABLE_BYTES) || !walk_to(k, q->now, !q->now))
        return false;
    uint64_t most = 0;
    bool met = !q->now;
    for (unsigned b = 0; b < k->n; b++) {
        struct gl_access_at now, then, last;
        bool raced = gl_explain_race(k->explain[b], &now, &then) && (!q->now || now.record == q->now);
        uint64_t accesses = gl_explain_accesses(k->explain[b], &last);
        met = met || last.record == q->now;
        if (q->now && last.record != q->now)
            continue; /* this byte is not what was asked about */
        if (!raced && accesses <= most)
            continue;
        most = accesses;
        v->plan.byte = q->variable + b;
        v->last_access = last.record;
        if (raced) {
            v->now = now;
            v->then = then;
            v->plan.now = now.record;
            v->plan.then = then.record;
            v->plan.now_thread = now.thread;
            v->plan.then_thread = then.thread;
            break;
        }
    }
    if (!met)
        gl_complain(k->cmd, "%s: %s %" PRIu64 " does not access this variable", q->path,
                    unit_of(gl_trace_format_of(k->reader)), q->now);
    return met;
}

/* Prints the story of a walk that has come to its end; the exit code. */
static int print_story(FILE *out, struct walk *k, struct gl_story *s, uint64_t byte)
{
    const struct gl_explain_request *q = k->request;
    char variable[GL_VARIABLE_NAME_MAX];
    struct gl_access_at last;
    bool raced = s->now.at.record, written = true;
    gl_data_name(s->names, byte, variable, sizeof variable);
    if (raced)
        gl_story_end(s, k->explain[0]);
    uint64_t accesses = gl_explain_accesses(k->explain[0], &last);
    if (s->nomem)
        return gl_complain(k->cmd, "%s: %s", q->path, gl_status_message(GL_NOMEM));
    if (q->json)
        written = print_json(out, s, q, variable, raced, accesses);
    else {
        gl_story_plain(s);
        print_text(out, s, q, gl_plain(variable), raced, accesses);
    }
    if (!written && !ferror(out)) /* of what could not be written main() tells */
        return gl_complain(k->cmd, "%s: %s", q->path, gl_status_message(GL_NOMEM));
    return raced ? GL_EXIT_RACE : GL_EXIT_OK;
}

int gl_explain_print(FILE *out, const struct gl_command *cmd, const struct gl_env *env,
                     const struct gl_explain_request *q)
{
    struct walk k = {.cmd = cmd, .request = q, .env = env};
    struct verdict v;
    int result = GL_EXIT_USAGE;
    bool found = find_pair(&k, &v);
    walk_close(&k);
    if (found) {
        struct gl_story story = {.env = env, .full = q->full, .last_access = v.plan.now ? 0 : v.last_access,
                                 .now.at = v.now, .then.at = v.then};
        v.plan.step = gl_story_step;
        v.plan.ctx = &story;
        if (walk_open(&k, &v.plan, 1)) {
            story.names = gl_trace_names(k.reader);
            story.unit = unit_of(gl_trace_format_of(k.reader));
            if (walk_to(&k, v.plan.now ? v.plan.now : q->now, false))
                result = print_story(out, &k, &story, v.plan.byte);
        }
        gl_story_free(&story);
        walk_close(&k);
    }
    return result;
}
