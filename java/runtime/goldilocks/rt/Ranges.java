// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * What application code calls in place of methods of java.util.Arrays: the elements that the method reads or writes are accessed at
 * the call; by setAll, whose function may synchronize or throw, one by one. Names and arguments are those of Arrays, and the site at the
 * end: the rules for the calls are made from the methods of this class and its superclasses. A range that the method would refuse is left
 * to it. Sorting counts as writing.
 */
public final class Ranges extends RangesTwo {
    private Ranges() {}

    /** Before collection.toArray(a), which stays: the JDK's own collections write into the array. */
    public static void toArray(Object collection, Object[] a, int site) {
        T t = R.outside();
        if (t == null || a == null || a.length == 0 || !(collection instanceof Collection)) {
            return;
        }
        int n;
        t.busy = true;
        try {
            String name = collection.getClass().getName();
            if (!name.startsWith("java.util.") || name.lastIndexOf('.') != 9 || name.startsWith("java.util.Collections$")) {
                return; // it tells by itself, or asks others
            }
            n = ((Collection<?>) collection).size();
        } finally {
            t.busy = false;
        }
        if (n <= a.length) {
            R.awriteRange(a, 0, Math.min(n + 1, a.length), site); // a null behind the last one
        }
    }

    // ---- int[] ----

    public static void fill(int[] a, int x, int site) {
        write(a, site);
        Arrays.fill(a, x);
    }

    public static void fill(int[] a, int from, int to, int x, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.fill(a, from, to, x);
    }

    public static int[] copyOf(int[] a, int n, int site) {
        read(a, 0, n, site);
        return Arrays.copyOf(a, n);
    }

    public static int[] copyOfRange(int[] a, int from, int to, int site) {
        read(a, from, to, site);
        return Arrays.copyOfRange(a, from, to);
    }

    public static int hashCode(int[] a, int site) {
        read(a, site);
        return Arrays.hashCode(a);
    }

    public static String toString(int[] a, int site) {
        read(a, site);
        return Arrays.toString(a);
    }

    public static boolean equals(int[] a, int[] b, int site) {
        if (a != b && a != null && b != null && a.length == b.length) {
            int n = looked(Arrays.mismatch(a, b), a.length);
            read(a, 0, n, site);
            read(b, 0, n, site);
        }
        return Arrays.equals(a, b);
    }

    public static void sort(int[] a, int site) {
        write(a, site);
        Arrays.sort(a);
    }

