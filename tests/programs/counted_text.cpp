// SPDX-License-Identifier: Apache-2.0
// skip aarch64: instructions of x86-64 only
// peer-skip: libtsan does not see what a library counts
#include "tests/programs/cxx_counted_text.h"
