// SPDX-License-Identifier: Apache-2.0
// report_limit: the others are counted.
// options: report_limit=1
// reports: 1
// report: ^Goldilocks: 1 races? were found after the limit of reports
// report: ^Goldilocks: 2 races happened on 2 pairs of stacks$
// report: ^Goldilocks: reported 1 race$
// peer-skip: options and layout of our own
#include "tests/programs/two_races.h"
