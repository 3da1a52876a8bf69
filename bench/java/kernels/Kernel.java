// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * One run of a kernel: the constructor sets up, every thread calls {@link #run}, which is timed, and {@link #check}
 * judges the result. Kernels are free of races: threads share what nobody writes, parts that nobody else touches
 * between two barriers, and what a monitor protects.
 */
abstract class Kernel {
    final int threads;
    final int size;
    final Barrier barrier;

    Kernel(int threads, int size) {
        this.threads = threads;
        this.size = size;
        barrier = new Barrier(threads);
    }

    /** The part of thread number id, 0 to threads - 1. */
    abstract void run(int id);

    /** Throws if the result is wrong. */
    abstract void check();

    /** The first of n things that belong to thread id; those up to the first one of id + 1 are its own. */
    final int first(int n, int id) {
        return (int) ((long) n * id / threads);
    }

    static void expect(boolean condition, String what) {
        if (!condition)
            throw new IllegalStateException(what);
    }

    /** Equal but for the last digits, in which the libraries of two systems may differ. */
    static void expectNear(double value, double reference, String what) {
        expect(Math.abs(value - reference) <= 1e-7 * Math.max(1, Math.abs(reference)), what + " is " + value + ", not " + reference);
    }
}
