// SPDX-License-Identifier: Apache-2.0
// second_deadlock_stack: where the held locks were taken, in ThreadSanitizer's layout too.
// options: format=tsan:second_deadlock_stack=yes
// report: ^  Mutex M\d+ previously acquired by the same thread here:$
// peer-skip: options and layout of our own
#include "tests/programs/two_orders.h"
