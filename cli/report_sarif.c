/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports as SARIF 2.1.0 (OASIS): a result per report, its place that of the first frame with a file, the other stacks beside it.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "goldilocks/version.h"

/* A path as a URI: absolute ones with a scheme, bytes that a URI cannot hold as %XX. */
static json_t *uri(const char *path)
{
    static const char hex[] = "0123456789ABCDEF", plain[] = "-._~/+,=@:";
    bool absolute = path[0] == '/';
    char *text = malloc(3 * strlen(path) + sizeof "file://"), *to = text;
    if (!text) return NULL;
    if (absolute) to = stpcpy(to, "file://");
    for (const unsigned char *c = (const unsigned char *)path; *c; c++) {
        bool letter = (*c | 32) >= 'a' && (*c | 32) <= 'z', digit = *c >= '0' && *c <= '9';
        if (*c < 128 && (letter || digit || (strchr(plain, *c) && (absolute || *c != ':')))) {
            *to++ = (char)*c;
        } else {
            *to++ = '%';
            *to++ = hex[*c >> 4];
            *to++ = hex[*c & 15];
        }
    }
    *to = 0;
    json_t *made = json_string(text);
    free(text);
    return made;
}

static json_t *message(const char *text)
{
    return json_pack("{s:s}", "text", text);
}

static json_t *location(const struct gl_report_frame *f)
{
    json_t *l = json_object();
    if (f->file) {
        json_t *place = json_pack("{s:{s:o}}", "artifactLocation", "uri", uri(f->file));
        if (f->line) json_object_set_new(place, "region", json_pack("{s:i}", "startLine", (int)f->line));
        if (f->line && f->column) json_object_set_new(json_object_get(place, "region"), "startColumn", json_integer(f->column));
        json_object_set_new(l, "physicalLocation", place);
    }
    if (f->function)
        json_object_set_new(l, "logicalLocations", json_pack("[{s:s,s:s}]", "fullyQualifiedName", f->function, "kind", "function"));
    return l;
}

/* ---- a result ---- */

struct result {
    json_t *locations, *related, *stacks;
    size_t abouts;
    char *text; /* the headings of what it is about */
    bool poor;  /* no memory */
};

static const struct gl_report_frame *first_with_file(const struct gl_saved_stack *s)
{
    for (size_t i = 0; i < s->frames; i++)
        if (s->frame[i].file) return &s->frame[i];
    return s->frames ? s->frame : NULL;
}

static void add_place(struct result *r, const struct gl_saved_stack *s)
{
    const struct gl_report_frame *f = first_with_file(s);
    if (!f) return;
    json_t *l = location(f);
    if (json_array_size(r->locations) == 0 && s->about) {
        json_array_append_new(r->locations, l);
        return;
    }
    json_object_set_new(l, "id", json_integer((json_int_t)json_array_size(r->related) + 1));
    json_object_set_new(l, "message", message(s->heading));
    json_array_append_new(r->related, l);
}

static void add_stack(void *ctx, const struct gl_saved_stack *s)
{
    struct result *r = ctx;
    json_t *frames = json_array();
    for (size_t i = 0; i < s->frames; i++) {
        json_t *frame = json_pack("{s:o}", "location", location(&s->frame[i]));
        if (s->frame[i].module) json_object_set_new(frame, "module", json_string(s->frame[i].module));
        json_array_append_new(frames, frame);
    }
    add_place(r, s);
    if (s->frames)
        json_array_append_new(r->stacks, json_pack("{s:o,s:o}", "message", message(s->heading), "frames", frames));
    else
        json_decref(frames);
    if (s->about && r->abouts++ < 4) {
        size_t had = r->text ? strlen(r->text) : 0;
        char *longer = realloc(r->text, had + strlen(s->heading) + 8);
        if (!longer) {
            r->poor = true;
            return;
        }
        r->text = longer;
        strcpy(stpcpy(r->text + had, had ? "; " : ": "), s->heading);
    }
}

static json_t *result(const struct gl_saved *s)
{
    struct result r = {.locations = json_array(), .related = json_array(), .stacks = json_array()};
    bool race = s->managed || gl_report_is_race(s->native.type);
    uint64_t times = s->managed ? s->java.occurrences : s->native.occurrences;
    gl_saved_each_stack(s, add_stack, &r);
    const char *why = s->managed ? s->java.why : s->native.why;
    json_t *text = json_sprintf("%s%s.%s%s%s", s->title, r.text ? r.text : "", why ? " Nothing orders the two accesses: " : "", why ? why : "",
                                why && why[0] && why[strlen(why) - 1] != '.' ? "." : "");
    free(r.text);
    json_t *all = json_pack("{s:s,s:s,s:{s:o},s:o,s:o,s:o}", "ruleId", s->type, "level", race ? "error" : "warning", "message", "text", text,
                            "locations", r.locations, "relatedLocations", r.related, "stacks", r.stacks);
    if (all && times > 0) json_object_set_new(all, "occurrenceCount", json_integer((json_int_t)times));
    return r.poor ? NULL : all;
}

static json_t *rules(const struct gl_saved *reports, size_t n)
{
    json_t *list = json_array(), *known = json_object();
    for (size_t i = 0; i < n; i++) {
        if (json_object_get(known, reports[i].type)) continue;
        json_object_set_new(known, reports[i].type, json_true());
        json_array_append_new(list, json_pack("{s:s,s:o}", "id", reports[i].type, "shortDescription", message(reports[i].title)));
    }
    json_decref(known);
    return list;
}

bool gl_report_sarif(const struct gl_saved *reports, size_t n, FILE *to)
{
    json_t *results = json_array();
    bool good = results != NULL;
    for (size_t i = 0; i < n && good; i++) {
        json_t *one = result(&reports[i]);
        good = one && json_array_append_new(results, one) == 0;
    }
    json_t *log = json_pack("{s:s,s:s,s:[{s:{s:{s:s,s:s,s:o}},s:o}]}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                            "runs", "tool", "driver", "name", "Goldilocks", "version", GOLDILOCKS_VERSION_STRING, "rules", rules(reports, n),
                            "results", results);
    good = good && log && (json_dumpf(log, to, JSON_INDENT(2)) == 0 || ferror(to)); /* a full disk is seen when the file is closed */
    json_decref(log);
    if (good) putc('\n', to);
    return good;
}
