# SPDX-License-Identifier: Apache-2.0
# nsync (C): reader-writer locks, condition variables, conditional critical sections, notes, counters and run-once, made of
# C11 atomics and futex system calls, under its own tests. They check themselves; how often they try differs from run to run.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages=nsync

build()
{
    make -C builds/x86_64.linux.gcc.atm-c11 -j"$jobs" CC="$CC" tests
}

check()
{
    cd "$scratch"
    for test in counter_test cv_mu_timeout_stress_test cv_test cv_wait_example_test dll_test mu_starvation_test mu_test mu_wait_example_test \
        mu_wait_test note_test once_test pingpong_test wait_test; do
        $launch "$source/builds/x86_64.linux.gcc.atm-c11/$test" >"$scratch/$test.said" 2>&1 || { cat "$scratch/$test.said"; return 1; }
    done
}
