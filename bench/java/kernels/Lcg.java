// SPDX-License-Identifier: Apache-2.0
package kernels;

/** A generator of random numbers with a fixed sequence for each seed: x' = a x + c modulo 2^48. For one thread. */
final class Lcg {
    private static final long MASK = (1L << 48) - 1;
    private long state;

    Lcg(long seed) {
        // Seeds that are near to each other must not give sequences that are.
        long mixed = seed * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 29) * 0xBF58476D1CE4E5B9L;
        state = (mixed ^ mixed >>> 32) & MASK;
    }

    private int bits(int n) {
        state = (state * 0x5DEECE66DL + 11) & MASK;
        return (int) (state >>> (48 - n));
    }

    /** In [0, 1). */
    double next() {
        return ((long) bits(26) << 27 | bits(27)) * 0x1p-53;
    }

    /** In [0, n). */
    int next(int n) {
        return (int) (next() * n);
    }

    /** Normally distributed: mean 0, deviation 1. */
    double nextGaussian() {
        for (;;) {
            double x = 2 * next() - 1;
            double y = 2 * next() - 1;
            double r = x * x + y * y;
            if (r < 1 && r > 0)
                return x * Math.sqrt(-2 * Math.log(r) / r);
        }
    }
}
