# SPDX-License-Identifier: Apache-2.0
# redis with three threads for input and output, under its own benchmark, itself with threads; both are built by us. A
# load whose result is known follows, a dump by a forked child, and a restart that reads it.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages=redis

build()
{
    make -C src -j"$jobs" MALLOC=libc OPTIMIZATION=-O2 CC="$CC" redis-server redis-cli redis-benchmark
}

ask()
{
    $launch "$source/src/redis-cli" -s "$scratch/socket" "$@"
}

persistence() # NAME
{
    ask info persistence | tr -d '\r' | sed -n "s/^$1://p"
}

# The connection ends before there is an answer.
stop()
{
    ask shutdown nosave now force || :
    wait $server
}

start()
{
    $launch "$source/src/redis-server" --port "$port" --bind 127.0.0.1 --unixsocket "$scratch/socket" --dir "$scratch" \
        --io-threads 3 --io-threads-do-reads yes --save '' --appendonly no --enable-debug-command yes --lazyfree-lazy-user-del yes \
        --dbfilename dump.rdb --maxmemory 0 &
    server=$!
    until ask ping; do kill -0 $server; done
}

check()
{
    local server port
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    start
    $launch "$source/src/redis-benchmark" -h 127.0.0.1 -p "$port" --threads 2 -c 8 -n 640 -r 100 -P 16 --csv \
        -t ping,set,get,incr,lpush,rpop,sadd,hset,zadd,lrange_100,mset
    ask flushall async
    awk 'BEGIN { for (i = 0; i < 1500; i++) { print "set k" i " " i * 7; print "lpush list" i % 9 " " i; print "zadd z " i % 100 " m" i;
        print "hset h" i % 5 " f" i " " i; if (i % 10 == 0) print "del k" i / 2 } }' | ask >"$out/answers"
    ask debug digest >"$out/digest"
    ask bgsave
    until [ "$(persistence rdb_bgsave_in_progress)" = 0 ]; do :; done
    [ "$(persistence rdb_last_bgsave_status)" = ok ]
    stop
    start
    ask debug digest >"$out/digest-restarted"
    ask config set appendonly yes
    until [ "$(persistence aof_rewrite_in_progress)$(persistence aof_rewrite_scheduled)" = 00 ]; do :; done
    stop
    cmp "$out/digest" "$out/digest-restarted"
}
