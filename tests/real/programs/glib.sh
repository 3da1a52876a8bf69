# SPDX-License-Identifier: Apache-2.0
# Our own program on the distribution's GLib, which is not instrumented: option foreign_atomics.
# shellcheck shell=bash disable=SC2034,SC2046,SC2086,SC2100,SC2154,SC2164
packages=

build()
{
    $CC -O2 -Wall "$here/glib.c" -o glib $(pkg-config --cflags --libs gobject-2.0)
}

check()
{
    for i in 1 2 3 4 5; do
        $launch "$source/glib"
    done >"$out/sums"
}
