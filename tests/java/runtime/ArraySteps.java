// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

/** The part of {@link RuntimeTest} about arrays: elements, ranges, shadows that the caller keeps, elements that share a cell. */
final class ArraySteps {
    private ArraySteps() {}

    private static Host.Actor p, q, r; // of RuntimeTest

    interface Element {
        void at(int i, int site);
    }

    private static void array(String what, int n, Element read, Element write) {
        p.does(() -> write.at(3, Data.ARR));
        for (int i = 0; i < n; i++) {
            int k = i;
            if (k != 3) {
                q.does(() -> write.at(k, Data.ARR + 1));
            }
        }
        Host.none(what + ": neighbours");
        q.does(() -> read.at(3, Data.ARR + 2));
        int[] told = Host.take();
        Host.check(told.length == 8 && told[0] == Data.ARR + 2 && told[1] == Data.ARR && told[2] == 3, what + ": race");
        r.does(() -> {
            for (int i = -2; i < n + 3; i++) {
                if (i < 0 || i >= n) {
                    read.at(i, Data.ARR);
                    write.at(i, Data.ARR);
                }
            }
        });
        Host.none(what + ": out of range");
        for (int i = 0; i < n; i++) {
            int k = i;
            r.does(() -> read.at(k, Data.ARR + 3));
        }
        Host.races(n, Data.ARR + 3, -1, what + ": every element");
    }

    private static long[] kept;

    /** The probes that get the shadow, or null. */
    private static void keptArrays() {
        int n = 13;
        byte[] bytes = new byte[n];
        boolean[] booleans = new boolean[n];
        char[] chars = new char[n];
        short[] shorts = new short[n];
        int[] ints = new int[n];
        long[] longs = new long[n];
        float[] floats = new float[n];
        double[] doubles = new double[n];
        Object[] objects = new String[n];
        keptArray("byte[]", n, bytes, (i, s) -> R.areadB(bytes, i, kept, R.thread(), s), (i, s) -> R.awriteB(bytes, i, kept, R.thread(), s));
        keptArray("boolean[]", n, booleans, (i, s) -> R.areadB(booleans, i, kept, R.thread(), s), (i, s) -> R.awriteB(booleans, i, kept, R.thread(), s));
        keptArray("char[]", n, chars, (i, s) -> R.aread(chars, i, kept, R.thread(), s), (i, s) -> R.awrite(chars, i, kept, R.thread(), s));
        keptArray("short[]", n, shorts, (i, s) -> R.aread(shorts, i, kept, R.thread(), s), (i, s) -> R.awrite(shorts, i, kept, R.thread(), s));
        keptArray("int[]", n, ints, (i, s) -> R.aread(ints, i, kept, R.thread(), s), (i, s) -> R.awrite(ints, i, kept, R.thread(), s));
        keptArray("long[]", n, longs, (i, s) -> R.aread(longs, i, kept, R.thread(), s), (i, s) -> R.awrite(longs, i, kept, R.thread(), s));
        keptArray("float[]", n, floats, (i, s) -> R.aread(floats, i, kept, R.thread(), s), (i, s) -> R.awrite(floats, i, kept, R.thread(), s));
        keptArray("double[]", n, doubles, (i, s) -> R.aread(doubles, i, kept, R.thread(), s), (i, s) -> R.awrite(doubles, i, kept, R.thread(), s));
        keptArray("Object[]", n, objects, (i, s) -> R.aread(objects, i, kept, R.thread(), s),
                (i, s) -> R.awrite(objects, i, null, kept, R.thread(), s));
        R.aread((int[]) null, 0, null, R.thread(), 1); // the access throws
        R.awriteB(null, 0, null, R.thread(), 1);
        R.awrite(ints, n, null, R.thread(), 1);
        R.aread(chars, -1, R.shadow(chars, R.thread()), R.thread(), 1);
        Host.check(R.shadow(null, R.thread()) == null && R.shadow("", R.thread()) == null && R.shadow(ints, null) == null, "kept: no array");
    }

    private static void keptArray(String what, int n, Object array, Element read, Element write) {
        p.does(() -> kept = R.shadow(array, R.thread()));
        Host.check(kept != null, "kept " + what + ": the shadow");
        array("kept " + what, n, read, write);
    }

    /** Elements that share a cell, accessed by one segment from places of their own: each is told its own. */
    private static void joinedPlaces() {
        int[] order = {2, 0, 3, 1};
        for (int round = 0; round < 2; round++) { // the second time they are known
            byte[] bytes = new byte[8];
            char[] chars = new char[4];
            p.does(() -> {
                for (int i : order) {
                    R.awriteB(bytes, 4 + i, R.thread(), Data.ARR + i);
                }
                R.awrite(chars, 3, R.thread(), Data.ARR + 1);
                R.awrite(chars, 2, R.thread(), Data.ARR);
            });
            for (int i = 0; i < 4; i++) {
                int k = i;
                q.does(() -> R.areadB(bytes, 4 + k, R.thread(), Data.ARR + 5));
                int[] told = Host.take();
                Host.check(told.length == 8 && told[0] == Data.ARR + 5 && told[1] == Data.ARR + i && told[2] == 4 + i, "joined: byte " + i);
            }
            for (int i = 0; i < 2; i++) {
                int k = i;
                r.does(() -> R.aread(chars, 2 + k, R.thread(), Data.ARR + 6));
                int[] told = Host.take();
                Host.check(told.length == 8 && told[0] == Data.ARR + 6 && told[1] == Data.ARR + i && told[2] == 2 + i, "joined: char " + i);
            }
        }
    }

