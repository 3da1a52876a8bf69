/* SPDX-License-Identifier: Apache-2.0
 *
 * libraries/counted.c, whose atomic instructions no compiler told of.
 */
#include "tests/programs/invisible.h"

void counted_lock(int *lock);
void counted_unlock(int *lock);
void counted_wake(int *word);
int counted_drop(int *count);
int counted_change(long *word, long from, long to);
int counted_mistakes(void);
