# SPDX-License-Identifier: Apache-2.0
# Our own program on the distribution's Boost, which is not instrumented: option foreign_atomics.
# shellcheck shell=bash disable=SC2034,SC2046,SC2086,SC2100,SC2154,SC2164
packages=

build()
{
    $CXX -O2 -Wall "$here/boost_atomic.cpp" -o boost_atomic -lboost_atomic -pthread
}

check()
{
    for i in 1 2 3; do
        $launch "$source/boost_atomic"
    done >"$out/sums"
}
