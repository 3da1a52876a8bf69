// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * The LINPACK benchmark as in the Java Grande suite: a system of size equations (size A: 500) is solved by
 * elimination with partial pivoting, by columns. One thread finds the pivot, behind a barrier all eliminate in their
 * columns.
 */
final class Lufact extends Kernel {
    static final int SIZE = 500;
    static final int REDUCED = 120;

    private final double[][] a; // by columns; replaced by its factors
    private final double[][] original;
    private final double[] right;
    private final double[] solution;
    private final int[] pivots;

    Lufact(int threads, int size) {
        super(threads, size);
        a = new double[size][size];
        original = new double[size][size];
        right = new double[size];
        solution = new double[size];
        pivots = new int[size];
        Lcg random = new Lcg(1325);
        for (int j = 0; j < size; j++)
            for (int i = 0; i < size; i++) {
                a[j][i] = random.next() - 0.5;
                original[j][i] = a[j][i];
                right[i] += a[j][i];
            }
    }

    private void pivot(int k) {
        double[] column = a[k];
        int p = k;
        for (int i = k + 1; i < size; i++)
            if (Math.abs(column[i]) > Math.abs(column[p]))
                p = i;
        pivots[k] = p;
        double top = column[p];
        column[p] = column[k];
        column[k] = top;
        for (int i = k + 1; i < size; i++)
            column[i] /= -top;
    }

    private void eliminate(int k, int j) {
        double[] column = a[j];
        double[] factors = a[k];
        int p = pivots[k];
        double t = column[p];
        column[p] = column[k];
        column[k] = t;
        for (int i = k + 1; i < size; i++)
            column[i] += t * factors[i];
    }

    @Override
    void run(int id) {
        for (int k = 0; k < size - 1; k++) {
            if (k % threads == id)
                pivot(k);
            barrier.await();
            for (int j = k + 1; j < size; j++)
                if (j % threads == id)
                    eliminate(k, j);
            barrier.await();
        }
        if (id == 0)
            solve();
    }

    private void solve() {
        System.arraycopy(right, 0, solution, 0, size);
        for (int k = 0; k < size - 1; k++) {
            double t = solution[pivots[k]];
            solution[pivots[k]] = solution[k];
            solution[k] = t;
            for (int i = k + 1; i < size; i++)
                solution[i] += t * a[k][i];
        }
        for (int k = size - 1; k >= 0; k--) {
            solution[k] /= a[k][k];
            for (int i = 0; i < k; i++)
                solution[i] -= solution[k] * a[k][i];
        }
    }

    @Override
    void check() {
        double worst = 0;
        for (int i = 0; i < size; i++) {
            double sum = -right[i];
            for (int j = 0; j < size; j++)
                sum += original[j][i] * solution[j];
            worst = Math.max(worst, Math.abs(sum));
        }
        // The residual in units of the arithmetic, as LINPACK states it.
        expect(worst / (size * Math.ulp(1.0)) < 100, "the residual is " + worst);
        for (double one : solution)
            expect(Math.abs(one - 1) < 1e-6, "a solution is " + one + ", not 1");
    }
}
