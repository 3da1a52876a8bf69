# SPDX-License-Identifier: Apache-2.0
# memcached with four worker threads, and its threads for hash growth, eviction and logging, under a client that checks every answer.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages=memcached

build()
{
    ./configure
    make -j"$jobs" memcached
}

check()
{
    MEMCACHED_PORT_FILENAME=$scratch/port $launch "$source/memcached" -u root -l 127.0.0.1 -p -1 -U 0 -t 4 -m 64 \
        -o hashpower=13,slab_reassign,slab_automove=1,lru_crawler,lru_maintainer &
    python3 "$here/memcached_load.py" "$scratch/port" $! 40000 >"$out/answers"
    kill -INT $!
    wait $!
}
