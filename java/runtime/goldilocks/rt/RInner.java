// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.vm.annotation.ForceInline;

/** As {@link RKept}, for elements with cells of their own, in loops that have no loop inside. */
class RInner {
    RInner() {}

    @ForceInline
    public static long[] areadInner(int[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.readInner(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] areadInner(long[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.readInner(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] areadInner(float[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.readInner(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] areadInner(double[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.readInner(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] areadInner(Object[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.readInner(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] awriteInner(int[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.writeInner(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] awriteInner(long[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.writeInner(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] awriteInner(float[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.writeInner(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] awriteInner(double[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.writeInner(a, i, shadow, t, site) : shadow;
    }

    @ForceInline
    public static long[] awriteInner(Object[] a, int i, long[] shadow, T t, int site) {
        return a != null && i >= 0 && i < a.length ? A.writeInner(a, i, shadow, t, site) : shadow;
    }
}
