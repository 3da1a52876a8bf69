// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The probes of {@link R} for elements of arrays that are in local variables: the shadow is in one, too. They get it, or null. A shadow that is
 * there says that the array and the thread's T are there as well.
 */
class RKept extends RInner {
    RKept() {}

    /** A reference is put into a variable: the shadow to be kept with it. Null: it is no array, or its accesses have to look for themselves. */
    @DontInline
    public static long[] shadow(Object o, T t) {
        return o == null || t == null || t.busy || !o.getClass().isArray() ? null : A.shadow(t, o);
    }

    // ---- a null array or an index out of range is left to the access, which throws ----

    @ForceInline
    public static void aread(int[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.readHit(t, shadow, i)) {
            A.keptRead(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void aread(long[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.readHit(t, shadow, i)) {
            A.keptRead(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void aread(float[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.readHit(t, shadow, i)) {
            A.keptRead(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void aread(double[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.readHit(t, shadow, i)) {
            A.keptRead(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void aread(Object[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.readHit(t, shadow, i)) {
            A.keptRead(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void aread(char[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.readHit(t, shadow, i >>> 1, 3 << 2 * (i & 1))) {
            A.partRead(a, i, 1, shadow, t, site);
        }
    }

    @ForceInline
    public static void aread(short[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.readHit(t, shadow, i >>> 1, 3 << 2 * (i & 1))) {
            A.partRead(a, i, 1, shadow, t, site);
        }
    }

    /** byte[] or boolean[]. */
    @ForceInline
    public static void areadB(Object a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < lengthB(a) && !A.readHit(t, shadow, i >>> 2, 1 << (i & 3))) {
            A.partRead(a, i, 2, shadow, t, site);
        }
    }

    @ForceInline
    public static void awrite(int[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.writeHit(t, shadow, i)) {
            A.keptWrite(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void awrite(long[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.writeHit(t, shadow, i)) {
            A.keptWrite(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void awrite(float[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.writeHit(t, shadow, i)) {
            A.keptWrite(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void awrite(double[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.writeHit(t, shadow, i)) {
            A.keptWrite(a, i, shadow, t, site);
        }
    }

    @ForceInline
    public static void awrite(Object[] a, int i, Object x, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.writeHit(t, shadow, i)) {
            A.keptStore(a, i, x, shadow, t, site);
        }
    }

    @ForceInline
    public static void awrite(char[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.writeHit(t, shadow, i >>> 1, 3 << 2 * (i & 1))) {
            A.partWrite(a, i, 1, shadow, t, site);
        }
    }

    @ForceInline
    public static void awrite(short[] a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < a.length && !A.writeHit(t, shadow, i >>> 1, 3 << 2 * (i & 1))) {
            A.partWrite(a, i, 1, shadow, t, site);
        }
    }

    /** byte[] or boolean[]. */
    @ForceInline
    public static void awriteB(Object a, int i, long[] shadow, T t, int site) {
        if (shadow == null || i >= 0 && i < lengthB(a) && !A.writeHit(t, shadow, i >>> 2, 1 << (i & 3))) {
            A.partWrite(a, i, 2, shadow, t, site);
        }
    }

    @ForceInline
    private static int lengthB(Object a) {
        return a instanceof byte[] ? ((byte[]) a).length : ((boolean[]) a).length;
    }
}
