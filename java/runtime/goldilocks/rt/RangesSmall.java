// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.util.Arrays;

/** The part of {@link Ranges} for arrays whose elements have one or two bytes. */
class RangesSmall {
    RangesSmall() {}

    static void read(Object a, int from, int to, int site) {
        R.areadRange(a, from, Math.min(to, A.length(a)), site);
    }

    static void read(Object a, int site) {
        R.areadRange(a, 0, A.length(a), site);
    }

    static void write(Object a, int site) {
        R.awriteRange(a, 0, A.length(a), site);
    }

    /** How many elements a comparison looks at that finds the first difference at `at`. */
    static int looked(int at, int length) {
        return at < 0 ? length : at + 1;
    }

    // ---- byte[] ----

    public static void fill(byte[] a, byte x, int site) {
        write(a, site);
        Arrays.fill(a, x);
    }

    public static void fill(byte[] a, int from, int to, byte x, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.fill(a, from, to, x);
    }

    public static byte[] copyOf(byte[] a, int n, int site) {
        read(a, 0, n, site);
        return Arrays.copyOf(a, n);
    }

    public static byte[] copyOfRange(byte[] a, int from, int to, int site) {
        read(a, from, to, site);
        return Arrays.copyOfRange(a, from, to);
    }

    public static int hashCode(byte[] a, int site) {
        read(a, site);
        return Arrays.hashCode(a);
    }

    public static String toString(byte[] a, int site) {
        read(a, site);
        return Arrays.toString(a);
    }

    public static boolean equals(byte[] a, byte[] b, int site) {
        if (a != b && a != null && b != null && a.length == b.length) {
            int n = looked(Arrays.mismatch(a, b), a.length);
            read(a, 0, n, site);
            read(b, 0, n, site);
        }
        return Arrays.equals(a, b);
    }

    public static void sort(byte[] a, int site) {
        write(a, site);
        Arrays.sort(a);
    }

    public static void sort(byte[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.sort(a, from, to);
    }

    public static void parallelSort(byte[] a, int site) {
        write(a, site);
        Arrays.parallelSort(a);
    }

    public static void parallelSort(byte[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.parallelSort(a, from, to);
    }

    // ---- boolean[] ----

    public static void fill(boolean[] a, boolean x, int site) {
        write(a, site);
        Arrays.fill(a, x);
    }

    public static void fill(boolean[] a, int from, int to, boolean x, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.fill(a, from, to, x);
    }

    public static boolean[] copyOf(boolean[] a, int n, int site) {
        read(a, 0, n, site);
        return Arrays.copyOf(a, n);
    }

    public static boolean[] copyOfRange(boolean[] a, int from, int to, int site) {
        read(a, from, to, site);
        return Arrays.copyOfRange(a, from, to);
    }

    public static int hashCode(boolean[] a, int site) {
        read(a, site);
        return Arrays.hashCode(a);
    }

    public static String toString(boolean[] a, int site) {
        read(a, site);
        return Arrays.toString(a);
    }

    public static boolean equals(boolean[] a, boolean[] b, int site) {
        if (a != b && a != null && b != null && a.length == b.length) {
            int n = looked(Arrays.mismatch(a, b), a.length);
            read(a, 0, n, site);
            read(b, 0, n, site);
        }
        return Arrays.equals(a, b);
    }

    // ---- char[] ----

    public static void fill(char[] a, char x, int site) {
        write(a, site);
        Arrays.fill(a, x);
    }

    public static void fill(char[] a, int from, int to, char x, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.fill(a, from, to, x);
    }

    public static char[] copyOf(char[] a, int n, int site) {
        read(a, 0, n, site);
        return Arrays.copyOf(a, n);
    }

    public static char[] copyOfRange(char[] a, int from, int to, int site) {
        read(a, from, to, site);
        return Arrays.copyOfRange(a, from, to);
    }

    public static int hashCode(char[] a, int site) {
        read(a, site);
        return Arrays.hashCode(a);
    }

    public static String toString(char[] a, int site) {
        read(a, site);
        return Arrays.toString(a);
    }

    public static boolean equals(char[] a, char[] b, int site) {
        if (a != b && a != null && b != null && a.length == b.length) {
            int n = looked(Arrays.mismatch(a, b), a.length);
            read(a, 0, n, site);
            read(b, 0, n, site);
        }
        return Arrays.equals(a, b);
    }

    public static void sort(char[] a, int site) {
        write(a, site);
        Arrays.sort(a);
    }

    public static void sort(char[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.sort(a, from, to);
    }

    public static void parallelSort(char[] a, int site) {
        write(a, site);
        Arrays.parallelSort(a);
    }

    public static void parallelSort(char[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.parallelSort(a, from, to);
    }

    // ---- short[] ----

    public static void fill(short[] a, short x, int site) {
        write(a, site);
        Arrays.fill(a, x);
    }

    public static void fill(short[] a, int from, int to, short x, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.fill(a, from, to, x);
    }

    public static short[] copyOf(short[] a, int n, int site) {
        read(a, 0, n, site);
        return Arrays.copyOf(a, n);
    }

    public static short[] copyOfRange(short[] a, int from, int to, int site) {
        read(a, from, to, site);
        return Arrays.copyOfRange(a, from, to);
    }

    public static int hashCode(short[] a, int site) {
        read(a, site);
        return Arrays.hashCode(a);
    }

    public static String toString(short[] a, int site) {
        read(a, site);
        return Arrays.toString(a);
    }

    public static boolean equals(short[] a, short[] b, int site) {
        if (a != b && a != null && b != null && a.length == b.length) {
            int n = looked(Arrays.mismatch(a, b), a.length);
            read(a, 0, n, site);
            read(b, 0, n, site);
        }
        return Arrays.equals(a, b);
    }

    public static void sort(short[] a, int site) {
        write(a, site);
        Arrays.sort(a);
    }

    public static void sort(short[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.sort(a, from, to);
    }

    public static void parallelSort(short[] a, int site) {
        write(a, site);
        Arrays.parallelSort(a);
    }

    public static void parallelSort(short[] a, int from, int to, int site) {
        R.awriteRange(a, from, to, site);
        Arrays.parallelSort(a, from, to);
    }
}
