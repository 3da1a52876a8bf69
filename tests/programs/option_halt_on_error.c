// SPDX-License-Identifier: Apache-2.0
// halt_on_error, ThreadSanitizer's name for it.
// options: halt_on_error=yes
// reports: 1
// peer-skip: options and layout of our own
#include "tests/programs/two_races.h"
