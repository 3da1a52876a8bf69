# SPDX-License-Identifier: Apache-2.0
# xz, with liblzma inside: compresses blocks on several threads, and decompresses them on several.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages=xz-utils

build()
{
    ./configure --disable-shared --disable-nls --disable-doc --disable-assembler --disable-xzdec --disable-lzmadec \
        --disable-lzmainfo --disable-lzma-links --disable-scripts
    make -j"$jobs" -C src/liblzma
    make -j"$jobs" -C src/xz
}

check()
{
    local xz=$source/src/xz/xz
    $launch "$xz" -2 -T4 --block-size=2MiB -c "$input" >blocks.xz
    $launch "$xz" -dc -T1 blocks.xz | cmp - "$input"
    $launch "$xz" -dc -T3 blocks.xz | cmp - "$input"
    $launch "$xz" -0 -T2 --block-size=100KiB -c "$input_small" >small.xz
    $launch "$xz" -l -vv small.xz >listing
    $launch "$xz" -dc -T5 --memlimit-mt-decompress=20MiB small.xz | cmp - "$input_small"
}
