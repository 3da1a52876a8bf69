// SPDX-License-Identifier: Apache-2.0
// Arrays.binarySearch finds what the JDK finds: in arrays that are sorted or not, with NaN and both zeros, with ranges and arrays that it refuses.
// EXPECT: race int[0] write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Random;

class ArraySearchSame {
    static final Random RANDOM = new Random(26);
    static final Comparator<Object> DOWN = Collections.reverseOrder();
    static final double[] STRANGE = {Double.NaN, -0.0, 0.0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.MIN_VALUE, -1, 1};
    static final Class<?> INT = int.class, OBJECT = Object.class, OBJECTS = Object[].class, ORDER = Comparator.class;

    static double number() {
        return RANDOM.nextInt(3) == 0 ? STRANGE[RANDOM.nextInt(STRANGE.length)] : RANDOM.nextInt(12) - 6;
    }

    static Class<?>[] whole(Class<?> array) {
        return new Class<?>[] {array, array.getComponentType()};
    }

    static Class<?>[] range(Class<?> array) {
        return new Class<?>[] {array, INT, INT, array.getComponentType()};
    }

    static void round(int n, boolean sorted, int from, int to) {
        double key = number();
        double[] doubles = new double[n];
        for (int i = 0; i < n; i++)
            doubles[i] = number();
        if (sorted)
            Arrays.sort(doubles);
        byte[] bytes = new byte[n];
        char[] chars = new char[n];
        short[] shorts = new short[n];
        int[] ints = new int[n];
        long[] longs = new long[n];
        float[] floats = new float[n];
        Double[] objects = new Double[n];
        for (int i = 0; i < n; i++) {
            bytes[i] = (byte) doubles[i];
            chars[i] = (char) (doubles[i] + 6);
            shorts[i] = (short) doubles[i];
            ints[i] = (int) doubles[i];
            longs[i] = (long) doubles[i];
            floats[i] = (float) doubles[i];
            objects[i] = doubles[i];
        }
        byte b = (byte) key;
        char c = (char) (key + 6);
        short s = (short) key;
        int k = (int) key;
        long j = (long) key;
        float f = (float) key;
        Double o = key;
        ArraysOfJdk.same(() -> Arrays.binarySearch(bytes, b), "binarySearch", whole(byte[].class), bytes, b);
        ArraysOfJdk.same(() -> Arrays.binarySearch(bytes, from, to, b), "binarySearch", range(byte[].class), bytes, from, to, b);
        ArraysOfJdk.same(() -> Arrays.binarySearch(chars, c), "binarySearch", whole(char[].class), chars, c);
        ArraysOfJdk.same(() -> Arrays.binarySearch(chars, from, to, c), "binarySearch", range(char[].class), chars, from, to, c);
        ArraysOfJdk.same(() -> Arrays.binarySearch(shorts, s), "binarySearch", whole(short[].class), shorts, s);
        ArraysOfJdk.same(() -> Arrays.binarySearch(shorts, from, to, s), "binarySearch", range(short[].class), shorts, from, to, s);
        ArraysOfJdk.same(() -> Arrays.binarySearch(ints, k), "binarySearch", whole(int[].class), ints, k);
        ArraysOfJdk.same(() -> Arrays.binarySearch(ints, from, to, k), "binarySearch", range(int[].class), ints, from, to, k);
        ArraysOfJdk.same(() -> Arrays.binarySearch(longs, j), "binarySearch", whole(long[].class), longs, j);
        ArraysOfJdk.same(() -> Arrays.binarySearch(longs, from, to, j), "binarySearch", range(long[].class), longs, from, to, j);
        ArraysOfJdk.same(() -> Arrays.binarySearch(floats, f), "binarySearch", whole(float[].class), floats, f);
        ArraysOfJdk.same(() -> Arrays.binarySearch(floats, from, to, f), "binarySearch", range(float[].class), floats, from, to, f);
        ArraysOfJdk.same(() -> Arrays.binarySearch(doubles, key), "binarySearch", whole(double[].class), doubles, key);
        ArraysOfJdk.same(() -> Arrays.binarySearch(doubles, from, to, key), "binarySearch", range(double[].class), doubles, from, to, key);
        objects(objects, from, to, o);
    }

    static void objects(Object[] a, int from, int to, Object key) {
        ArraysOfJdk.same(() -> Arrays.binarySearch(a, key), "binarySearch", whole(OBJECTS), a, key);
        ArraysOfJdk.same(() -> Arrays.binarySearch(a, from, to, key), "binarySearch", range(OBJECTS), a, from, to, key);
        for (Comparator<Object> order : Arrays.asList(DOWN, null)) {
            ArraysOfJdk.same(() -> Arrays.binarySearch(a, key, order), "binarySearch", ArraysOfJdk.types(OBJECTS, OBJECT, ORDER), a, key, order);
            ArraysOfJdk.same(() -> Arrays.binarySearch(a, from, to, key, order), "binarySearch",
                ArraysOfJdk.types(OBJECTS, INT, INT, OBJECT, ORDER), a, from, to, key, order);
        }
    }

    static void nothing() {
        ArraysOfJdk.same(() -> Arrays.binarySearch((byte[]) null, (byte) 1), "binarySearch", whole(byte[].class), null, (byte) 1);
        ArraysOfJdk.same(() -> Arrays.binarySearch((char[]) null, 'x'), "binarySearch", whole(char[].class), null, 'x');
        ArraysOfJdk.same(() -> Arrays.binarySearch((short[]) null, (short) 1), "binarySearch", whole(short[].class), null, (short) 1);
        ArraysOfJdk.same(() -> Arrays.binarySearch((int[]) null, 1), "binarySearch", whole(int[].class), null, 1);
        ArraysOfJdk.same(() -> Arrays.binarySearch((long[]) null, 1), "binarySearch", whole(long[].class), null, 1L);
        ArraysOfJdk.same(() -> Arrays.binarySearch((float[]) null, 1), "binarySearch", whole(float[].class), null, 1f);
        ArraysOfJdk.same(() -> Arrays.binarySearch((double[]) null, 2, 1, 1), "binarySearch", range(double[].class), null, 2, 1, 1.0);
        objects(null, 0, 0, 1);
        objects(new Object[3], 0, 3, 1); // nulls
        objects(new Object[] {1, "x", 2}, 0, 3, 3); // of different classes
        objects(new Object[] {1, new Object(), 2}, 0, 3, 3); // one cannot be compared
        objects(new Object[] {1, 2, 3}, 0, 3, null);
    }

    public static void main(String[] args) {
        for (int i = 0; i < 1500; i++) {
            int n = RANDOM.nextInt(20);
            round(n, i % 3 != 0, RANDOM.nextInt(n + 3) - 1, RANDOM.nextInt(n + 3) - 1);
            round(n, i % 3 != 0, 0, n);
        }
        nothing();
        int[] one = new int[1];
        Run.guarded(
            () -> one[0] = 1, // @1
            () -> must(Arrays.binarySearch(one, 1) == 0)); // @2
    }
}
