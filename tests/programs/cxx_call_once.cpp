// SPDX-License-Identifier: Apache-2.0
// std::call_once. Racy: the second thread does not ask.
#include "tests/programs/cxx_call_once.h"
