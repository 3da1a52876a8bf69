/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table from words to counts that several threads fill at once.  The table is cut into
 * stripes; each stripe is a small hash table with a lock of its own, so that two threads wait for each
 * other only when their words meet in one stripe.
 */
#ifndef WORDCOUNT_TABLE_H
#define WORDCOUNT_TABLE_H

#include <stddef.h>

struct table;

struct word {
    char *text;
    unsigned long count;
};

struct table *table_new(void);
void table_free(struct table *t);

/* Counts one more of the word.  Any thread, at any time. */
void table_add(struct table *t, const char *word, size_t length);

/* All words, most frequent first, equal counts by alphabet; *count of them, freed by the caller together
 * with the array but not the texts.  Only when no thread adds any more. */
struct word *table_sorted(struct table *t, size_t *count);

#endif
