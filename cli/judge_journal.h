/* SPDX-License-Identifier: Apache-2.0
 *
 * What the last records of a trace said (private to cli/judge*.c): for a trace that cannot be read again, because it comes
 * through a pipe.
 */
#ifndef GL_CLI_JUDGE_JOURNAL_H
#define GL_CLI_JUDGE_JOURNAL_H

#include "cli/judge.h"

enum { GL_JOURNAL_RECORDS = 1 << 21 /* that are kept, at least, behind the last one that is asked for */ };

struct gl_journal {
    struct gl_journal_entry {
        uint32_t record; /* 0: none */
        uint32_t thread, location;
        uint8_t op, order;
    } * entry; /* ring of twice as many, by record; NULL: nothing is kept */
};

/* False: no memory. */
bool gl_journal_begin(struct gl_journal *j);
void gl_journal_end(struct gl_journal *j);

/* One thread at a time adds; no record below 2^32 comes before an earlier one, none above is kept. */
void gl_journal_add(struct gl_journal *j, const struct gl_event *events, const uint64_t *records, size_t n);

/* *to := what record `record` said, as judged at record `now`.  False: it is too long ago.
 * May run while records are added, as long as those are less than GL_JOURNAL_RECORDS beyond `now`. */
bool gl_journal_find(const struct gl_journal *j, uint64_t record, uint64_t now, struct gl_judge_access *to);

#endif
