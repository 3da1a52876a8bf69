/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of a walk (peers/explain.h) as rows of a table, and the sentences of its ending: collecting decides,
 * explain_print.c only prints.  Everything is text already, since the walk's steps live only as long as their call.
 */
#ifndef GL_CLI_EXPLAIN_STORY_H
#define GL_CLI_EXPLAIN_STORY_H

#include "cli/explain_words.h"

/* Owned strings. */
struct gl_strings {
    char **at;
    size_t n, max;
};

struct gl_story_row {
    uint64_t record;
    uint64_t skipped;  /* events since the row before that changed nothing and have no row */
    char *event;       /* "" in further rows of one event, and so are location and thread */
    char *location;
    char *thread;
    enum gl_op op;
    enum gl_order order;
    enum gl_rule rule;
    enum gl_step_change change;
    enum gl_step_verdict verdict;
    char *why;         /* the rule that fired, and on what ground */
    char *element;     /* what joined or left; "" otherwise */
    bool has_set;
    struct gl_strings set; /* at most so many; the middle ones of a larger set are left out */
    size_t set_size;
};

struct gl_story_side { /* one access of a race */
    struct gl_access_at at;
    struct gl_words event, location, thread, access;
    struct gl_strings held;
};

struct gl_story {
    const struct gl_env *env;
    const struct gl_names *names;
    const char *unit;     /* what records are: "line" or "event" */
    bool full;
    uint64_t last_access; /* no race: the record after which only few rows are kept; 0: all are */
    struct gl_story_row *row; /* n rows from `first` on, in a ring of `max` */
    size_t first, n, max;
    uint64_t left_out;    /* earlier rows, dropped */
    uint64_t left_out_at_end;
    uint64_t skipped, skipped_record; /* since the last row */
    uint64_t tail;
    bool several_sets;    /* some access was not judged by the followed set alone */
    bool ended;           /* the racing access has its row: what its event does after that is another story */
    bool nomem;
    /* of a race */
    struct gl_story_side then, now;
    struct gl_strings beside; /* other accesses of the earlier one's segment, which race as well */
    size_t more_beside;       /* of them, that were too many */
    bool then_met, segment_over; /* while they are gathered */
    struct gl_strings common; /* locks held at both accesses */
    struct gl_strings ways;   /* sentences: what would have ordered them */
    struct gl_strings misses; /* sentences: what nearly did */
};

/* A gl_step_fn with the story as context. */
void gl_story_step(void *ctx, const struct gl_explain *w, const struct gl_explain_step *step);
/* After the racing access: fills what is of a race. */
void gl_story_end(struct gl_story *s, const struct gl_explain *w);
/* Makes every text of it one that can be printed (cli/plain.h). */
void gl_story_plain(struct gl_story *s);
struct gl_story_row *gl_story_row(const struct gl_story *s, size_t i);
void gl_story_free(struct gl_story *s);

#endif
