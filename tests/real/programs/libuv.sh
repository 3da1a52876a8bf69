# SPDX-License-Identifier: Apache-2.0
# libuv (C): its own tests of threads, locks, the pool of threads, wake-ups between loops, forks, signals in several loops (whose lock
# is a pipe) and watchers of files. Each runs in a process of its own, as the runner does, but without its limit of five seconds.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages=libuv1

build()
{
    cmake -S . -B build -G 'Unix Makefiles' -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=ON
    make -C build -j"$jobs" uv_run_tests_a
}

# The runner refuses to be root; whoever it is instead must be able to write reports.
as_somebody()
{
    if [ "$(id -u)" -eq 0 ]; then
        chmod a+rwx "$scratch" "$scratch/../log"
        $launch setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    else
        $launch "$@"
    fi
}

check()
{
    cd "$scratch"
    for test in async async_null_cb barrier_1 barrier_2 barrier_3 barrier_serial_thread barrier_serial_thread_single condvar_1 condvar_2 condvar_3 \
        condvar_4 condvar_5 embed fork_fs_events_child fork_signal_to_child fork_socketpair fork_threadpool_queue_work_simple fork_timer fs_poll \
        getaddrinfo_basic getaddrinfo_concurrent loop_close loop_stop metrics_idle_time_thread process_title_threadsafe random_async semaphore_1 \
        semaphore_2 semaphore_3 signal_multiple_loops thread_create thread_local_storage thread_mutex thread_mutex_recursive thread_rwlock \
        thread_rwlock_trylock thread_stack_size threadpool_cancel_fs threadpool_cancel_getaddrinfo threadpool_cancel_getnameinfo \
        threadpool_cancel_random threadpool_cancel_single threadpool_cancel_work threadpool_multiple_event_loops threadpool_queue_work_simple \
        watcher_cross_stop we_get_signals we_get_signals_mixed; do
        as_somebody "$source/build/uv_run_tests_a" $test $test >"$scratch/said" 2>&1 || { echo "$test:"; cat "$scratch/said"; return 1; }
    done
}
