// SPDX-License-Identifier: Apache-2.0
// exercises: _ZSt15set_new_handlerPFvvE _ZSt15get_new_handlerv _ZSt13set_terminatePFvvE _ZSt13get_terminatev
// exercises: _ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE _ZNSt3pmr20get_default_resourceEv
// peer-skip: libtsan does not see what the C++ library does inside
#include "tests/programs/cxx_handlers.h"
