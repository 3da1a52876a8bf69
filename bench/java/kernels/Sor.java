// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * Successive over-relaxation as in the Java Grande suite: a size x size grid (size A: 1,000), red and black points in
 * turn, a hundred iterations. Each thread has a band of rows and reads one row of each neighbour's; a barrier stands
 * between the colours.
 */
final class Sor extends Kernel {
    static final int SIZE = 1000;
    static final int REDUCED = 150;
    private static final double TOTAL = 500611.471375959;
    private static final int ITERATIONS = 100;
    private static final double OMEGA = 1.25;

    private final double[][] grid;

    Sor(int threads, int size) {
        super(threads, size);
        grid = new double[size][size];
        Lcg random = new Lcg(3);
        for (double[] row : grid)
            for (int j = 0; j < size; j++)
                row[j] = random.next();
    }

    @Override
    void run(int id) {
        int from = Math.max(1, first(size, id));
        int to = Math.min(size - 1, first(size, id + 1));
        for (int p = 0; p < 2 * ITERATIONS; p++) {
            for (int i = from; i < to; i++) {
                double[] up = grid[i - 1];
                double[] row = grid[i];
                double[] down = grid[i + 1];
                for (int j = 1 + (i + p) % 2; j < size - 1; j += 2)
                    row[j] = OMEGA / 4 * (up[j] + down[j] + row[j - 1] + row[j + 1]) + (1 - OMEGA) * row[j];
            }
            barrier.await();
        }
    }

    @Override
    void check() {
        double sum = 0;
        for (double[] row : grid)
            for (double one : row)
                sum += one;
        expect(sum > 0, "the grid is empty");
        if (size == SIZE)
            expectNear(sum, TOTAL, "the sum");
    }
}
