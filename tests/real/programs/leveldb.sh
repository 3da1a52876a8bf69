# SPDX-License-Identifier: Apache-2.0
# leveldb (C++: std::thread, std::atomic, std::condition_variable) under its own benchmark with threads: writers, readers and
# the compaction in the background, on a table in memory whose nodes are published by atomics.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages=leveldb

build()
{
    cmake -S . -B build -G 'Unix Makefiles' -DCMAKE_BUILD_TYPE=Release -DLEVELDB_BUILD_TESTS=OFF -DLEVELDB_BUILD_BENCHMARKS=OFF \
        -DHAVE_SNAPPY=OFF -DHAVE_TCMALLOC=OFF -DHAVE_CRC32C=OFF
    make -C build -j"$jobs" leveldb
    $CXX -O2 -std=c++14 -fno-rtti -I. -Iinclude -Ibuild/include -DLEVELDB_PLATFORM_POSIX=1 benchmarks/db_bench.cc util/testutil.cc util/histogram.cc \
        build/libleveldb.a -o db_bench -lpthread
}

check()
{
    $launch "$source/db_bench" --db="$scratch/db" --threads=4 --num=4000 --value_size=200 --write_buffer_size=200000 \
        --benchmarks=fillrandom,readrandom,overwrite,readwhilewriting,readhot,deleterandom,fillsync,compact,readseq,seekrandom
}
