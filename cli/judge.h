/* SPDX-License-Identifier: Apache-2.0
 *
 * A recorded execution, judged by a detector: what `analyze` and `compare` share.  Feeds the events and collects the
 * races by variable.  A variable is a named one, or a 4-byte word of an address.
 *
 * With several jobs one of them reads ahead; each of the others (a shard) gives its own detector all synchronization, but only the
 * accesses of its share of the pages of data.  A detector's verdict on a variable depends on the synchronization and on
 * that variable's accesses alone, so the union of the jobs' races is what one job finds.
 */
#ifndef GL_CLI_JUDGE_H
#define GL_CLI_JUDGE_H

#include "cli/env.h"
#include "core/detector.h"
#include "trace/trace.h"
#include "trace/validate.h"

enum {
    GL_JUDGE_LISTED = 1000000, /* races that are listed, at most; all are counted */
    GL_JUDGE_JOBS = 256,
    GL_JUDGE_SETS = 64
};

struct gl_judge_set { /* a switch of the detector, see struct gl_switch */
    const char *name;
    bool on;
};

struct gl_judge_options {
    const struct gl_detector *detector;
    unsigned jobs; /* 1 .. GL_JUDGE_JOBS */
    bool all;      /* list every racing access, not only the first one of each variable */
    bool lenient;  /* events that cannot happen are left out and counted; else they are an error */
    bool trust;    /* do not look for them, except as far as the detector does */
    const struct gl_judge_set *sets;
    size_t n_sets;
    size_t memory; /* bytes that the detectors may ask for, together; 0: three quarters of the machine's */
};

/* The trace; its bytes are the caller's and outlive the judgement. */
struct gl_judge_source {
    const char *name; /* for a progress bar */
    const void *bytes;
    size_t size;
    const struct gl_trace_stream
        *stream; /* NULL: all is in bytes[0..size); else nothing is there, and this is read once */
    enum gl_trace_format format;
};

/* One of the two accesses of a race. */
struct gl_judge_access {
    uint64_t record; /* line or record number from 1; 0: not known, and nothing else of this */
    uint32_t thread;
    uint32_t location; /* number of its name; 0: none */
    bool
        forgotten; /* a stream: it is long ago; the location is not known, and of the op whether it reads or writes */
    enum gl_op op;
    enum gl_order order;
};

struct gl_judge_race {
    uint64_t variable; /* first byte of the word, in the dense space of trace/names.h */
    struct gl_judge_access now, then;
};

struct gl_judge_count { /* one of the detector's counters, summed over the jobs */
    const char *name, *sentence;
    uint64_t value;
};

struct gl_judgement {
    uint64_t events;          /* read */
    uint64_t of[GL_OP_COUNT]; /* of these, per operation, without those that the validator left out */
    uint64_t skipped;         /* left out (lenient), for these faults or because the detector refused it */
    uint64_t faults[GL_FAULT_COUNT];
    uint32_t threads;
    uint64_t variables; /* accessed ones */
    uint64_t racing_variables;
    uint64_t racing_accesses; /* pairs of an access and a variable that it raced on */
    struct gl_judge_race
        *races; /* in the order of the events, then of the variables; at most GL_JUDGE_LISTED */
    size_t n_races;
    struct gl_judge_count *counts;
    size_t n_counts;
    double seconds;                      /* spent in the detector, by the slowest job */
    size_t memory;                       /* bytes that the detectors asked for at most, together */
    bool incomplete;                     /* a binary trace that ends early: judged up to there */
    bool text;                           /* records are lines */
    struct gl_trace_reader *reader;      /* has read what names the races need: gl_trace_names() */
    struct gl_counted_env *names_memory; /* its own */
};

struct gl_judge_error {
    char text[400]; /* a sentence that begins with the place: "line 7, column 3: ..." */
};

/* Judges a trace.  False: *error says why, and *out is empty. */
bool gl_judge(const struct gl_judge_source *source, const struct gl_judge_options *o,
              struct gl_judgement *out, struct gl_judge_error *error);
void gl_judgement_free(struct gl_judgement *j);

/* The place of an error of a reader as words: "line 7, column 3", or "byte 120". */
void gl_judge_place(const struct gl_trace_error *e, char *text, size_t size);

#endif
