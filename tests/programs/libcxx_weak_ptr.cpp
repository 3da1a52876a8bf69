// SPDX-License-Identifier: Apache-2.0
// With libc++.
// flags: -stdlib=libc++
// only: clang (libc++)
// skip aarch64: the cross-compiler has no libc++
// exercises: _ZNSt3__119__shared_weak_count14__release_weakEv _ZNSt3__119__shared_weak_count4lockEv
// peer-skip: libtsan does not see what the library of libc++ does
#include "tests/programs/cxx_weak_ptr.h"
