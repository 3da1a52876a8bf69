// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * SciMark's SOR: relaxation of size x size grids (SciMark: 100) in the order of their points. Threads have grids of
 * their own, out of twelve equal ones, and share nothing.
 */
final class GaussSeidel extends Kernel {
    static final int SIZE = 100;
    static final int REDUCED = 30;
    private static final double TOTAL = 5040.091817301997;
    private static final int GRIDS = 12;
    private static final int ITERATIONS = 300;
    private static final double OMEGA = 1.25;

    private final double[][][] grids;

    GaussSeidel(int threads, int size) {
        super(threads, size);
        grids = new double[GRIDS][size][size];
        for (double[][] grid : grids) {
            Lcg random = new Lcg(6);
            for (double[] row : grid)
                for (int j = 0; j < size; j++)
                    row[j] = random.next();
        }
    }

    @Override
    void run(int id) {
        for (int n = first(GRIDS, id); n < first(GRIDS, id + 1); n++) {
            double[][] grid = grids[n];
            for (int p = 0; p < ITERATIONS; p++)
                for (int i = 1; i < size - 1; i++) {
                    double[] up = grid[i - 1];
                    double[] row = grid[i];
                    double[] down = grid[i + 1];
                    for (int j = 1; j < size - 1; j++)
                        row[j] = OMEGA / 4 * (up[j] + down[j] + row[j - 1] + row[j + 1]) + (1 - OMEGA) * row[j];
                }
        }
    }

    @Override
    void check() {
        double first = sum(grids[0]);
        for (double[][] grid : grids)
            expect(sum(grid) == first, "two grids differ");
        if (size == SIZE)
            expectNear(first, TOTAL, "the sum");
    }

    private static double sum(double[][] grid) {
        double sum = 0;
        for (double[] row : grid)
            for (double one : row)
                sum += one;
        return sum;
    }
}
