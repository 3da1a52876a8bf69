// SPDX-License-Identifier: Apache-2.0
// With libc++, whose library counts the arrivals.
// flags: -std=c++20 -stdlib=libc++
// only: clang (libc++)
// skip aarch64: the cross-compiler has no libc++
// exercises: _ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh
// peer-skip: libtsan does not see what the library of libc++ does
#include "tests/programs/cxx20_barrier.h"
