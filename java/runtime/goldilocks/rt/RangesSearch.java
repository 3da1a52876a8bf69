// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.util.Arrays;
import java.util.Comparator;

/** The part of {@link Ranges} for searching: the JDK's search, step by step, each element that it looks at read before. */
class RangesSearch extends RangesSmall {
    RangesSearch() {}

    /** Arrays.binarySearch itself says what is wrong. */
    private static boolean isRefused(int length, int from, int to) {
        return from < 0 || from > to || to > length;
    }

    // ---- byte[] ----

    public static int binarySearch(byte[] a, byte key, int site) {
        return a == null ? Arrays.binarySearch(a, key) : search(a, 0, a.length, key, site);
    }

    public static int binarySearch(byte[] a, int from, int to, byte key, int site) {
        return a == null || isRefused(a.length, from, to) ? Arrays.binarySearch(a, from, to, key) : search(a, from, to, key, site);
    }

    private static int search(byte[] a, int from, int to, byte key, int site) {
        T t = R.thread();
        int low = from, high = to - 1;
        while (low <= high) {
            int mid = (low + high) >>> 1;
            R.areadB(a, mid, t, site);
            byte x = a[mid];
            if (x < key) {
                low = mid + 1;
            } else if (x > key) {
                high = mid - 1;
            } else {
                return mid;
            }
        }
        return -(low + 1);
    }

    // ---- char[] ----

    public static int binarySearch(char[] a, char key, int site) {
        return a == null ? Arrays.binarySearch(a, key) : search(a, 0, a.length, key, site);
    }

    public static int binarySearch(char[] a, int from, int to, char key, int site) {
        return a == null || isRefused(a.length, from, to) ? Arrays.binarySearch(a, from, to, key) : search(a, from, to, key, site);
    }

    private static int search(char[] a, int from, int to, char key, int site) {
        T t = R.thread();
        int low = from, high = to - 1;
        while (low <= high) {
            int mid = (low + high) >>> 1;
            R.aread(a, mid, t, site);
            char x = a[mid];
            if (x < key) {
                low = mid + 1;
            } else if (x > key) {
                high = mid - 1;
            } else {
                return mid;
            }
        }
        return -(low + 1);
    }

    // ---- short[] ----

    public static int binarySearch(short[] a, short key, int site) {
        return a == null ? Arrays.binarySearch(a, key) : search(a, 0, a.length, key, site);
    }

    public static int binarySearch(short[] a, int from, int to, short key, int site) {
        return a == null || isRefused(a.length, from, to) ? Arrays.binarySearch(a, from, to, key) : search(a, from, to, key, site);
    }

    private static int search(short[] a, int from, int to, short key, int site) {
        T t = R.thread();
        int low = from, high = to - 1;
        while (low <= high) {
            int mid = (low + high) >>> 1;
            R.aread(a, mid, t, site);
            short x = a[mid];
            if (x < key) {
                low = mid + 1;
            } else if (x > key) {
                high = mid - 1;
            } else {
                return mid;
            }
        }
        return -(low + 1);
    }

    // ---- int[] ----

    public static int binarySearch(int[] a, int key, int site) {
        return a == null ? Arrays.binarySearch(a, key) : search(a, 0, a.length, key, site);
    }

    public static int binarySearch(int[] a, int from, int to, int key, int site) {
        return a == null || isRefused(a.length, from, to) ? Arrays.binarySearch(a, from, to, key) : search(a, from, to, key, site);
    }

    private static int search(int[] a, int from, int to, int key, int site) {
        T t = R.thread();
        int low = from, high = to - 1;
        while (low <= high) {
            int mid = (low + high) >>> 1;
            R.aread(a, mid, t, site);
            int x = a[mid];
            if (x < key) {
                low = mid + 1;
            } else if (x > key) {
                high = mid - 1;
            } else {
                return mid;
            }
        }
        return -(low + 1);
    }

    // ---- long[] ----

    public static int binarySearch(long[] a, long key, int site) {
        return a == null ? Arrays.binarySearch(a, key) : search(a, 0, a.length, key, site);
    }

    public static int binarySearch(long[] a, int from, int to, long key, int site) {
        return a == null || isRefused(a.length, from, to) ? Arrays.binarySearch(a, from, to, key) : search(a, from, to, key, site);
    }

