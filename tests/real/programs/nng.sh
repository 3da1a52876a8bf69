# SPDX-License-Identifier: Apache-2.0
# nng (C): messages between sockets, with a pool of task threads, a poller and timers under mutexes and condition variables of
# pthreads: its own tests, over inproc, ipc, tcp and websockets. They check themselves.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages=nng

tests="src/core/aio_test src/core/sock_test src/core/reconnect_test src/sp/protocol/reqrep0/req_test src/sp/protocol/pubsub0/sub_test
    src/sp/protocol/pipeline0/push_test src/sp/transport/ipc/ipc_test tests/synch tests/pollfd tests/device tests/inproc tests/bus tests/pipe
    tests/reqctx tests/reqstress tests/multistress tests/scalability"

build()
{
    cmake -S . -B build -G 'Unix Makefiles' -DCMAKE_BUILD_TYPE=Release -DNNG_TESTS=ON -DBUILD_SHARED_LIBS=OFF
    for test in $tests; do
        make -C build -j"$jobs" "${test##*/}"
    done
}

check()
{
    cd "$scratch"
    export STRESSTIME=5
    for test in $tests; do
        $launch "$source/build/$test" >"$scratch/said" 2>&1 || { cat "$scratch/said"; return 1; }
    done
}
