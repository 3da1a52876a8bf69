/* SPDX-License-Identifier: Apache-2.0
 *
 * Fast Fourier transform as SciMark's: fft [LOG2 [ROUNDS [THREADS]]], 2^LOG2 complex numbers, radix 2, in place,
 * forward and back.  Each thread transforms a signal of its own; all read one table of roots of unity.
 * Strided accesses to local data, random-looking ones while bits are reversed.
 *
 * The check: after each pair of transforms the signal must be there again, and a few lines of the last spectrum
 * must be what the definition (a plain sum) gives.
 *
 * Reduced: 10 8
 */
#include "bench/kernels/kernel.h"

#include <math.h>

#define TWO_PI 6.28318530717958647692
#define LINES  4 /* of the spectrum, checked by the definition */

struct complex {
    double re, im;
};

static size_t n, bits, rounds, threads;
static struct complex *root; /* [k]: exp(-2 pi i k / n), k < n / 2; written before the threads start */

static double signal_at(uint64_t *random) { return kernel_random(random) * 0x1p-32 - 0.5; }

static void reverse_bits(struct complex *a)
{
    for (size_t i = 0, j = 0; i < n; i++) {
        if (i < j) {
            struct complex t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
        size_t bit = n >> 1;
        for (; bit && (j & bit); bit >>= 1)
            j ^= bit;
        j |= bit;
    }
}

/* sign: 1 forward, -1 back (then all is n times too large). */
static void transform(struct complex *a, double sign)
{
    reverse_bits(a);
    for (size_t half = 1; half < n; half *= 2)
        for (size_t k = 0; k < half; k++) {
            struct complex w = root[k * (n / 2 / half)];
            w.im *= sign;
            for (size_t i = k; i < n; i += 2 * half) {
                struct complex *p = &a[i], *q = &a[i + half];
                double re = w.re * q->re - w.im * q->im, im = w.re * q->im + w.im * q->re;
                q->re = p->re - re;
                q->im = p->im - im;
                p->re += re;
                p->im += im;
            }
        }
}

static void check_spectrum(const struct complex *spectrum, size_t me)
{
    for (size_t l = 0; l < LINES; l++) {
        size_t k = l * n / LINES + l;
        uint64_t random = kernel_seed(me);
        double re = 0, im = 0;
        for (size_t i = 0; i < n; i++) {
            double x = signal_at(&random), y = signal_at(&random);
            double angle = TWO_PI * (double)(i * k % n) / (double)n;
            re += x * cos(angle) + y * sin(angle);
            im += y * cos(angle) - x * sin(angle);
        }
        if (!(hypot(re - spectrum[k].re, im - spectrum[k].im) < 1e-9 * (double)n))
            kernel_wrong("line %zu is %g%+gi, not %g%+gi", k, spectrum[k].re, spectrum[k].im, re, im);
    }
}

static void *work(void *self)
{
    size_t me = (size_t)self;
    struct complex *a = kernel_array(n, sizeof *a);
    uint64_t random = kernel_seed(me);
    for (size_t i = 0; i < n; i++) {
        a[i].re = signal_at(&random);
        a[i].im = signal_at(&random);
    }
    for (size_t r = 0; r < rounds; r++) {
        transform(a, 1);
        if (r == rounds - 1)
            check_spectrum(a, me);
        transform(a, -1);
        double worst = 0;
        random = kernel_seed(me);
        for (size_t i = 0; i < n; i++) {
            a[i].re /= (double)n;
            a[i].im /= (double)n;
            double re = signal_at(&random), im = signal_at(&random);
            worst = fmax(worst, fabs(a[i].re - re) + fabs(a[i].im - im));
        }
        if (!(worst < 1e-9))
            kernel_wrong("round %zu: the signal is off by %g", r, worst);
    }
    free(a);
    return NULL;
}

int main(int argc, char **argv)
{
    bits = kernel_size(argc, argv, 1, 14, 2, 24);
    rounds = kernel_size(argc, argv, 2, 30, 1, 1000000);
    threads = kernel_size(argc, argv, 3, 2, 1, KERNEL_MAX_THREADS);
    n = (size_t)1 << bits;
    root = kernel_array(n / 2, sizeof *root);
    for (size_t k = 0; k < n / 2; k++) {
        double angle = TWO_PI * (double)k / (double)n;
        root[k] = (struct complex){cos(angle), -sin(angle)};
    }
    kernel_threads(threads, work);
    free(root);
    printf("fft: %zu threads, %zu numbers, %zu times there and back\n", threads, n, rounds);
    return 0;
}
