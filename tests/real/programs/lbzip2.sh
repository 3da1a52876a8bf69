# SPDX-License-Identifier: Apache-2.0
# lbzip2: a scheduler of its own, with one mutex for its tasks, a thread that reads, one that writes, and workers between them; both
# directions, of files and pipes, with one stream and with many.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages=lbzip2

build()
{
    # Its gnulib is older than glibc 2.28, and looks for a name that <stdio.h> had: then it sets the same flag as it would today.
    ./configure CPPFLAGS=-D_IO_ftrylockfile
    make -j"$jobs" -C lib
    make -j"$jobs" -C src
}

check()
{
    local z=$source/src/lbzip2
    $launch "$z" -n 4 -1 -c "$input" >blocks.bz2
    $launch "$z" -n 3 -d -c blocks.bz2 | cmp - "$input"
    $launch "$z" -n 2 -9 -u <"$input_small" >small.bz2
    cat small.bz2 blocks.bz2 small.bz2 >"$scratch/streams.bz2"
    $launch "$z" -n 5 -d <"$scratch/streams.bz2" | cmp - <(cat "$input_small" "$input" "$input_small")
    $launch "$z" -n 4 -d -s -c small.bz2 | cmp - "$input_small"
    cat "$input_small" | $launch "$z" -n 2 -d -f -c | cmp - "$input_small" # what is not compressed is copied
}
