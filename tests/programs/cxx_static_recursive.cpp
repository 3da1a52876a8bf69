// SPDX-License-Identifier: Apache-2.0
// An initializer of a static variable that needs the variable itself ends as the C++ library has it, and does not wait for itself: libstdc++ throws, while the
// program has one thread. Racy: also a race in the handler of the signal.
// options: report_signal_unsafe=0
// exercises: __cxa_guard_acquire
// peer-skip: libtsan waits for itself
#include "tests/programs/cxx_static_recursive.h"