    public static void sort(int[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.sort(a, from, to);
    }

    public static void parallelSort(int[] a, int site) {
        write(a, site);
        Arrays.parallelSort(a);
    }

    public static void parallelSort(int[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.parallelSort(a, from, to);
    }

    public static void setAll(int[] a, IntUnaryOperator f, int site) {
        Objects.requireNonNull(f);
        for (int i = 0; i < a.length; i++) {
            int x = f.applyAsInt(i);
            R.awriteRange(a, i, i + 1, site);
            a[i] = x;
        }
    }

    public static void parallelSetAll(int[] a, IntUnaryOperator f, int site) {
        write(a, site);
        Arrays.parallelSetAll(a, f);
    }

    public static void parallelPrefix(int[] a, IntBinaryOperator f, int site) {
        write(a, site);
        Arrays.parallelPrefix(a, f);
    }

    public static void parallelPrefix(int[] a, int from, int to, IntBinaryOperator f, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.parallelPrefix(a, from, to, f);
    }

    // ---- long[] ----

    public static void fill(long[] a, long x, int site) {
        write(a, site);
        Arrays.fill(a, x);
    }

    public static void fill(long[] a, int from, int to, long x, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.fill(a, from, to, x);
    }

    public static long[] copyOf(long[] a, int n, int site) {
        read(a, 0, n, site);
        return Arrays.copyOf(a, n);
    }

    public static long[] copyOfRange(long[] a, int from, int to, int site) {
        read(a, from, to, site);
        return Arrays.copyOfRange(a, from, to);
    }

    public static int hashCode(long[] a, int site) {
        read(a, site);
        return Arrays.hashCode(a);
    }

    public static String toString(long[] a, int site) {
        read(a, site);
        return Arrays.toString(a);
    }

    public static boolean equals(long[] a, long[] b, int site) {
        if (a != b && a != null && b != null && a.length == b.length) {
            int n = looked(Arrays.mismatch(a, b), a.length);
            read(a, 0, n, site);
            read(b, 0, n, site);
        }
        return Arrays.equals(a, b);
    }

    public static void sort(long[] a, int site) {
        write(a, site);
        Arrays.sort(a);
    }

    public static void sort(long[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.sort(a, from, to);
    }

    public static void parallelSort(long[] a, int site) {
        write(a, site);
        Arrays.parallelSort(a);
    }

    public static void parallelSort(long[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.parallelSort(a, from, to);
    }

    public static void setAll(long[] a, IntToLongFunction f, int site) {
        Objects.requireNonNull(f);
        for (int i = 0; i < a.length; i++) {
            long x = f.applyAsLong(i);
            R.awriteRange(a, i, i + 1, site);
            a[i] = x;
        }
    }

    public static void parallelSetAll(long[] a, IntToLongFunction f, int site) {
        write(a, site);
        Arrays.parallelSetAll(a, f);
    }

    public static void parallelPrefix(long[] a, LongBinaryOperator f, int site) {
        write(a, site);
        Arrays.parallelPrefix(a, f);
    }

    public static void parallelPrefix(long[] a, int from, int to, LongBinaryOperator f, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.parallelPrefix(a, from, to, f);
    }

    // ---- float[] ----

    public static void fill(float[] a, float x, int site) {
        write(a, site);
        Arrays.fill(a, x);
    }

    public static void fill(float[] a, int from, int to, float x, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.fill(a, from, to, x);
    }

    public static float[] copyOf(float[] a, int n, int site) {
        read(a, 0, n, site);
        return Arrays.copyOf(a, n);
    }

    public static float[] copyOfRange(float[] a, int from, int to, int site) {
        read(a, from, to, site);
        return Arrays.copyOfRange(a, from, to);
    }

    public static int hashCode(float[] a, int site) {
        read(a, site);
        return Arrays.hashCode(a);
    }

    public static String toString(float[] a, int site) {
        read(a, site);
        return Arrays.toString(a);
    }

    public static boolean equals(float[] a, float[] b, int site) {
        if (a != b && a != null && b != null && a.length == b.length) {
            int n = looked(Arrays.mismatch(a, b), a.length);
            read(a, 0, n, site);
            read(b, 0, n, site);
        }
        return Arrays.equals(a, b);
    }

    public static void sort(float[] a, int site) {
        write(a, site);
        Arrays.sort(a);
    }

    public static void sort(float[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.sort(a, from, to);
    }

    public static void parallelSort(float[] a, int site) {
        write(a, site);
        Arrays.parallelSort(a);
    }

    public static void parallelSort(float[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.parallelSort(a, from, to);
    }

    // ---- double[] ----

    public static void fill(double[] a, double x, int site) {
        write(a, site);
        Arrays.fill(a, x);
    }

    public static void fill(double[] a, int from, int to, double x, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.fill(a, from, to, x);
    }

    public static double[] copyOf(double[] a, int n, int site) {
        read(a, 0, n, site);
        return Arrays.copyOf(a, n);
    }

    public static double[] copyOfRange(double[] a, int from, int to, int site) {
        read(a, from, to, site);
        return Arrays.copyOfRange(a, from, to);
    }

    public static int hashCode(double[] a, int site) {
        read(a, site);
        return Arrays.hashCode(a);
    }

    public static String toString(double[] a, int site) {
        read(a, site);
        return Arrays.toString(a);
    }

    public static boolean equals(double[] a, double[] b, int site) {
        if (a != b && a != null && b != null && a.length == b.length) {
            int n = looked(Arrays.mismatch(a, b), a.length);
            read(a, 0, n, site);
            read(b, 0, n, site);
        }
        return Arrays.equals(a, b);
    }

    public static void sort(double[] a, int site) {
        write(a, site);
        Arrays.sort(a);
    }

    public static void sort(double[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.sort(a, from, to);
    }

    public static void parallelSort(double[] a, int site) {
        write(a, site);
        Arrays.parallelSort(a);
    }

    public static void parallelSort(double[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.parallelSort(a, from, to);
    }

    public static void setAll(double[] a, IntToDoubleFunction f, int site) {
        Objects.requireNonNull(f);
        for (int i = 0; i < a.length; i++) {
            double x = f.applyAsDouble(i);
            R.awriteRange(a, i, i + 1, site);
            a[i] = x;
        }
    }

    public static void parallelSetAll(double[] a, IntToDoubleFunction f, int site) {
        write(a, site);
        Arrays.parallelSetAll(a, f);
    }

    public static void parallelPrefix(double[] a, DoubleBinaryOperator f, int site) {
        write(a, site);
        Arrays.parallelPrefix(a, f);
    }

    public static void parallelPrefix(double[] a, int from, int to, DoubleBinaryOperator f, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.parallelPrefix(a, from, to, f);
    }

    // ---- Object[] ----

    public static void fill(Object[] a, Object x, int site) {
        if (a != null && A.takes(a, x)) {
            write(a, site);
        }
        Arrays.fill(a, x);
    }

    public static void fill(Object[] a, int from, int to, Object x, int site) {
        if (a != null && A.takes(a, x)) {
            R.awriteRange(a, from, to, site);
        }
        Arrays.fill(a, from, to, x);
    }

    public static Object[] copyOf(Object[] a, int n, int site) {
        read(a, 0, n, site);
        return Arrays.copyOf(a, n);
    }

    public static Object[] copyOfRange(Object[] a, int from, int to, int site) {
        read(a, from, to, site);
        return Arrays.copyOfRange(a, from, to);
    }

    public static int hashCode(Object[] a, int site) {
        read(a, site);
        return Arrays.hashCode(a);
    }

    public static String toString(Object[] a, int site) {
        read(a, site);
        return Arrays.toString(a);
    }

    public static boolean equals(Object[] a, Object[] b, int site) {
        if (a == b || a == null || b == null || a.length != b.length) {
            return Arrays.equals(a, b);
        }
        for (int i = 0; i < a.length; i++) {
            R.areadRange(a, i, i + 1, site);
            R.areadRange(b, i, i + 1, site);
            if (!Objects.equals(a[i], b[i])) {
                return false;
            }
        }
        return true;
    }

    public static void sort(Object[] a, int site) {
        write(a, site);
        Arrays.sort(a);
    }

    public static void sort(Object[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.sort(a, from, to);
    }

    public static <E> void sort(E[] a, Comparator<? super E> order, int site) {
        write(a, site);
        Arrays.sort(a, order);
    }

    public static <E> void sort(E[] a, int from, int to, Comparator<? super E> order, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.sort(a, from, to, order);
    }

    public static <E> void parallelSort(E[] a, Comparator<? super E> order, int site) {
        write(a, site);
        Arrays.parallelSort(a, order);
    }

    public static <E> void parallelSort(E[] a, int from, int to, Comparator<? super E> order, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.parallelSort(a, from, to, order);
    }

    public static <E extends Comparable<? super E>> void parallelSort(E[] a, int site) {
        write(a, site);
        Arrays.parallelSort(a);
    }

    public static <E extends Comparable<? super E>> void parallelSort(E[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.parallelSort(a, from, to);
    }

    /** Before elements from..to - 1, as far as there are such, are copied into an array of that class. */
    private static void copied(Object[] a, int from, int to, Class<?> type, int site) {
        if (a != null && type != null && 0 <= from && from < Math.min(to, a.length)) {
            int n = Math.min(to, a.length) - from;
            R.areadRange(a, from, from + Math.min(R.stored(a, from, n, type) + 1, n), site);
        }
    }

    public static <E, F> E[] copyOf(F[] a, int n, Class<? extends E[]> type, int site) {
        copied(a, 0, n, type, site);
        return Arrays.copyOf(a, n, type);
    }

    public static <E, F> E[] copyOfRange(F[] a, int from, int to, Class<? extends E[]> type, int site) {
        copied(a, from, to, type, site);
        return Arrays.copyOfRange(a, from, to, type);
    }

    public static <E> void setAll(E[] a, IntFunction<? extends E> f, int site) {
        Objects.requireNonNull(f);
        for (int i = 0; i < a.length; i++) {
            E x = f.apply(i);
            if (A.takes(a, x)) {
                R.awriteRange(a, i, i + 1, site);
            }
            a[i] = x;
        }
    }

    public static <E> void parallelSetAll(E[] a, IntFunction<? extends E> f, int site) {
        write(a, site);
        Arrays.parallelSetAll(a, f);
    }

    public static <E> void parallelPrefix(E[] a, BinaryOperator<E> f, int site) {
        write(a, site);
        Arrays.parallelPrefix(a, f);
    }

    public static <E> void parallelPrefix(E[] a, int from, int to, BinaryOperator<E> f, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.parallelPrefix(a, from, to, f);
    }
}
