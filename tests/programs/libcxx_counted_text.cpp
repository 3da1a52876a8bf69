// SPDX-License-Identifier: Apache-2.0
// With libc++.
// flags: -stdlib=libc++
// only: clang (libc++)
// skip aarch64: the cross-compiler has no libc++
// peer-skip: libtsan does not see what a library counts
#include "tests/programs/cxx_counted_text.h"
