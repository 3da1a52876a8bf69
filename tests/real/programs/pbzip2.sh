# SPDX-License-Identifier: Apache-2.0
# pbzip2 (C++) with libbz2, both built by us: compresses and decompresses on several threads.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages='pbzip2 bzip2'

build()
{
    make -C bzip2 -j"$jobs" CC="$CC" libbz2.a
    cp bzip2/libbz2.a bzip2/bzlib.h .
    make pbzip2-static CXX="$CXX -std=gnu++98" # as old as the program: later ones read its literals in another way
}

check()
{
    cp "$input" data
    $launch "$source/pbzip2" -q -k -p4 -b5 data
    rm data
    $launch "$source/pbzip2" -q -k -d -p3 data.bz2
    cmp data "$input"
    rm data
    $launch "$source/pbzip2" -q -d -c -p4 <data.bz2 | cmp - "$input"
    $launch "$source/pbzip2" -q -c -p2 -b1 "$input_small" >small.bz2
    $launch "$source/pbzip2" -q -t -p3 small.bz2
}