    private static int search(long[] a, int from, int to, long key, int site) {
        T t = R.thread();
        int low = from, high = to - 1;
        while (low <= high) {
            int mid = (low + high) >>> 1;
            R.aread(a, mid, t, site);
            long x = a[mid];
            if (x < key) {
                low = mid + 1;
            } else if (x > key) {
                high = mid - 1;
            } else {
                return mid;
            }
        }
        return -(low + 1);
    }

    // ---- float[] ----

    public static int binarySearch(float[] a, float key, int site) {
        return a == null ? Arrays.binarySearch(a, key) : search(a, 0, a.length, key, site);
    }

    public static int binarySearch(float[] a, int from, int to, float key, int site) {
        return a == null || isRefused(a.length, from, to) ? Arrays.binarySearch(a, from, to, key) : search(a, from, to, key, site);
    }

    private static int search(float[] a, int from, int to, float key, int site) {
        T t = R.thread();
        int low = from, high = to - 1;
        while (low <= high) {
            int mid = (low + high) >>> 1;
            R.aread(a, mid, t, site);
            int order = Float.compare(a[mid], key); // -0.0 before 0.0, NaN last
            if (order < 0) {
                low = mid + 1;
            } else if (order > 0) {
                high = mid - 1;
            } else {
                return mid;
            }
        }
        return -(low + 1);
    }

    // ---- double[] ----

    public static int binarySearch(double[] a, double key, int site) {
        return a == null ? Arrays.binarySearch(a, key) : search(a, 0, a.length, key, site);
    }

    public static int binarySearch(double[] a, int from, int to, double key, int site) {
        return a == null || isRefused(a.length, from, to) ? Arrays.binarySearch(a, from, to, key) : search(a, from, to, key, site);
    }

    private static int search(double[] a, int from, int to, double key, int site) {
        T t = R.thread();
        int low = from, high = to - 1;
        while (low <= high) {
            int mid = (low + high) >>> 1;
            R.aread(a, mid, t, site);
            int order = Double.compare(a[mid], key); // -0.0 before 0.0, NaN last
            if (order < 0) {
                low = mid + 1;
            } else if (order > 0) {
                high = mid - 1;
            } else {
                return mid;
            }
        }
        return -(low + 1);
    }

    // ---- Object[] ----

    public static int binarySearch(Object[] a, Object key, int site) {
        return a == null ? Arrays.binarySearch(a, key) : search(a, 0, a.length, key, site);
    }

    public static int binarySearch(Object[] a, int from, int to, Object key, int site) {
        return a == null || isRefused(a.length, from, to) ? Arrays.binarySearch(a, from, to, key) : search(a, from, to, key, site);
    }

    public static <E> int binarySearch(E[] a, E key, Comparator<? super E> order, int site) {
        return a == null ? Arrays.binarySearch(a, key, order) : search(a, 0, a.length, key, order, site);
    }

    public static <E> int binarySearch(E[] a, int from, int to, E key, Comparator<? super E> order, int site) {
        return a == null || isRefused(a.length, from, to) ? Arrays.binarySearch(a, from, to, key, order)
                : search(a, from, to, key, order, site);
    }

    private static int search(Object[] a, int from, int to, Object key, int site) {
        T t = R.thread();
        int low = from, high = to - 1;
        while (low <= high) {
            int mid = (low + high) >>> 1;
            R.aread(a, mid, t, site);
            @SuppressWarnings("unchecked")
            Comparable<Object> x = (Comparable<Object>) a[mid];
            if (x == null) {
                return Arrays.binarySearch(new Object[1], key); // which throws the same
            }
            int is = x.compareTo(key);
            if (is < 0) {
                low = mid + 1;
            } else if (is > 0) {
                high = mid - 1;
            } else {
                return mid;
            }
        }
        return -(low + 1);
    }

    private static <E> int search(E[] a, int from, int to, E key, Comparator<? super E> order, int site) {
        if (order == null) {
            return search(a, from, to, key, site);
        }
        T t = R.thread();
        int low = from, high = to - 1;
        while (low <= high) {
            int mid = (low + high) >>> 1;
            R.aread(a, mid, t, site);
            int is = order.compare(a[mid], key);
            if (is < 0) {
                low = mid + 1;
            } else if (is > 0) {
                high = mid - 1;
            } else {
                return mid;
            }
        }
        return -(low + 1);
    }
}
