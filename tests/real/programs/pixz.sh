# SPDX-License-Identifier: Apache-2.0
# pixz: queues between a thread that reads, workers, and the main thread, which writes; blocks of xz, with an index of an archive's files.
# liblzma is built by us, too. libarchive is the machine's: pixz gives each archive to one thread, and it has no threads of its own.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages='pixz xz-utils'

build()
{
    (cd xz-utils && ./configure --disable-shared --disable-nls --disable-doc --disable-assembler --disable-xz --disable-xzdec \
        --disable-lzmadec --disable-lzmainfo --disable-lzma-links --disable-scripts)
    make -j"$jobs" -C xz-utils/src/liblzma
    mkdir include # its configure is not in the source; what it would find out is this
    echo '#define PACKAGE_VERSION "1.0.7"' >include/config.h
    $CC -O2 -g -std=gnu99 -pthread -DHAVE_CONFIG_H -Iinclude -Ixz-utils/src/liblzma/api src/*.c xz-utils/src/liblzma/.libs/liblzma.a \
        -larchive -lm -o pixz
}

check()
{
    local z=$source/pixz
    mkdir "$scratch/files"
    cp "$input_small" "$scratch/files/small"
    cp "$input" "$scratch/files/large"
    head -c 100000 "$input" >"$scratch/files/z"
    tar -C "$scratch/files" --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 -cf "$scratch/files.tar" large small z
    $launch "$z" -0 <"$scratch/files.tar" >files.tpxz
    $launch "$z" -l -t <files.tpxz >blocks # without -t it reads what it never wrote: docs/found-races.md
    $launch "$z" -d <files.tpxz | cmp - "$scratch/files.tar"
    cat files.tpxz | $launch "$z" -d | cmp - "$scratch/files.tar" # without the index, which a pipe does not show first
    $launch "$z" -x small z <files.tpxz | tar -x -O -f - small | cmp - "$input_small"
    $launch "$z" -0 -t -f 0.5 -q 9 -p 3 <"$input_small" >small.xz
    $launch "$z" -d -t <small.xz | cmp - "$input_small"
}
