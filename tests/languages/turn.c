/* SPDX-License-Identifier: Apache-2.0
 *
 * The invisible order of tests/programs/invisible.h, for programs in other languages.  Compiled without instrumentation.
 */
#include "tests/programs/invisible.h"

void pass_turn(void);
void await_turn(int n);

void pass_turn(void) { turn_pass(); }
void await_turn(int n) { turn_wait((unsigned)n); }
