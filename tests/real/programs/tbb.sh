# SPDX-License-Identifier: Apache-2.0
# oneTBB (C++), built with the compiler under test: its own thieves, arenas and allocator under a program (tests/real/tbb.cpp) that uses
# most of what it has.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages=onetbb

build()
{
    cmake -S . -B build -G 'Unix Makefiles' -DCMAKE_BUILD_TYPE=Release -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBB_OUTPUT_DIR_BASE=lib
    make -C build -j"$jobs" tbb
    $CXX -std=c++17 -O2 -Wall -Iinclude "$here/tbb.cpp" -o tbb build/lib_release/libtbb.so -Wl,-rpath,"$PWD/build/lib_release"
}

check()
{
    $launch "$source/tbb" >"$out/total"
}
