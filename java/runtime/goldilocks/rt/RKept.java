// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.vm.annotation.ForceInline;

/**
 * The probes of {@link R} for elements of arrays that are in local variables: the shadow is in one, too. They get it, or null, and return what is
 * to be kept there.
 */
class RKept extends RInner {
    RKept() {}

    // ---- a null array or an index out of range is left to the access, which throws ----

    @ForceInline
    public static long[] aread(int[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.read(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] aread(long[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.read(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] aread(float[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.read(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] aread(double[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.read(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] aread(Object[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.read(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] aread(char[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.readPart(a, i, i >>> 1, 3 << 2 * (i & 1), shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] aread(short[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.readPart(a, i, i >>> 1, 3 << 2 * (i & 1), shadow, t, site) : shadow;
    }

    /** byte[] or boolean[]. */
    @ForceInline
    public static long[] areadB(Object a, int i, long[] shadow, T t, int site) {
        int n = a instanceof byte[] ? ((byte[]) a).length : a != null ? ((boolean[]) a).length : 0;
        return i >= 0 && i < n ? A.readPart(a, i, i >>> 2, 1 << (i & 3), shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] awrite(int[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.write(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] awrite(long[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.write(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] awrite(float[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.write(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] awrite(double[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.write(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] awrite(Object[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.write(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] awrite(char[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.writePart(a, i, i >>> 1, 3 << 2 * (i & 1), shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] awrite(short[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.writePart(a, i, i >>> 1, 3 << 2 * (i & 1), shadow, t, site) : shadow;
    }

    /** byte[] or boolean[]. */
    @ForceInline
    public static long[] awriteB(Object a, int i, long[] shadow, T t, int site) {
        int n = a instanceof byte[] ? ((byte[]) a).length : a != null ? ((boolean[]) a).length : 0;
        return i >= 0 && i < n ? A.writePart(a, i, i >>> 2, 1 << (i & 3), shadow, t, site) : shadow;
    }
}
