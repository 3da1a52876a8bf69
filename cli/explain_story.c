/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain_story.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plain.h"

enum {
    ROWS = 200,             /* kept, the last ones */
    ROWS_FULL = 1000000,
    TAIL = 16,              /* rows after the last access */
    SET_SHOWN = 24,         /* elements of one set */
    SET_SHOWN_FULL = 256,
    BESIDE = 8,             /* accesses of one segment that are named */
    WAYS = 5,
    MISSES = 3
};

/* ---- strings ---- */

static char *copy(struct gl_story *s, const char *text)
{
    char *made = strdup(text);
    if (!made)
        s->nomem = true;
    return made;
}

static void push(struct gl_story *s, struct gl_strings *list, const char *text)
{
    if (list->n == list->max) {
        size_t max = list->max ? 2 * list->max : 8;
        char **grown = realloc(list->at, max * sizeof *grown);
        if (!grown) {
            s->nomem = true;
            return;
        }
        list->at = grown;
        list->max = max;
    }
    char *made = copy(s, text);
    if (made)
        list->at[list->n++] = made;
}

static void strings_free(struct gl_strings *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->at[i]);
    free(list->at);
    *list = (struct gl_strings){0};
}

static bool contains(const struct gl_strings *list, const char *text)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->at[i], text) == 0)
            return true;
    return false;
}

/* ---- rows ---- */

static void row_free(struct gl_story_row *r)
{
    free(r->event);
    free(r->location);
    free(r->thread);
    free(r->why);
    free(r->element);
    strings_free(&r->set);
}

struct gl_story_row *gl_story_row(const struct gl_story *s, size_t i)
{
    return &s->row[(s->first + i) % s->max];
}

/* Room for one more row at the end; the first one goes when there are enough.  NULL: no memory. */
static struct gl_story_row *new_row(struct gl_story *s)
{
    size_t limit = s->full ? ROWS_FULL : ROWS;
    if (s->n == limit) {
        row_free(gl_story_row(s, 0));
        s->first = (s->first + 1) % s->max;
        s->n--;
        s->left_out++;
    } else if (s->n == s->max) { /* not yet a ring: first is 0 */
        size_t max = s->max ? 2 * s->max : 32;
        max = max < limit ? max : limit;
        struct gl_story_row *grown = realloc(s->row, max * sizeof *grown);
        if (!grown) {
            s->nomem = true;
            return NULL;
        }
        s->row = grown;
        s->max = max;
    }
    return gl_story_row(s, s->n++);
}

static void show_set(struct gl_story *s, struct gl_story_row *r, const struct gl_explain *w, const struct gl_gls *set)
{
    size_t size = gl_gls_size(set), shown = s->full ? SET_SHOWN_FULL : SET_SHOWN;
    for (size_t i = 0; i < size; i++) {
        if (size > shown && i == shown / 2)
            i = size - shown / 2;
        push(s, &r->set, gl_words_element(s->names, gl_gls_element(w, set, i, NULL)).text);
    }
    r->has_set = true;
    r->set_size = size;
}

static bool is_worth_a_row(const struct gl_story *s, const struct gl_explain_step *step)
{
    return s->full || step->change != GL_CHANGE_NONE || step->kind == GL_STEP_ACCESS || step->kind == GL_STEP_CHECK;
}

__attribute__((format(printf, 3, 4)))
static void sentence(struct gl_story *s, struct gl_strings *list, const char *format, ...)
{
    char text[3 * GL_WORDS_MAX];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    push(s, list, text);
}

/* Accesses that the earlier thread makes between two of its sources have one Goldilockset from then on: those that conflict with the
 * later access race with it like the one that is followed. */
static void gather_segment(struct gl_story *s, const struct gl_explain_step *step)
{
    const struct gl_access_at *then = &s->then.at, *at = &step->now;
    if (step->kind == GL_STEP_FRESH) {
        strings_free(&s->beside);
        s->more_beside = 0;
    }
    if (!then->record || s->segment_over || step->event->thread != then->thread)
        return;
    if (step->kind == GL_STEP_FLOW && step->from.kind == GL_ELEMENT_THREAD && step->from.object == then->thread) {
        s->segment_over = s->then_met;
        if (!s->then_met) { /* an earlier segment */
            strings_free(&s->beside);
            s->more_beside = 0;
        }
    } else if (step->kind == GL_STEP_ACCESS && step->record == then->record) {
        s->then_met = true;
    } else if (step->kind == GL_STEP_ACCESS && (at->write || s->now.at.write) && !(at->atomic && s->now.at.atomic)) {
        if (s->beside.n == BESIDE) {
            s->more_beside++;
            return;
        }
        struct gl_words event = gl_words_event(s->env, s->names, step->event), place = gl_words_location(s->names, step->event);
        sentence(s, &s->beside, "%s %" PRIu64 "  %s%s%s", s->unit, step->record, event.text, *place.text ? "  " : "", place.text);
    }
}

