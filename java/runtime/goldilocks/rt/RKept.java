// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.vm.annotation.ForceInline;

/**
 * The probes of {@link R} for elements of arrays that are in local variables: the shadow is in one, too. They get it, or null, and return what is
 * to be kept there.
 */
class RKept {
    RKept() {}

    // ---- a null array or an index out of range is left to the access, which throws ----

    @ForceInline
    public static Object aread(int[] a, int i, Object shadow, int site) {
        return a != null && i >= 0 && i < a.length ? A.read(a, i, shadow, site) : shadow;
    }

    @ForceInline
    public static Object aread(long[] a, int i, Object shadow, int site) {
        return a != null && i >= 0 && i < a.length ? A.read(a, i, shadow, site) : shadow;
    }

    @ForceInline
    public static Object aread(float[] a, int i, Object shadow, int site) {
        return a != null && i >= 0 && i < a.length ? A.read(a, i, shadow, site) : shadow;
    }

    @ForceInline
    public static Object aread(double[] a, int i, Object shadow, int site) {
        return a != null && i >= 0 && i < a.length ? A.read(a, i, shadow, site) : shadow;
    }

    @ForceInline
    public static Object aread(Object[] a, int i, Object shadow, int site) {
        return a != null && i >= 0 && i < a.length ? A.read(a, i, shadow, site) : shadow;
    }

    @ForceInline
    public static Object aread(char[] a, int i, Object shadow, int site) {
        return a != null && i >= 0 && i < a.length ? A.readPart(a, i, i >>> 1, 3 << 2 * (i & 1), shadow, site) : shadow;
    }

    @ForceInline
    public static Object aread(short[] a, int i, Object shadow, int site) {
        return a != null && i >= 0 && i < a.length ? A.readPart(a, i, i >>> 1, 3 << 2 * (i & 1), shadow, site) : shadow;
    }

    /** byte[] or boolean[]. */
    @ForceInline
    public static Object areadB(Object a, int i, Object shadow, int site) {
        int n = a instanceof byte[] ? ((byte[]) a).length : a != null ? ((boolean[]) a).length : 0;
        return i >= 0 && i < n ? A.readPart(a, i, i >>> 2, 1 << (i & 3), shadow, site) : shadow;
    }

    @ForceInline
    public static Object awrite(int[] a, int i, Object shadow, int site) {
        return a != null && i >= 0 && i < a.length ? A.write(a, i, shadow, site) : shadow;
    }

    @ForceInline
    public static Object awrite(long[] a, int i, Object shadow, int site) {
        return a != null && i >= 0 && i < a.length ? A.write(a, i, shadow, site) : shadow;
    }

    @ForceInline
    public static Object awrite(float[] a, int i, Object shadow, int site) {
        return a != null && i >= 0 && i < a.length ? A.write(a, i, shadow, site) : shadow;
    }

    @ForceInline
    public static Object awrite(double[] a, int i, Object shadow, int site) {
        return a != null && i >= 0 && i < a.length ? A.write(a, i, shadow, site) : shadow;
    }

    @ForceInline
    public static Object awrite(Object[] a, int i, Object shadow, int site) {
        return a != null && i >= 0 && i < a.length ? A.write(a, i, shadow, site) : shadow;
    }

    @ForceInline
    public static Object awrite(char[] a, int i, Object shadow, int site) {
        return a != null && i >= 0 && i < a.length ? A.writePart(a, i, i >>> 1, 3 << 2 * (i & 1), shadow, site) : shadow;
    }

    @ForceInline
    public static Object awrite(short[] a, int i, Object shadow, int site) {
        return a != null && i >= 0 && i < a.length ? A.writePart(a, i, i >>> 1, 3 << 2 * (i & 1), shadow, site) : shadow;
    }

    /** byte[] or boolean[]. */
    @ForceInline
    public static Object awriteB(Object a, int i, Object shadow, int site) {
        int n = a instanceof byte[] ? ((byte[]) a).length : a != null ? ((boolean[]) a).length : 0;
        return i >= 0 && i < n ? A.writePart(a, i, i >>> 2, 1 << (i & 3), shadow, site) : shadow;
    }
}
