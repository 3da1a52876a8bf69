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

# With several threads xz 5.4.1 crashes now and then where a wait takes longer than its 300 ms: a race of its own
# (docs/found-races.md). Then once more, and at most twice, which check.log says: what crashes each time is not that.
decompress() # OPTION... FILE EXPECTED
{
    local try end
    for try in 1 2 3; do
        end=0
        $launch "$xz" -dc "${@:1:$#-1}" >"$scratch/decompressed" || end=$?
        [ $end -eq 139 ] || break
        echo "xz crashed, run $try of ${*:1:$#-1}"
    done
    [ $end -eq 0 ] && cmp "$scratch/decompressed" "${@: -1}"
}

check()
{
    local xz=$source/src/xz/xz
    $launch "$xz" -2 -T4 --block-size=2MiB -c "$input" >blocks.xz
    decompress -T1 blocks.xz "$input"
    decompress -T3 blocks.xz "$input"
    $launch "$xz" -0 -T2 --block-size=100KiB -c "$input_small" >small.xz
    $launch "$xz" -l -vv small.xz >listing
    decompress -T5 --memlimit-mt-decompress=20MiB small.xz "$input_small"
}
