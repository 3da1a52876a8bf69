// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.vm.annotation.ForceInline;

/** The probes of {@link R} for array elements. */
class RArrays extends RKept {
    RArrays() {}

    // ---- arrays: a null array, an index out of range or a value of the wrong class is left to the access, which throws ----

    @ForceInline
    public static void aread(int[] a, int i, T t, int site) {
        if (a != null && i >= 0 && i < a.length) {
            A.read(a, i, t, site);
        }
    }

    @ForceInline
    public static void aread(long[] a, int i, T t, int site) {
        if (a != null && i >= 0 && i < a.length) {
            A.read(a, i, t, site);
        }
    }

    @ForceInline
    public static void aread(float[] a, int i, T t, int site) {
        if (a != null && i >= 0 && i < a.length) {
            A.read(a, i, t, site);
        }
    }

    @ForceInline
    public static void aread(double[] a, int i, T t, int site) {
        if (a != null && i >= 0 && i < a.length) {
            A.read(a, i, t, site);
        }
    }

    @ForceInline
    public static void aread(Object[] a, int i, T t, int site) {
        if (a != null && i >= 0 && i < a.length) {
            A.read(a, i, t, site);
        }
    }

    @ForceInline
    public static void aread(char[] a, int i, T t, int site) {
        if (a != null && i >= 0 && i < a.length) {
            int mask = 3 << 2 * (i & 1);
            if (t != null) {
                long[] shadow = A.atHand(t, a, site);
                if (shadow != null && A.readHit(t, shadow, i >>> 1, mask)) {
                    return;
                }
            }
            A.slow(a, i, i >>> 1, mask, Access.READ, t, site, (a.length + 1) >>> 1);
        }
    }

    @ForceInline
    public static void aread(short[] a, int i, T t, int site) {
        if (a != null && i >= 0 && i < a.length) {
            int mask = 3 << 2 * (i & 1);
            if (t != null) {
                long[] shadow = A.atHand(t, a, site);
                if (shadow != null && A.readHit(t, shadow, i >>> 1, mask)) {
                    return;
                }
            }
            A.slow(a, i, i >>> 1, mask, Access.READ, t, site, (a.length + 1) >>> 1);
        }
    }

    /** byte[] or boolean[]. */
    @ForceInline
    public static void areadB(Object a, int i, T t, int site) {
        int n = a instanceof byte[] ? ((byte[]) a).length : a != null ? ((boolean[]) a).length : 0;
        if (i >= 0 && i < n) {
            int mask = 1 << (i & 3);
            if (t != null) {
                long[] shadow = A.atHand(t, a, site);
                if (shadow != null && A.readHit(t, shadow, i >>> 2, mask)) {
                    return;
                }
            }
            A.slow(a, i, i >>> 2, mask, Access.READ, t, site, (n + 3) >>> 2);
        }
    }

    @ForceInline
    public static void awrite(int[] a, int i, T t, int site) {
        if (a != null && i >= 0 && i < a.length) {
            A.write(a, i, t, site);
        }
    }

    @ForceInline
    public static void awrite(long[] a, int i, T t, int site) {
        if (a != null && i >= 0 && i < a.length) {
            A.write(a, i, t, site);
        }
    }

    @ForceInline
    public static void awrite(float[] a, int i, T t, int site) {
        if (a != null && i >= 0 && i < a.length) {
            A.write(a, i, t, site);
        }
    }

    @ForceInline
    public static void awrite(double[] a, int i, T t, int site) {
        if (a != null && i >= 0 && i < a.length) {
            A.write(a, i, t, site);
        }
    }

    @ForceInline
    public static void awrite(Object[] a, int i, Object x, T t, int site) {
        if (a != null && i >= 0 && i < a.length) {
            A.write(a, i, x, t, site);
        }
    }

    @ForceInline
    public static void awrite(char[] a, int i, T t, int site) {
        if (a != null && i >= 0 && i < a.length) {
            int mask = 3 << 2 * (i & 1);
            if (t != null) {
                long[] shadow = A.atHand(t, a, site);
                if (shadow != null && A.writeHit(t, shadow, i >>> 1, mask)) {
                    return;
                }
            }
            A.slow(a, i, i >>> 1, mask, Access.WRITE, t, site, (a.length + 1) >>> 1);
        }
    }

    @ForceInline
    public static void awrite(short[] a, int i, T t, int site) {
        if (a != null && i >= 0 && i < a.length) {
            int mask = 3 << 2 * (i & 1);
            if (t != null) {
                long[] shadow = A.atHand(t, a, site);
                if (shadow != null && A.writeHit(t, shadow, i >>> 1, mask)) {
                    return;
                }
            }
            A.slow(a, i, i >>> 1, mask, Access.WRITE, t, site, (a.length + 1) >>> 1);
        }
    }

    /** byte[] or boolean[]. */
    @ForceInline
    public static void awriteB(Object a, int i, T t, int site) {
        int n = a instanceof byte[] ? ((byte[]) a).length : a != null ? ((boolean[]) a).length : 0;
        if (i >= 0 && i < n) {
            int mask = 1 << (i & 3);
            if (t != null) {
                long[] shadow = A.atHand(t, a, site);
                if (shadow != null && A.writeHit(t, shadow, i >>> 2, mask)) {
                    return;
                }
            }
            A.slow(a, i, i >>> 2, mask, Access.WRITE, t, site, (n + 3) >>> 2);
        }
    }
}
