// SPDX-License-Identifier: Apache-2.0
// Arrays.deepEquals, deepHashCode and deepToString give what the JDK gives, for arrays in arrays of any type, and for arrays that are in themselves.
// EXPECT: race int[0] write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.Arrays;
import java.util.Random;

class ArrayDeepSame {
    static final class Odd {
        @Override
        public String toString() {
            return null;
        }

        @Override
        public boolean equals(Object other) {
            throw new IllegalStateException("must not be asked");
        }

        @Override
        public int hashCode() {
            return 7;
        }
    }

    static final Object ODD = new Odd();
    static final Class<?>[] ONE = {Object[].class}, TWO = {Object[].class, Object[].class};

    static Object value(Random random, int depth) {
        int n = random.nextInt(3);
        boolean set = n > 0 && random.nextBoolean();
        switch (random.nextInt(depth > 4 ? 10 : 13)) {
        case 0:
            return null;
        case 1:
            byte[] bytes = new byte[n];
            if (set)
                bytes[n - 1] = 1;
            return bytes;
        case 2:
            char[] chars = new char[n];
            if (set)
                chars[n - 1] = 'x';
            return chars;
        case 3:
            short[] shorts = new short[n];
            if (set)
                shorts[n - 1] = 1;
            return shorts;
        case 4:
            int[] ints = new int[n];
            if (set)
                ints[n - 1] = 1;
            return ints;
        case 5:
            long[] longs = new long[n];
            if (set)
                longs[n - 1] = 1;
            return longs;
        case 6:
            float[] floats = new float[n];
            if (set)
                floats[n - 1] = random.nextBoolean() ? Float.NaN : -0f;
            return floats;
        case 7:
            double[] doubles = new double[n];
            if (set)
                doubles[n - 1] = random.nextBoolean() ? Double.NaN : -0.0;
            return doubles;
        case 8:
            boolean[] booleans = new boolean[n];
            if (set)
                booleans[n - 1] = true;
            return booleans;
        case 9:
            return set ? ODD : n + "x";
        default:
            return values(random, depth + 1);
        }
    }

    static Object[] values(Random random, int depth) {
        int n = random.nextInt(4);
        if (random.nextInt(4) == 0)
            return new String[n];
        Object[] a = new Object[n];
        for (int i = 0; i < a.length; i++)
            a[i] = value(random, depth);
        return a;
    }

    static void one(Object[] a) {
        ArraysOfJdk.same(() -> Arrays.deepHashCode(a), "deepHashCode", ONE, (Object) a);
        ArraysOfJdk.same(() -> Arrays.deepToString(a), "deepToString", ONE, (Object) a);
    }

    static void two(Object[] a, Object[] b) {
        ArraysOfJdk.same(() -> Arrays.deepEquals(a, b), "deepEquals", TWO, a, b);
    }

    public static void main(String[] args) {
        int equal = 0;
        for (int i = 0; i < 4000; i++) {
            Object[] a = values(new Random(i), 0);
            Object[] b = values(new Random(i), 0);
            Object[] c = values(new Random(i + 1), 0);
            one(a);
            two(a, b);
            two(a, c);
            two(a, a);
            two(new Object[] {a, 1}, new Object[] {b, 2});
            two(a, null);
            two(null, a);
            if (ArraysOfJdk.outcome(() -> Arrays.deepEquals(a, c)).equals(true))
                equal++;
        }
        must(equal > 0 && equal < 3000);
        one(null);
        two(null, null);
        Object[] itself = {1, null, "x", null};
        Object[] inner = {itself, new Object[] {null}};
        itself[1] = itself;
        itself[3] = inner;
        ((Object[]) inner[1])[0] = inner;
        one(itself);
        one(inner);
        two(itself, new Object[] {1, itself});
        one(deep(40));
        Object[] bottom = {null};
        Object[] ring = bottom;
        for (int i = 0; i < 20; i++)
            ring = new Object[] {ring, i};
        bottom[0] = ring;
        one(bottom);
        Object[] around = ring;
        for (int i = 0; i < 20; i++)
            around = new Object[] {around, i};
        one(around);
        int[] raced = new int[1];
        Object[] rows = {raced};
        Run.guarded(
            () -> raced[0] = 1, // @1
            () -> must(Arrays.deepToString(rows).equals("[[1]]"))); // @2
    }

    static Object[] deep(int n) {
        return n == 0 ? new Object[] {"bottom"} : new Object[] {n, deep(n - 1)};
    }
}
