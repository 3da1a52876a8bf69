// SPDX-License-Identifier: Apache-2.0
// exercises: _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv __cxa_end_catch
// peer-skip: libtsan does not see the count of who holds an exception
#include "tests/programs/cxx_exception_shared.h"
