# SPDX-License-Identifier: Apache-2.0
# The OpenMP kernels of tests/openmp (loops, tasks with and without dependences, doacross, reductions), as they are meant: each checks
# its own result.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages=
kernels='histogram jacobi lu mandelbrot nqueens quicksort wavefront'

build()
{
    local kernel
    for kernel in $kernels; do
        $CC -std=gnu17 -O2 -Wall -fopenmp -I"$here/../.." "$here/../openmp/$kernel.c" -o $kernel -lm
    done
}

check()
{
    local kernel
    export OMP_NUM_THREADS=4
    for kernel in $kernels; do
        echo "$kernel: $($launch "$source/$kernel")" >>"$out/results"
    done
    [ "$(grep -c ': ok$' "$out/results")" -eq 7 ]
}
