// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * SciMark's multiplication of a sparse matrix (size rows, five elements in each, compressed rows) with a vector. Each
 * thread has a slice of the rows; the vector is read by all.
 */
final class Sparse extends Kernel {
    static final int SIZE = 10_000;
    static final int REDUCED = 1000;
    private static final int PER_ROW = 5;
    private static final int ITERATIONS = 300;

    private final double[] values;
    private final int[] columns;
    private final int[] rows;
    private final double[] x;
    private final double[] y;

    Sparse(int threads, int size) {
        super(threads, size);
        values = new double[size * PER_ROW];
        columns = new int[size * PER_ROW];
        rows = new int[size + 1];
        x = new double[size];
        y = new double[size];
        Lcg random = new Lcg(4);
        for (int i = 0; i < size; i++) {
            x[i] = random.next();
            rows[i + 1] = rows[i] + PER_ROW;
            for (int k = rows[i]; k < rows[i + 1]; k++) {
                columns[k] = random.next(size);
                values[k] = random.next();
            }
        }
    }

    @Override
    void run(int id) {
        int from = first(size, id);
        int to = first(size, id + 1);
        for (int n = 0; n < ITERATIONS; n++)
            for (int i = from; i < to; i++) {
                double sum = 0;
                for (int k = rows[i]; k < rows[i + 1]; k++)
                    sum += x[columns[k]] * values[k];
                y[i] = sum;
            }
    }

    @Override
    void check() {
        for (int i = 0; i < size; i++) {
            double sum = 0;
            for (int k = 0; k < PER_ROW; k++)
                sum += x[columns[i * PER_ROW + k]] * values[i * PER_ROW + k];
            expect(sum == y[i], "row " + i + " is wrong");
        }
    }
}
