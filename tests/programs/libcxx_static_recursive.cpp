// SPDX-License-Identifier: Apache-2.0
// An initializer of a static variable that needs the variable itself: libc++abi ends the program. Racy: also a race in the handler of the signal.
// flags: -stdlib=libc++
// only: clang (libc++)
// skip aarch64: the cross-compiler has no libc++
// options: report_signal_unsafe=0
// peer-skip: libtsan waits for itself
#include "tests/programs/cxx_static_recursive.h"