void gl_story_step(void *ctx, const struct gl_explain *w, const struct gl_explain_step *step)
{
    struct gl_story *s = ctx;
    gather_segment(s, step);
    if (s->nomem || (s->ended && step->kind == GL_STEP_FLOW))
        return;
    s->ended = s->ended || (step->kind == GL_STEP_ACCESS && step->record == s->now.at.record);
    uint64_t previous = s->n ? gl_story_row(s, s->n - 1)->record : 0;
    if (!is_worth_a_row(s, step)) {
        if (step->record != previous && step->record != s->skipped_record) {
            s->skipped++;
            s->skipped_record = step->record;
        }
        return;
    }
    if (!s->full && s->last_access && step->record > s->last_access && ++s->tail > TAIL) {
        s->left_out_at_end++;
        return;
    }
    struct gl_story_row *r = new_row(s);
    if (!r)
        return;
    if (s->skipped && s->skipped_record == step->record)
        s->skipped--; /* it has a row after all */
    bool first = step->record != previous;
    *r = (struct gl_story_row){
        .record = step->record,
        .skipped = s->skipped,
        .event = copy(s, first ? gl_words_event(s->env, s->names, step->event).text : ""),
        .location = copy(s, first ? gl_words_location(s->names, step->event).text : ""),
        .thread = copy(s, first ? gl_words_thread(s->names, step->event->thread).text : ""),
        .op = step->event->op,
        .order = step->event->order,
        .rule = step->rule,
        .change = step->change,
        .verdict = step->verdict,
        .why = copy(s, gl_words_step(s->names, step, s->unit).text),
        .element = copy(s, step->change == GL_CHANGE_ADD || step->change == GL_CHANGE_REMOVE
                               ? gl_words_element(s->names, step->to).text : ""),
    };
    s->skipped = 0;
    if (step->set)
        show_set(s, r, w, step->set);
    if (step->kind == GL_STEP_CHECK || (step->kind == GL_STEP_ACCESS && !step->followed))
        s->several_sets = true;
    struct gl_story_side *sides[] = {&s->then, &s->now};
    for (size_t i = 0; i < 2; i++)
        if (sides[i]->at.record == step->record && first) {
            sides[i]->event = gl_words_event(s->env, s->names, step->event);
            sides[i]->location = gl_words_location(s->names, step->event);
        }
}

/* ---- the ending of a race ---- */

static void show_side(struct gl_story *s, struct gl_story_side *side, const struct gl_explain *w, bool at_now)
{
    side->thread = gl_words_thread(s->names, side->at.thread);
    side->access = gl_words_access(s->names, &side->at);
    for (size_t i = 0; i < gl_explain_held_count(w, at_now); i++) {
        struct gl_element lock = gl_explain_held(w, at_now, i);
        struct gl_words name = gl_words_element(s->names, (struct gl_element){lock.kind, lock.object, 0});
        push(s, &side->held, name.text);
    }
}

/* One sentence per member of the set that now's thread could have taken from; objects before threads, since those are
 * what a program would use. */
static void show_ways(struct gl_story *s, const struct gl_explain *w)
{
    const char *now = s->now.thread.text, *then = s->then.thread.text;
    size_t count = gl_explain_chance_count(w), more = 0;
    for (int threads = 0; threads < 2; threads++)
        for (size_t i = 0; i < count; i++) {
            struct gl_chance c = gl_explain_chance(w, i);
            bool is_thread = c.element.kind == GL_ELEMENT_THREAD;
            if (!c.joined || is_thread != threads || (is_thread && c.element.object == s->then.at.thread))
                continue;
            if (s->ways.n == WAYS) {
                more++;
                continue;
            }
            struct gl_words to_do = gl_words_to_do(s->names, c.element, s->now.at.thread);
            sentence(s, &s->ways, "%s %s after %s %" PRIu64, now, to_do.text, s->unit, c.joined);
        }
    if (!s->ways.n)
        sentence(s, &s->ways, "%s releases something (a lock, a volatile, an atomic ...) after %s %" PRIu64
                 ", and %s acquires it", then, s->unit, s->then.at.record, now);
    if (more)
        sentence(s, &s->ways, "the same with one of %zu more members of the set", more);
    if (s->common.n)
        sentence(s, &s->ways, "one of them holds the lock for writing");
    else if (s->then.held.n || s->now.held.n)
        sentence(s, &s->ways, "both accesses are made under one lock");
}

