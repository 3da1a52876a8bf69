// SPDX-License-Identifier: Apache-2.0
#include "tests/programs/cxx_weak_ptr.h"
