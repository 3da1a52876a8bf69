// SPDX-License-Identifier: Apache-2.0
// Arrays.binarySearch reads the elements that it looks at: 3, 5, 6 of 8, or 4, 6 of those from 2 on. The others are not read.
// EXPECT: race byte[6] write @byte then read @byte1|@byte2
// EXPECT: race char[6] write @char then read @char1|@char2
// EXPECT: race short[6] write @short then read @short1|@short2
// EXPECT: race int[6] write @int then read @int1|@int2
// EXPECT: race long[6] write @long then read @long1|@long2
// EXPECT: race float[6] write @float then read @float1|@float2
// EXPECT: race double[6] write @double then read @double1|@double2
// EXPECT: race Object[6] write @Object then read @Object1|@Object2|@Object3|@Object4|@Object5|@Object6
// REPORTS racy: 20
import static goldilocks.test.Order.*;

import java.util.Arrays;
import java.util.Comparator;

class ArraySearch {
    static final int[] WRITTEN = racy() ? new int[] {0, 6, 7} : new int[] {0, 1, 2, 7};
    static final Comparator<Object> ORDER = (x, y) -> (Integer) x - (Integer) y;

    public static void main(String[] args) {
        byte[][] bytes = new byte[2][8];
        char[][] chars = new char[2][8];
        short[][] shorts = new short[2][8];
        int[][] ints = new int[2][8];
        long[][] longs = new long[2][8];
        float[][] floats = new float[2][8];
        double[][] doubles = new double[2][8];
        Object[][] objects = new Object[6][8];
        for (int i = 0; i < 8; i++) {
            for (int k = 0; k < 2; k++) {
                bytes[k][i] = (byte) i;
                chars[k][i] = (char) i;
                shorts[k][i] = (short) i;
                ints[k][i] = i;
                longs[k][i] = i;
                floats[k][i] = i;
                doubles[k][i] = i;
            }
            for (Object[] a : objects)
                a[i] = i;
        }
        Integer[] number = {0, 1, 2, 3, 4, 5, 6, 7};
        Run.turns(() -> {
            for (int i : WRITTEN) {
                for (int k = 0; k < 2; k++) {
                    bytes[k][i] = (byte) i; // @byte
                    chars[k][i] = (char) i; // @char
                    shorts[k][i] = (short) i; // @short
                    ints[k][i] = i; // @int
                    longs[k][i] = i; // @long
                    floats[k][i] = i; // @float
                    doubles[k][i] = i; // @double
                }
                for (Object[] a : objects)
                    a[i] = number[i]; // @Object
            }
        }, () -> {
            must(Arrays.binarySearch(bytes[0], (byte) 6) == 6); // @byte1
            must(Arrays.binarySearch(bytes[1], 2, 8, (byte) 6) == 6); // @byte2
            must(Arrays.binarySearch(chars[0], (char) 6) == 6); // @char1
            must(Arrays.binarySearch(chars[1], 2, 8, (char) 6) == 6); // @char2
            must(Arrays.binarySearch(shorts[0], (short) 6) == 6); // @short1
            must(Arrays.binarySearch(shorts[1], 2, 8, (short) 6) == 6); // @short2
            must(Arrays.binarySearch(ints[0], 6) == 6); // @int1
            must(Arrays.binarySearch(ints[1], 2, 8, 6) == 6); // @int2
            must(Arrays.binarySearch(longs[0], 6) == 6); // @long1
            must(Arrays.binarySearch(longs[1], 2, 8, 6) == 6); // @long2
            must(Arrays.binarySearch(floats[0], 6) == 6); // @float1
            must(Arrays.binarySearch(floats[1], 2, 8, 6) == 6); // @float2
            must(Arrays.binarySearch(doubles[0], 6) == 6); // @double1
            must(Arrays.binarySearch(doubles[1], 2, 8, 6) == 6); // @double2
            must(Arrays.binarySearch(objects[0], 6) == 6); // @Object1
            must(Arrays.binarySearch(objects[1], 2, 8, 6) == 6); // @Object2
            must(Arrays.binarySearch(objects[2], 6, ORDER) == 6); // @Object3
            must(Arrays.binarySearch(objects[3], 2, 8, 6, ORDER) == 6); // @Object4
            must(Arrays.binarySearch(objects[4], 6, null) == 6); // @Object5
            must(Arrays.binarySearch(objects[5], 2, 8, 6, null) == 6); // @Object6
        });
    }
}
