// SPDX-License-Identifier: Apache-2.0
// std::call_once of libc++, whose library says in the flag that the function has run, and whose header reads it. Racy: the second thread does not ask.
// flags: -stdlib=libc++
// only: clang (libc++)
// skip aarch64: the cross-compiler has no libc++
// exercises: _ZNSt3__111__call_onceERVmPvPFvS2_E
// peer-skip: libtsan does not see what the library of libc++ does
#include "tests/programs/cxx_call_once.h"
