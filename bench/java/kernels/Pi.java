// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * SciMark's Monte Carlo integration: pi by throwing size points, in thousands. As there, the generator's method is
 * synchronized, though each thread has its own.
 */
final class Pi extends Kernel {
    static final int SIZE = 6000;
    static final int REDUCED = 150;

    private static final class Generator {
        private final int[] table = new int[17];
        private int i = 4;
        private int j = 16;

        Generator(int seed) {
            Lcg random = new Lcg(seed);
            for (int k = 0; k < table.length; k++)
                table[k] = random.next(Integer.MAX_VALUE);
        }

        /** A lagged Fibonacci sequence. */
        synchronized double next() {
            int k = table[i] - table[j];
            if (k < 0)
                k += Integer.MAX_VALUE;
            table[j] = k;
            i = i == 0 ? 16 : i - 1;
            j = j == 0 ? 16 : j - 1;
            return (double) k / Integer.MAX_VALUE;
        }
    }

    private long inside;

    Pi(int threads, int size) {
        super(threads, size);
    }

    @Override
    void run(int id) {
        Generator generator = new Generator(id + 113);
        long mine = 0;
        long points = 1000L * (first(size, id + 1) - first(size, id));
        for (long n = 0; n < points; n++) {
            double x = generator.next();
            double y = generator.next();
            if (x * x + y * y <= 1)
                mine++;
        }
        synchronized (this) {
            inside += mine;
        }
    }

    @Override
    void check() {
        double pi = 4.0 * inside / (1000.0 * size);
        expect(Math.abs(pi - Math.PI) < 5 / Math.sqrt(1000.0 * size), "pi is " + pi);
    }
}
