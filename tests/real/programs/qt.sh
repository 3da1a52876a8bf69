# SPDX-License-Identifier: Apache-2.0
# Our own program on the distribution's Qt 5, which is not instrumented: option foreign_atomics.
# shellcheck shell=bash disable=SC2034,SC2046,SC2086,SC2100,SC2154,SC2164
packages=

build()
{
    $CXX -O2 -Wall -fPIC "$here/qt.cpp" -o qt $(pkg-config --cflags --libs Qt5Core Qt5Concurrent)
}

check()
{
    for i in 1 2 3 4 5; do
        $launch "$source/qt"
    done >"$out/sums"
}