    static void arrays(Host.Actor first, Host.Actor second, Host.Actor third) {
        p = first;
        q = second;
        r = third;
        int n = 13;
        byte[] bytes = new byte[n];
        boolean[] booleans = new boolean[n];
        char[] chars = new char[n];
        short[] shorts = new short[n];
        int[] ints = new int[n];
        long[] longs = new long[n];
        float[] floats = new float[n];
        double[] doubles = new double[n];
        Object[] objects = new String[n];
        array("byte[]", n, (i, s) -> R.areadB(bytes, i, R.thread(), s), (i, s) -> R.awriteB(bytes, i, R.thread(), s));
        array("boolean[]", n, (i, s) -> R.areadB(booleans, i, R.thread(), s), (i, s) -> R.awriteB(booleans, i, R.thread(), s));
        array("char[]", n, (i, s) -> R.aread(chars, i, R.thread(), s), (i, s) -> R.awrite(chars, i, R.thread(), s));
        array("short[]", n, (i, s) -> R.aread(shorts, i, R.thread(), s), (i, s) -> R.awrite(shorts, i, R.thread(), s));
        array("int[]", n, (i, s) -> R.aread(ints, i, R.thread(), s), (i, s) -> R.awrite(ints, i, R.thread(), s));
        array("long[]", n, (i, s) -> R.aread(longs, i, R.thread(), s), (i, s) -> R.awrite(longs, i, R.thread(), s));
        array("float[]", n, (i, s) -> R.aread(floats, i, R.thread(), s), (i, s) -> R.awrite(floats, i, R.thread(), s));
        array("double[]", n, (i, s) -> R.aread(doubles, i, R.thread(), s), (i, s) -> R.awrite(doubles, i, R.thread(), s));
        array("Object[]", n, (i, s) -> R.aread(objects, i, R.thread(), s), (i, s) -> R.awrite(objects, i, null, R.thread(), s));
        keptArrays();
        joinedPlaces();
        R.aread((int[]) null, 0, R.thread(), 1);
        R.awrite((Object[]) null, 0, null, R.thread(), 1);
        R.areadB(null, 0, R.thread(), 1);
        R.awriteB(null, 0, R.thread(), 1);
        R.aread(new int[0], 0, R.thread(), 1);

        // ranges
        byte[] from = new byte[100], to = new byte[100];
        p.does(() -> R.awriteB(from, 50, R.thread(), Data.ARR));
        q.does(() -> R.arraycopy(from, 10, to, 20, 40, Data.ARR + 1));
        Host.none("copy beside");
        q.does(() -> R.arraycopy(from, 11, to, 20, 40, Data.ARR + 2));
        Host.races(1, Data.ARR + 2, Data.ARR, "copy over");
        r.does(() -> R.areadB(to, 19, R.thread(), Data.ARR + 3));
        r.does(() -> R.areadB(to, 60, R.thread(), Data.ARR + 3));
        Host.none("ends of the copy");
        r.does(() -> R.areadB(to, 20, R.thread(), Data.ARR + 3));
        r.does(() -> R.areadB(to, 59, R.thread(), Data.ARR + 3));
        Host.races(2, Data.ARR + 3, -1, "inside the copy");
        String thrown = "";
        try {
            R.arraycopy(from, 90, to, 0, 11, 1);
        } catch (ArrayIndexOutOfBoundsException e) {
            thrown += "i";
        }
        try {
            R.arraycopy(null, 90, to, 0, 11, 1);
        } catch (NullPointerException e) {
            thrown += "n";
        }
        try {
            R.arraycopy(from, 0, new int[3], 0, 1, 1);
        } catch (ArrayStoreException e) {
            thrown += "s";
        }
        try {
            R.arraycopy(from, 0, to, Integer.MAX_VALUE, 1, 1);
        } catch (ArrayIndexOutOfBoundsException e) {
            thrown += "i";
        }
        Host.check(thrown.equals("insi"), "what arraycopy refuses: " + thrown);
        int[] filled = new int[10];
        p.does(() -> R.awriteRange(filled, 2, 5, Data.ARR));
        q.does(() -> R.areadRange(filled, 4, 8, Data.ARR + 1));
        q.does(() -> R.areadRange(filled, 8, 12, Data.ARR + 1));
        Host.races(1, Data.ARR + 1, Data.ARR, "ranges");
    }
}
