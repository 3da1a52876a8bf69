// SPDX-License-Identifier: Apache-2.0

/** Small classes with a little of everything, to begin the fuzzing of class files from. */
public class ClassSeeds {
    int i;
    long l;
    volatile int v;
    static int s;
    static final Object F = new Object();
    final int[] a = new int[3];

    ClassSeeds(boolean b) {
        this(b ? new ClassSeeds() : null, 7);
    }

    ClassSeeds() {}

    ClassSeeds(ClassSeeds o, int n) {
        i = n;
        if (o != null) {
            l = o.l;
        }
    }

    static class Arrays {
        static double all(byte[] b, short[] s, char[] c, float[] f, double[] d, long[] l, Object[] o, boolean[] z) {
            b[0] = (byte) s[0];
            c[1] = (char) (f[0] = 2);
            d[0] = l[0]++;
            o[0] = z[0] ? o : b;
            return d[0];
        }
    }

    static class Locks {
        int n;

        synchronized int instance(int x) {
            return x > n ? n++ : -1;
        }

        static synchronized void ofClass() {
            s++;
        }

        void block(Object o) throws InterruptedException {
            synchronized (o) {
                while (n == 0) {
                    o.wait();
                }
                System.arraycopy(o, 0, o, 0, n);
            }
        }
    }

    static class Jumps {
        int n;

        int table(int x) {
            switch (x) {
            case 1:
                return n;
            case 2:
            case 4:
                n = 3;
                break;
            default:
                n++;
            }
            return n;
        }

        int lookup(String text) {
            try {
                switch (text) {
                case "one":
                    return 1;
                case "two":
                    return n++;
                default:
                    throw new IllegalStateException();
                }
            } catch (IllegalStateException e) {
                return -1;
            } finally {
                n = 0;
            }
        }

        Runnable lambda(int x) {
            return () -> n += x;
        }
    }

    interface Default {
        Object CONSTANT = new Object();

        default Object get() {
            return CONSTANT;
        }
    }

    enum Kind { A, B }
}

class SeedNatives {
    int x;

    static synchronized native long a(byte a, double b, int[][] c, String d, float e);

    synchronized native Object b(long x, boolean y, char z, short w);

    native void c();

    synchronized void d() {
        x++;
    }
}
