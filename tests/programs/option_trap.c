// SPDX-License-Identifier: Apache-2.0
// on_race=trap stops the thread right before the access that makes the race: by SIGTRAP, for a debugger, or for the end.
// options: on_race=trap
// reports: 1
// racy-exit: -5
// peer-skip: options and layout of our own
#include "tests/programs/two_races.h"