/* What now's thread did acquire after `then`, and why that was not enough; the latest first. */
static void show_misses(struct gl_story *s, const struct gl_explain *w)
{
    const char *now = s->now.thread.text, *then = s->then.thread.text, *unit = s->unit;
    uint64_t below = UINT64_MAX;
    while (s->misses.n < MISSES) {
        struct gl_chance best = {.sunk = 0};
        for (size_t i = 0; i < gl_explain_chance_count(w); i++) {
            struct gl_chance c = gl_explain_chance(w, i);
            if (c.sunk < below && c.sunk > best.sunk)
                best = c;
        }
        if (!best.sunk)
            break;
        below = best.sunk;
        struct gl_words done = gl_words_done(s->names, best.element), name = gl_words_element(s->names, best.element);
        const char *source = gl_words_source(best.element), *o = name.text;
        struct gl_words did;
        if (best.forked)
            snprintf(did.text, sizeof did.text, "%.80s forked %.80s in %s %" PRIu64, o, now, unit, best.sunk);
        else
            snprintf(did.text, sizeof did.text, "%.80s %.160s in %s %" PRIu64, now, done.text, unit, best.sunk);
        if (best.joined)
            sentence(s, &s->misses, "%s, too early: %s joined the set in %s %" PRIu64, did.text, o, unit, best.joined);
        else if (best.sourced > s->then.at.record)
            sentence(s, &s->misses, "%s, but %s is not in the set: %s's %s of it in %s %" PRIu64 " was replaced, or "
                     "came later", did.text, o, then, source, unit, best.sourced);
        else if (best.sourced)
            sentence(s, &s->misses, "%s, but %s's last %s of %s was in %s %" PRIu64 ", before its access", did.text,
                     then, source, o, unit, best.sourced);
        else
            sentence(s, &s->misses, "%s, but %s is not in the set: no %s by a thread in the set came before", did.text,
                     o, source);
    }
    if (!s->misses.n)
        sentence(s, &s->misses, "%s acquired nothing between the two", now);
}

void gl_story_end(struct gl_story *s, const struct gl_explain *w)
{
    show_side(s, &s->then, w, false);
    show_side(s, &s->now, w, true);
    for (size_t i = 0; i < s->then.held.n; i++)
        if (contains(&s->now.held, s->then.held.at[i]) && !contains(&s->common, s->then.held.at[i]))
            push(s, &s->common, s->then.held.at[i]);
    show_ways(s, w);
    show_misses(s, w);
}

/* Calls f with each list that belongs to no row. */
static void each_list(struct gl_story *s, void (*f)(struct gl_strings *list))
{
    struct gl_strings *lists[] = {&s->then.held, &s->now.held, &s->beside, &s->common, &s->ways, &s->misses};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        f(lists[i]);
}

static void strings_plain(struct gl_strings *list)
{
    for (size_t i = 0; i < list->n; i++)
        gl_plain(list->at[i]);
}

static void side_plain(struct gl_story_side *side)
{
    gl_plain(side->event.text);
    gl_plain(side->location.text);
    gl_plain(side->thread.text);
    gl_plain(side->access.text);
}

void gl_story_plain(struct gl_story *s)
{
    for (size_t i = 0; i < s->n; i++) {
        struct gl_story_row *r = gl_story_row(s, i);
        gl_plain(r->event);
        gl_plain(r->location);
        gl_plain(r->why);
        strings_plain(&r->set);
    }
    side_plain(&s->then);
    side_plain(&s->now);
    each_list(s, strings_plain);
}

void gl_story_free(struct gl_story *s)
{
    for (size_t i = 0; i < s->n; i++)
        row_free(gl_story_row(s, i));
    free(s->row);
    each_list(s, strings_free);
}
