# SPDX-License-Identifier: Apache-2.0
# Our own program: every construct of C++20's library for threads, with std::thread and std::async.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages=

build()
{
    $CXX -std=c++20 -O2 -Wall "$here/cxx_threads.cpp" -o cxx_threads -pthread
}

check()
{
    $launch "$source/cxx_threads" >"$out/sums"
}
