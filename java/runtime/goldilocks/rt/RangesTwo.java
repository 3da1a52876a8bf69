// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;

/** The part of {@link Ranges} for what compares two arrays: both are read up to the first difference. */
class RangesTwo extends RangesDeep {
    RangesTwo() {}

    /** Before n elements of a and m of b are compared, as far as both go; they first differ at i, or nowhere: -1. */
    private static void both(Object a, int at, int n, Object b, int bt, int m, int i, int site) {
        int common = Math.min(n, m);
        int looked = i < 0 || i >= common ? common : i + 1;
        R.areadRange(a, at, at + looked, site);
        R.areadRange(b, bt, bt + looked, site);
    }

    /** An array is not compared with itself. */
    private static void both(Object a, Object b, int i, int site) {
        if (a != b) {
            both(a, 0, A.length(a), b, 0, A.length(b), i, site);
        }
    }

    // ---- boolean[] ----

    public static int mismatch(boolean[] a, boolean[] b, int site) {
        int i = Arrays.mismatch(a, b);
        both(a, b, i, site);
        return i;
    }

    public static int mismatch(boolean[] a, int at, int to, boolean[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        both(a, at, to - at, b, bt, bo - bt, i, site);
        return i;
    }

    public static boolean equals(boolean[] a, int at, int to, boolean[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        if (to - at == bo - bt) {
            both(a, at, to - at, b, bt, bo - bt, i, site);
        }
        return i < 0;
    }

    public static int compare(boolean[] a, boolean[] b, int site) {
        if (a != null && b != null) {
            both(a, b, Arrays.mismatch(a, b), site);
        }
        return Arrays.compare(a, b);
    }

    public static int compare(boolean[] a, int at, int to, boolean[] b, int bt, int bo, int site) {
        both(a, at, to - at, b, bt, bo - bt, Arrays.mismatch(a, at, to, b, bt, bo), site);
        return Arrays.compare(a, at, to, b, bt, bo);
    }

    // ---- byte[] ----

    public static int mismatch(byte[] a, byte[] b, int site) {
        int i = Arrays.mismatch(a, b);
        both(a, b, i, site);
        return i;
    }

    public static int mismatch(byte[] a, int at, int to, byte[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        both(a, at, to - at, b, bt, bo - bt, i, site);
        return i;
    }

    public static boolean equals(byte[] a, int at, int to, byte[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        if (to - at == bo - bt) {
            both(a, at, to - at, b, bt, bo - bt, i, site);
        }
        return i < 0;
    }

    public static int compare(byte[] a, byte[] b, int site) {
        if (a != null && b != null) {
            both(a, b, Arrays.mismatch(a, b), site);
        }
        return Arrays.compare(a, b);
    }

    public static int compare(byte[] a, int at, int to, byte[] b, int bt, int bo, int site) {
        both(a, at, to - at, b, bt, bo - bt, Arrays.mismatch(a, at, to, b, bt, bo), site);
        return Arrays.compare(a, at, to, b, bt, bo);
    }

    public static int compareUnsigned(byte[] a, byte[] b, int site) {
        if (a != null && b != null) {
            both(a, b, Arrays.mismatch(a, b), site);
        }
        return Arrays.compareUnsigned(a, b);
    }

    public static int compareUnsigned(byte[] a, int at, int to, byte[] b, int bt, int bo, int site) {
        both(a, at, to - at, b, bt, bo - bt, Arrays.mismatch(a, at, to, b, bt, bo), site);
        return Arrays.compareUnsigned(a, at, to, b, bt, bo);
    }

    // ---- char[] ----

    public static int mismatch(char[] a, char[] b, int site) {
        int i = Arrays.mismatch(a, b);
        both(a, b, i, site);
        return i;
    }

    public static int mismatch(char[] a, int at, int to, char[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        both(a, at, to - at, b, bt, bo - bt, i, site);
        return i;
    }

    public static boolean equals(char[] a, int at, int to, char[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        if (to - at == bo - bt) {
            both(a, at, to - at, b, bt, bo - bt, i, site);
        }
        return i < 0;
    }

    public static int compare(char[] a, char[] b, int site) {
        if (a != null && b != null) {
            both(a, b, Arrays.mismatch(a, b), site);
        }
        return Arrays.compare(a, b);
    }

    public static int compare(char[] a, int at, int to, char[] b, int bt, int bo, int site) {
        both(a, at, to - at, b, bt, bo - bt, Arrays.mismatch(a, at, to, b, bt, bo), site);
        return Arrays.compare(a, at, to, b, bt, bo);
    }

    // ---- short[] ----

    public static int mismatch(short[] a, short[] b, int site) {
        int i = Arrays.mismatch(a, b);
        both(a, b, i, site);
        return i;
    }

    public static int mismatch(short[] a, int at, int to, short[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        both(a, at, to - at, b, bt, bo - bt, i, site);
        return i;
    }

    public static boolean equals(short[] a, int at, int to, short[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        if (to - at == bo - bt) {
            both(a, at, to - at, b, bt, bo - bt, i, site);
        }
        return i < 0;
    }

    public static int compare(short[] a, short[] b, int site) {
        if (a != null && b != null) {
            both(a, b, Arrays.mismatch(a, b), site);
        }
        return Arrays.compare(a, b);
    }

    public static int compare(short[] a, int at, int to, short[] b, int bt, int bo, int site) {
        both(a, at, to - at, b, bt, bo - bt, Arrays.mismatch(a, at, to, b, bt, bo), site);
        return Arrays.compare(a, at, to, b, bt, bo);
    }

    public static int compareUnsigned(short[] a, short[] b, int site) {
        if (a != null && b != null) {
            both(a, b, Arrays.mismatch(a, b), site);
        }
        return Arrays.compareUnsigned(a, b);
    }

    public static int compareUnsigned(short[] a, int at, int to, short[] b, int bt, int bo, int site) {
        both(a, at, to - at, b, bt, bo - bt, Arrays.mismatch(a, at, to, b, bt, bo), site);
        return Arrays.compareUnsigned(a, at, to, b, bt, bo);
    }

    // ---- int[] ----

    public static int mismatch(int[] a, int[] b, int site) {
        int i = Arrays.mismatch(a, b);
        both(a, b, i, site);
        return i;
    }

    public static int mismatch(int[] a, int at, int to, int[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        both(a, at, to - at, b, bt, bo - bt, i, site);
        return i;
    }

    public static boolean equals(int[] a, int at, int to, int[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        if (to - at == bo - bt) {
            both(a, at, to - at, b, bt, bo - bt, i, site);
        }
        return i < 0;
    }

    public static int compare(int[] a, int[] b, int site) {
        if (a != null && b != null) {
            both(a, b, Arrays.mismatch(a, b), site);
        }
        return Arrays.compare(a, b);
    }

    public static int compare(int[] a, int at, int to, int[] b, int bt, int bo, int site) {
        both(a, at, to - at, b, bt, bo - bt, Arrays.mismatch(a, at, to, b, bt, bo), site);
        return Arrays.compare(a, at, to, b, bt, bo);
    }

    public static int compareUnsigned(int[] a, int[] b, int site) {
        if (a != null && b != null) {
            both(a, b, Arrays.mismatch(a, b), site);
        }
        return Arrays.compareUnsigned(a, b);
    }

    public static int compareUnsigned(int[] a, int at, int to, int[] b, int bt, int bo, int site) {
        both(a, at, to - at, b, bt, bo - bt, Arrays.mismatch(a, at, to, b, bt, bo), site);
        return Arrays.compareUnsigned(a, at, to, b, bt, bo);
    }

    // ---- long[] ----

    public static int mismatch(long[] a, long[] b, int site) {
        int i = Arrays.mismatch(a, b);
        both(a, b, i, site);
        return i;
    }

    public static int mismatch(long[] a, int at, int to, long[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        both(a, at, to - at, b, bt, bo - bt, i, site);
        return i;
    }

    public static boolean equals(long[] a, int at, int to, long[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        if (to - at == bo - bt) {
            both(a, at, to - at, b, bt, bo - bt, i, site);
        }
        return i < 0;
    }

    public static int compare(long[] a, long[] b, int site) {
        if (a != null && b != null) {
            both(a, b, Arrays.mismatch(a, b), site);
        }
        return Arrays.compare(a, b);
    }

    public static int compare(long[] a, int at, int to, long[] b, int bt, int bo, int site) {
        both(a, at, to - at, b, bt, bo - bt, Arrays.mismatch(a, at, to, b, bt, bo), site);
        return Arrays.compare(a, at, to, b, bt, bo);
    }

    public static int compareUnsigned(long[] a, long[] b, int site) {
        if (a != null && b != null) {
            both(a, b, Arrays.mismatch(a, b), site);
        }
        return Arrays.compareUnsigned(a, b);
    }

    public static int compareUnsigned(long[] a, int at, int to, long[] b, int bt, int bo, int site) {
        both(a, at, to - at, b, bt, bo - bt, Arrays.mismatch(a, at, to, b, bt, bo), site);
        return Arrays.compareUnsigned(a, at, to, b, bt, bo);
    }

    // ---- float[] ----

    public static int mismatch(float[] a, float[] b, int site) {
        int i = Arrays.mismatch(a, b);
        both(a, b, i, site);
        return i;
    }

    public static int mismatch(float[] a, int at, int to, float[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        both(a, at, to - at, b, bt, bo - bt, i, site);
        return i;
    }

    public static boolean equals(float[] a, int at, int to, float[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        if (to - at == bo - bt) {
            both(a, at, to - at, b, bt, bo - bt, i, site);
        }
        return i < 0;
    }

    public static int compare(float[] a, float[] b, int site) {
        if (a != null && b != null) {
            both(a, b, Arrays.mismatch(a, b), site);
        }
        return Arrays.compare(a, b);
    }

    public static int compare(float[] a, int at, int to, float[] b, int bt, int bo, int site) {
        both(a, at, to - at, b, bt, bo - bt, Arrays.mismatch(a, at, to, b, bt, bo), site);
        return Arrays.compare(a, at, to, b, bt, bo);
    }

    // ---- double[] ----

    public static int mismatch(double[] a, double[] b, int site) {
        int i = Arrays.mismatch(a, b);
        both(a, b, i, site);
        return i;
    }

    public static int mismatch(double[] a, int at, int to, double[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        both(a, at, to - at, b, bt, bo - bt, i, site);
        return i;
    }

    public static boolean equals(double[] a, int at, int to, double[] b, int bt, int bo, int site) {
        int i = Arrays.mismatch(a, at, to, b, bt, bo);
        if (to - at == bo - bt) {
            both(a, at, to - at, b, bt, bo - bt, i, site);
        }
        return i < 0;
    }

    public static int compare(double[] a, double[] b, int site) {
        if (a != null && b != null) {
            both(a, b, Arrays.mismatch(a, b), site);
        }
        return Arrays.compare(a, b);
    }

    public static int compare(double[] a, int at, int to, double[] b, int bt, int bo, int site) {
        both(a, at, to - at, b, bt, bo - bt, Arrays.mismatch(a, at, to, b, bt, bo), site);
        return Arrays.compare(a, at, to, b, bt, bo);
    }

    // ---- Object[]: equals(), compareTo() and comparators are the program's, and called no more often than by Arrays ----

    private static final int BY_EQUALS = 0;
    private static final int BY_NATURE = 1;
    private static final int BY_ORDER = 2;
    private static final int BY_ORDER_ALWAYS = 3; // also of an object and itself

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static int compared(Object x, Object y, Comparator order, int how) {
        if (how == BY_EQUALS) {
            return Objects.equals(x, y) ? 0 : 1;
        }
        if (x == y && how != BY_ORDER_ALWAYS) {
            return 0;
        }
        if (how != BY_NATURE) {
            return order.compare(x, y);
        }
        return x == null ? -1 : y == null ? 1 : ((Comparable) x).compareTo(y);
    }

    /** Where n elements of both first differ, or n; value[0]: what their comparison says there, or 0. */
    private static int differ(Object[] a, int at, Object[] b, int bt, int n, Comparator<?> order, int how, int[] value, int site) {
        int i = 0;
        while (i < n && value[0] == 0) {
            R.areadRange(a, at + i, at + i + 1, site);
            R.areadRange(b, bt + i, bt + i + 1, site);
            value[0] = compared(a[at + i], b[bt + i], order, how);
            if (value[0] == 0) {
                i++;
            }
        }
        return i;
    }

    private static int mismatch(Object[] a, int at, int to, Object[] b, int bt, int bo, Comparator<?> order, int how, int site) {
        int n = Math.min(to - at, bo - bt);
        int i = differ(a, at, b, bt, n, order, how, new int[1], site);
        return i < n || to - at != bo - bt ? i : -1;
    }

    private static int compare(Object[] a, int at, int to, Object[] b, int bt, int bo, Comparator<?> order, int how, int site) {
        int[] value = new int[1];
        differ(a, at, b, bt, Math.min(to - at, bo - bt), order, how, value, site);
        return value[0] != 0 ? value[0] : to - at - (bo - bt);
    }

    private static boolean equals(Object[] a, int at, int to, Object[] b, int bt, int bo, Comparator<?> order, int how, int site) {
        return to - at == bo - bt && differ(a, at, b, bt, to - at, order, how, new int[1], site) == to - at;
    }

    /** False: what comes of it is known without their elements, or refused; it is left to Arrays. */
    private static boolean two(Object[] a, Object[] b) {
        return a != null && b != null && a != b;
    }

    private static boolean inside(Object[] a, int at, int to, Object[] b, int bt, int bo) {
        return a != null && b != null && 0 <= at && at <= to && to <= a.length && 0 <= bt && bt <= bo && bo <= b.length;
    }

    public static int mismatch(Object[] a, Object[] b, int site) {
        return two(a, b) ? mismatch(a, 0, a.length, b, 0, b.length, null, BY_EQUALS, site) : Arrays.mismatch(a, b);
    }

    public static int mismatch(Object[] a, int at, int to, Object[] b, int bt, int bo, int site) {
        return inside(a, at, to, b, bt, bo) ? mismatch(a, at, to, b, bt, bo, null, BY_EQUALS, site)
                : Arrays.mismatch(a, at, to, b, bt, bo);
    }

    public static <E> int mismatch(E[] a, E[] b, Comparator<? super E> order, int site) {
        return two(a, b) && order != null ? mismatch(a, 0, a.length, b, 0, b.length, order, BY_ORDER, site)
                : Arrays.mismatch(a, b, order);
    }

    public static <E> int mismatch(E[] a, int at, int to, E[] b, int bt, int bo, Comparator<? super E> order, int site) {
        return inside(a, at, to, b, bt, bo) && order != null ? mismatch(a, at, to, b, bt, bo, order, BY_ORDER, site)
                : Arrays.mismatch(a, at, to, b, bt, bo, order);
    }

    public static boolean equals(Object[] a, int at, int to, Object[] b, int bt, int bo, int site) {
        return inside(a, at, to, b, bt, bo) ? equals(a, at, to, b, bt, bo, null, BY_EQUALS, site)
                : Arrays.equals(a, at, to, b, bt, bo);
    }

    public static <E> boolean equals(E[] a, E[] b, Comparator<? super E> order, int site) {
        return two(a, b) && order != null ? equals(a, 0, a.length, b, 0, b.length, order, BY_ORDER_ALWAYS, site)
                : Arrays.equals(a, b, order);
    }

    public static <E> boolean equals(E[] a, int at, int to, E[] b, int bt, int bo, Comparator<? super E> order, int site) {
        return inside(a, at, to, b, bt, bo) && order != null ? equals(a, at, to, b, bt, bo, order, BY_ORDER_ALWAYS, site)
                : Arrays.equals(a, at, to, b, bt, bo, order);
    }

    public static <E extends Comparable<? super E>> int compare(E[] a, E[] b, int site) {
        return two(a, b) ? compare(a, 0, a.length, b, 0, b.length, null, BY_NATURE, site) : Arrays.compare(a, b);
    }

    public static <E extends Comparable<? super E>> int compare(E[] a, int at, int to, E[] b, int bt, int bo, int site) {
        return inside(a, at, to, b, bt, bo) ? compare(a, at, to, b, bt, bo, null, BY_NATURE, site)
                : Arrays.compare(a, at, to, b, bt, bo);
    }

    public static <E> int compare(E[] a, E[] b, Comparator<? super E> order, int site) {
        return two(a, b) && order != null ? compare(a, 0, a.length, b, 0, b.length, order, BY_ORDER, site)
                : Arrays.compare(a, b, order);
    }

    public static <E> int compare(E[] a, int at, int to, E[] b, int bt, int bo, Comparator<? super E> order, int site) {
        return inside(a, at, to, b, bt, bo) && order != null ? compare(a, at, to, b, bt, bo, order, BY_ORDER, site)
                : Arrays.compare(a, at, to, b, bt, bo, order);
    }
}
