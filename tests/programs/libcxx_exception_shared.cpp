// SPDX-License-Identifier: Apache-2.0
// With libc++.
// flags: -stdlib=libc++
// only: clang (libc++)
// skip aarch64: the cross-compiler has no libc++
// exercises: __cxa_decrement_exception_refcount __cxa_end_catch
// peer-skip: libtsan does not see the count of who holds an exception
#include "tests/programs/cxx_exception_shared.h"
