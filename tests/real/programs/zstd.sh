# SPDX-License-Identifier: Apache-2.0
# zstd compresses with several threads, and decompresses what it wrote.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages=zstd

build()
{
    make -C programs -j"$jobs" zstd CPPFLAGS=-DZSTD_DISABLE_ASM
}

check()
{
    local z=$source/programs/zstd threads
    for threads in 1 2 5; do
        $launch "$z" -q -5 -T$threads -B1M -c "$input" >t$threads.zst
        $launch "$z" -q -d -c t$threads.zst | cmp - "$input"
    done
    $launch "$z" -q -15 -T3 --long --rsyncable -c "$input_small" >long.zst
    $launch "$z" -q -d -c long.zst | cmp - "$input_small"
}
