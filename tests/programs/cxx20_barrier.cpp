// SPDX-License-Identifier: Apache-2.0
// flags: -std=c++20
#include "tests/programs/cxx20_barrier.h"
