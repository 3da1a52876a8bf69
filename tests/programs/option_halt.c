// SPDX-License-Identifier: Apache-2.0
// on_race=halt ends the program at the first race; without one it goes on.
// options: on_race=halt
// reports: 1
// peer-skip: options and layout of our own
#include "tests/programs/two_races.h"
