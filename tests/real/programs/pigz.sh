# SPDX-License-Identifier: Apache-2.0
# pigz: locks with a count to wait for, of its own making (yarn.c), between a thread that compresses or reads and one that writes or checks.
# zlib is the machine's: each of its streams belongs to one thread, and it has no threads of its own.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages=pigz
optional=yes # some archives list its source and do not have it

build()
{
    make -j"$jobs" pigz CC="$CC" CFLAGS='-O2 -g' LDFLAGS=
}

check()
{
    local z=$source/pigz
    $launch "$z" -p 4 -n -m -c "$input" >data.gz
    $launch "$z" -d -p 4 -c data.gz | cmp - "$input"
    $launch "$z" -p 3 -n -m -b 128 -i -9 <"$input_small" >small.gz # blocks that do not depend on one another
    $launch "$z" -t -p 2 small.gz
    $launch "$z" -d <small.gz | cmp - "$input_small"
}
