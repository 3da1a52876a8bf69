// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * SciMark's LU factorization: a batch of size x size matrices (SciMark: 100), each copied and factored with partial
 * pivoting by the thread that takes it out of a queue under its monitor.
 */
final class Lu extends Kernel {
    static final int SIZE = 100;
    static final int REDUCED = 36;
    private static final int JOBS = 200;
    private static final int KINDS = 8;

    private static final class Queue {
        private int next;

        synchronized int take() {
            return next < JOBS ? next++ : -1;
        }
    }

    private final Queue queue = new Queue();
    private final double[][][] matrices; // read by all
    private final double[][][] factors = new double[JOBS][][];
    private final int[][] pivots = new int[JOBS][];

    Lu(int threads, int size) {
        super(threads, size);
        matrices = new double[KINDS][size][size];
        Lcg random = new Lcg(9);
        for (double[][] matrix : matrices)
            for (double[] row : matrix)
                for (int j = 0; j < size; j++)
                    row[j] = random.next() - 0.5;
    }

    private double[][] copy(double[][] matrix) {
        double[][] result = new double[size][size];
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                result[i][j] = matrix[i][j];
        return result;
    }

    private int[] factor(double[][] a) {
        int[] pivot = new int[size];
        for (int j = 0; j < size; j++) {
            int p = j;
            for (int i = j + 1; i < size; i++)
                if (Math.abs(a[i][j]) > Math.abs(a[p][j]))
                    p = i;
            pivot[j] = p;
            double[] row = a[p];
            a[p] = a[j];
            a[j] = row;
            for (int i = j + 1; i < size; i++) {
                double[] mine = a[i];
                double f = mine[j] / row[j];
                mine[j] = f;
                for (int k = j + 1; k < size; k++)
                    mine[k] -= f * row[k];
            }
        }
        return pivot;
    }

    @Override
    void run(int id) {
        for (int job = queue.take(); job >= 0; job = queue.take()) {
            double[][] a = copy(matrices[job % KINDS]);
            pivots[job] = factor(a);
            factors[job] = a;
        }
    }

    /** The product L U of some jobs must be the matrix with its rows exchanged. */
    @Override
    void check() {
        for (int job = 0; job < JOBS; job += JOBS / KINDS - 1) {
            double[][] a = factors[job];
            double[][] expected = copy(matrices[job % KINDS]);
            for (int j = 0; j < size; j++) {
                double[] row = expected[pivots[job][j]];
                expected[pivots[job][j]] = expected[j];
                expected[j] = row;
            }
            for (int i = 0; i < size; i++)
                for (int j = 0; j < size; j++) {
                    double sum = 0;
                    for (int k = 0; k <= Math.min(i, j); k++)
                        sum += (k == i ? 1 : a[i][k]) * a[k][j];
                    expect(Math.abs(sum - expected[i][j]) < 1e-10, "L U is not the matrix");
                }
        }
        for (int[] pivot : pivots)
            expect(pivot != null, "a matrix was forgotten");
    }
}
