// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.vm.annotation.ForceInline;

/** As {@link RKept}, for elements with cells of their own, in loops that have no loop inside. */
class RInner {
    RInner() {}

    @ForceInline
    public static void areadInner(int[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.readInner(i, shadow, t, site)) {
            A.keptRead(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void areadInner(long[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.readInner(i, shadow, t, site)) {
            A.keptRead(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void areadInner(float[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.readInner(i, shadow, t, site)) {
            A.keptRead(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void areadInner(double[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.readInner(i, shadow, t, site)) {
            A.keptRead(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void areadInner(Object[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.readInner(i, shadow, t, site)) {
            A.keptRead(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void awriteInner(int[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.writeInner(i, shadow, t, site)) {
            A.keptWrite(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void awriteInner(long[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.writeInner(i, shadow, t, site)) {
            A.keptWrite(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void awriteInner(float[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.writeInner(i, shadow, t, site)) {
            A.keptWrite(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void awriteInner(double[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.writeInner(i, shadow, t, site)) {
            A.keptWrite(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void awriteInner(Object[] a, int i, Object x, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length
                && !(A.takesAtOnce(a, x) ? A.writeInner(i, shadow, t, site) : A.writeHit(t, shadow, i))) {
            A.keptStore(a, i, x, shadow, t, site);
        }
    }
}
