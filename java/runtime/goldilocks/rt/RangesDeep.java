// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.util.Arrays;

/**
 * The part of {@link Ranges} for what goes into arrays of arrays: the JDK's own steps, each element read before it is looked at, since the
 * methods of elements that are no arrays are the application's.
 */
class RangesDeep extends RangesSearch {
    RangesDeep() {}

    public static boolean deepEquals(Object[] a, Object[] b, int site) {
        if (a == b) {
            return true;
        }
        if (a == null || b == null || a.length != b.length) {
            return false;
        }
        T t = R.thread();
        for (int i = 0; i < a.length; i++) {
            R.aread(a, i, t, site);
            R.aread(b, i, t, site);
            Object x = a[i], y = b[i];
            if (x != y && (x == null || !areEqual(x, y, site))) {
                return false;
            }
        }
        return true;
    }

    private static boolean areEqual(Object x, Object y, int site) {
        if (x instanceof Object[] && y instanceof Object[]) {
            return deepEquals((Object[]) x, (Object[]) y, site);
        }
        if (x instanceof byte[] && y instanceof byte[]) {
            return equals((byte[]) x, (byte[]) y, site);
        }
        if (x instanceof short[] && y instanceof short[]) {
            return equals((short[]) x, (short[]) y, site);
        }
        if (x instanceof int[] && y instanceof int[]) {
            return Ranges.equals((int[]) x, (int[]) y, site);
        }
        if (x instanceof long[] && y instanceof long[]) {
            return Ranges.equals((long[]) x, (long[]) y, site);
        }
        if (x instanceof char[] && y instanceof char[]) {
            return equals((char[]) x, (char[]) y, site);
        }
        if (x instanceof float[] && y instanceof float[]) {
            return Ranges.equals((float[]) x, (float[]) y, site);
        }
        if (x instanceof double[] && y instanceof double[]) {
            return Ranges.equals((double[]) x, (double[]) y, site);
        }
        if (x instanceof boolean[] && y instanceof boolean[]) {
            return equals((boolean[]) x, (boolean[]) y, site);
        }
        return x.equals(y);
    }

    public static int deepHashCode(Object[] a, int site) {
        if (a == null) {
            return 0;
        }
        T t = R.thread();
        int hash = 1;
        for (int i = 0; i < a.length; i++) {
            R.aread(a, i, t, site);
            hash = 31 * hash + hashOf(a[i], site);
        }
        return hash;
    }

    private static int hashOf(Object x, int site) {
        if (x == null) {
            return 0;
        }
        if (x instanceof Object[]) {
            return deepHashCode((Object[]) x, site);
        }
        if (x instanceof byte[]) {
            return hashCode((byte[]) x, site);
        }
        if (x instanceof short[]) {
            return hashCode((short[]) x, site);
        }
        if (x instanceof int[]) {
            return Ranges.hashCode((int[]) x, site);
        }
        if (x instanceof long[]) {
            return Ranges.hashCode((long[]) x, site);
        }
        if (x instanceof char[]) {
            return hashCode((char[]) x, site);
        }
        if (x instanceof float[]) {
            return Ranges.hashCode((float[]) x, site);
        }
        if (x instanceof double[]) {
            return Ranges.hashCode((double[]) x, site);
        }
        return x instanceof boolean[] ? hashCode((boolean[]) x, site) : x.hashCode();
    }

    public static String deepToString(Object[] a, int site) {
        if (a == null) {
            return "null";
        }
        int room = 20 * a.length;
        StringBuilder text = new StringBuilder(a.length != 0 && room <= 0 ? Integer.MAX_VALUE : room); // as much as there
        append(text, a, new Object[8][], 0, site);
        return text.toString();
    }

    /** Appends a, which is inside the first n of `around`. */
    private static void append(StringBuilder text, Object[] a, Object[][] around, int n, int site) {
        if (a.length == 0) {
            text.append("[]");
            return;
        }
        Object[][] arrays = n < around.length ? around : Arrays.copyOf(around, 2 * n);
        arrays[n] = a;
        T t = R.thread();
        for (int i = 0; i < a.length; i++) {
            text.append(i == 0 ? "[" : ", ");
            R.aread(a, i, t, site);
            Object x = a[i];
            if (!(x instanceof Object[])) {
                text.append(textOf(x, site));
            } else if (isAmong(arrays, n + 1, x)) {
                text.append("[...]");
            } else {
                append(text, (Object[]) x, arrays, n + 1, site);
            }
        }
        text.append(']');
    }

    private static boolean isAmong(Object[][] arrays, int n, Object a) {
        for (int i = 0; i < n; i++) {
            if (arrays[i] == a) {
                return true;
            }
        }
        return false;
    }

    /** Of what is no array of references. */
    private static String textOf(Object x, int site) {
        if (x == null) {
            return "null";
        }
        if (x instanceof byte[]) {
            return toString((byte[]) x, site);
        }
        if (x instanceof short[]) {
            return toString((short[]) x, site);
        }
        if (x instanceof int[]) {
            return Ranges.toString((int[]) x, site);
        }
        if (x instanceof long[]) {
            return Ranges.toString((long[]) x, site);
        }
        if (x instanceof char[]) {
            return toString((char[]) x, site);
        }
        if (x instanceof float[]) {
            return Ranges.toString((float[]) x, site);
        }
        if (x instanceof double[]) {
            return Ranges.toString((double[]) x, site);
        }
        return x instanceof boolean[] ? toString((boolean[]) x, site) : x.toString();
    }
}
