/* SPDX-License-Identifier: Apache-2.0
 *
 * See judge_journal.h.
 *
 * Records [now - N, now] of a ring of 2 N entries can be read while who adds is not beyond now + N: no entry that is asked for
 * is written then.
 */
#include "cli/judge_journal.h"

#include <stdlib.h>

enum { ENTRIES = 2 * GL_JOURNAL_RECORDS };

bool gl_journal_begin(struct gl_journal *j)
{
    j->entry = calloc(ENTRIES, sizeof *j->entry); /* memory of what is never written is never there */
    return j->entry;
}

void gl_journal_end(struct gl_journal *j)
{
    free(j->entry);
    j->entry = NULL;
}

void gl_journal_add(struct gl_journal *j, const struct gl_event *events, const uint64_t *records, size_t n)
{
    for (size_t i = 0; i < n && records[i] <= UINT32_MAX; i++) {
        struct gl_journal_entry *to = &j->entry[records[i] % ENTRIES];
        if (to->record == records[i])
            continue; /* the first event of a record tells of it */
        *to = (struct gl_journal_entry){.record = (uint32_t)records[i],
                                        .thread = events[i].thread,
                                        .location = events[i].site,
                                        .op = (uint8_t)events[i].op,
                                        .order = (uint8_t)events[i].order};
    }
}

bool gl_journal_find(const struct gl_journal *j, uint64_t record, uint64_t now, struct gl_judge_access *to)
{
    if (now - record > GL_JOURNAL_RECORDS)
        return false;
    const struct gl_journal_entry *e = &j->entry[record % ENTRIES];
    if (e->record != record)
        return false;
    to->thread = e->thread;
    to->location = e->location;
    to->op = (enum gl_op)e->op;
    to->order = (enum gl_order)e->order;
    return true;
}
