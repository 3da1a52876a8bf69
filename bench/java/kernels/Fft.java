// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * SciMark's FFT: complex transforms of size points (SciMark: 1,024), there and back again, of a batch of signals.
 * Threads take slices of the batch; the table of roots is read by all.
 */
final class Fft extends Kernel {
    static final int SIZE = 1024;
    static final int REDUCED = 128;
    private static final int SIGNALS = 48;
    private static final int REPEATS = 20;

    private final double[] roots; // cosine and sine of 2 pi k / size, for k < size / 2
    private final double[][] signals; // real and imaginary parts in turn

    Fft(int threads, int size) {
        super(threads, size);
        expect(Integer.bitCount(size) == 1, "the size must be a power of two");
        roots = new double[size];
        for (int k = 0; k < size / 2; k++) {
            roots[2 * k] = Math.cos(2 * Math.PI * k / size);
            roots[2 * k + 1] = Math.sin(2 * Math.PI * k / size);
        }
        signals = new double[SIGNALS][2 * size];
        for (int i = 0; i < SIGNALS; i++)
            fill(signals[i], i);
    }

    private static void fill(double[] signal, int seed) {
        Lcg random = new Lcg(seed + 1);
        for (int i = 0; i < signal.length; i++)
            signal[i] = random.next();
    }

    private void reverseBits(double[] s) {
        for (int i = 0, j = 0; i < size; i++) {
            if (i < j) {
                double re = s[2 * i];
                double im = s[2 * i + 1];
                s[2 * i] = s[2 * j];
                s[2 * i + 1] = s[2 * j + 1];
                s[2 * j] = re;
                s[2 * j + 1] = im;
            }
            int bit = size >> 1;
            for (; bit > 0 && (j & bit) != 0; bit >>= 1)
                j ^= bit;
            j |= bit;
        }
    }

    private void transform(double[] s, int sign) {
        reverseBits(s);
        for (int half = 1; half < size; half *= 2) {
            int stride = size / (2 * half);
            for (int k = 0; k < half; k++) {
                double wr = roots[2 * k * stride];
                double wi = sign * roots[2 * k * stride + 1];
                for (int i = k; i < size; i += 2 * half) {
                    int a = 2 * i;
                    int b = 2 * (i + half);
                    double re = wr * s[b] - wi * s[b + 1];
                    double im = wr * s[b + 1] + wi * s[b];
                    s[b] = s[a] - re;
                    s[b + 1] = s[a + 1] - im;
                    s[a] += re;
                    s[a + 1] += im;
                }
            }
        }
    }

    @Override
    void run(int id) {
        for (int n = first(SIGNALS, id); n < first(SIGNALS, id + 1); n++) {
            double[] s = signals[n];
            for (int r = 0; r < REPEATS; r++) {
                transform(s, -1);
                transform(s, 1);
                for (int i = 0; i < s.length; i++)
                    s[i] /= size;
            }
        }
    }

    @Override
    void check() {
        double[] fresh = new double[2 * size];
        for (int n = 0; n < SIGNALS; n++) {
            fill(fresh, n);
            double squares = 0;
            for (int i = 0; i < fresh.length; i++)
                squares += (fresh[i] - signals[n][i]) * (fresh[i] - signals[n][i]);
            expect(Math.sqrt(squares / fresh.length) < 1e-10, "a signal did not come back");
        }
    }
}
