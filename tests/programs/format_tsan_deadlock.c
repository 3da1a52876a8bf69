// SPDX-License-Identifier: Apache-2.0
// In ThreadSanitizer's layout the stacks of held locks are there only when asked for; else it says how to ask.
// options: format=tsan
// report: ^    Hint: use TSAN_OPTIONS=second_deadlock_stack=1 to get more informative warning message$
// peer-skip: options and layout of our own
#include "tests/programs/two_orders.h"
