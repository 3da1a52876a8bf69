// SPDX-License-Identifier: Apache-2.0
// Arrays.mismatch, compare and equals of ranges read two arrays of numbers up to the first difference: 5 is behind it in the twin.
// EXPECT: race boolean[5] write @boolean then read @boolean1|@boolean2
// EXPECT: race byte[5] write @byte then read @byte1|@byte2|@byte3
// EXPECT: race char[5] write @char then read @char1|@char2
// EXPECT: race short[5] write @short then read @short1|@short2|@short3
// EXPECT: race int[5] write @int then read @int1|@int2|@int3
// EXPECT: race long[5] write @long then read @long1|@long2|@long3
// EXPECT: race float[5] write @float then read @float1|@float2
// EXPECT: race double[5] write @double then read @double1|@double2
// REPORTS racy: 48
import static goldilocks.test.Order.*;

import java.util.Arrays;

class ArrayCompare {
    static final int FIRST = racy() ? 6 : 4;

    public static void main(String[] args) {
        boolean[][] booleans = new boolean[5][8];
        boolean[] booleanOther = new boolean[8];
        booleanOther[FIRST] = true;
        byte[][] bytes = new byte[7][8];
        byte[] byteOther = new byte[8];
        byteOther[FIRST] = 1;
        char[][] chars = new char[5][8];
        char[] charOther = new char[8];
        charOther[FIRST] = 1;
        short[][] shorts = new short[7][8];
        short[] shortOther = new short[8];
        shortOther[FIRST] = 1;
        int[][] ints = new int[7][8];
        int[] intOther = new int[8];
        intOther[FIRST] = 1;
        long[][] longs = new long[7][8];
        long[] longOther = new long[8];
        longOther[FIRST] = 1;
        float[][] floats = new float[5][8];
        float[] floatOther = new float[8];
        floatOther[FIRST] = 1;
        double[][] doubles = new double[5][8];
        double[] doubleOther = new double[8];
        doubleOther[FIRST] = 1;
        Run.turns(() -> {
            for (boolean[] a : booleans)
                a[5] = false; // @boolean
            for (byte[] a : bytes)
                a[5] = 0; // @byte
            for (char[] a : chars)
                a[5] = 0; // @char
            for (short[] a : shorts)
                a[5] = 0; // @short
            for (int[] a : ints)
                a[5] = 0; // @int
            for (long[] a : longs)
                a[5] = 0; // @long
            for (float[] a : floats)
                a[5] = 0; // @float
            for (double[] a : doubles)
                a[5] = 0; // @double
        }, () -> {
            booleanCompare(booleans, booleanOther);
            byteCompare(bytes, byteOther);
            charCompare(chars, charOther);
            shortCompare(shorts, shortOther);
            intCompare(ints, intOther);
            longCompare(longs, longOther);
            floatCompare(floats, floatOther);
            doubleCompare(doubles, doubleOther);
        });
    }

    private static void booleanCompare(boolean[][] a, boolean[] b) {
        must(Arrays.mismatch(a[0], b) == FIRST && Arrays.mismatch(a[1], 1, 8, b, 1, 8) == FIRST - 1); // @boolean1
        must(!Arrays.equals(a[2], 2, 8, b, 2, 8) && Arrays.compare(a[3], b) < 0 && Arrays.compare(a[4], 3, 8, b, 3, 8) < 0); // @boolean2
    }

    private static void byteCompare(byte[][] a, byte[] b) {
        must(Arrays.mismatch(a[0], b) == FIRST && Arrays.mismatch(a[1], 1, 8, b, 1, 8) == FIRST - 1); // @byte1
        must(!Arrays.equals(a[2], 2, 8, b, 2, 8) && Arrays.compare(a[3], b) < 0 && Arrays.compare(a[4], 3, 8, b, 3, 8) < 0); // @byte2
        must(Arrays.compareUnsigned(a[5], b) < 0 && Arrays.compareUnsigned(a[6], 4, 8, b, 4, 8) < 0); // @byte3
    }

    private static void charCompare(char[][] a, char[] b) {
        must(Arrays.mismatch(a[0], b) == FIRST && Arrays.mismatch(a[1], 1, 8, b, 1, 8) == FIRST - 1); // @char1
        must(!Arrays.equals(a[2], 2, 8, b, 2, 8) && Arrays.compare(a[3], b) < 0 && Arrays.compare(a[4], 3, 8, b, 3, 8) < 0); // @char2
    }

    private static void shortCompare(short[][] a, short[] b) {
        must(Arrays.mismatch(a[0], b) == FIRST && Arrays.mismatch(a[1], 1, 8, b, 1, 8) == FIRST - 1); // @short1
        must(!Arrays.equals(a[2], 2, 8, b, 2, 8) && Arrays.compare(a[3], b) < 0 && Arrays.compare(a[4], 3, 8, b, 3, 8) < 0); // @short2
        must(Arrays.compareUnsigned(a[5], b) < 0 && Arrays.compareUnsigned(a[6], 4, 8, b, 4, 8) < 0); // @short3
    }

    private static void intCompare(int[][] a, int[] b) {
        must(Arrays.mismatch(a[0], b) == FIRST && Arrays.mismatch(a[1], 1, 8, b, 1, 8) == FIRST - 1); // @int1
        must(!Arrays.equals(a[2], 2, 8, b, 2, 8) && Arrays.compare(a[3], b) < 0 && Arrays.compare(a[4], 3, 8, b, 3, 8) < 0); // @int2
        must(Arrays.compareUnsigned(a[5], b) < 0 && Arrays.compareUnsigned(a[6], 4, 8, b, 4, 8) < 0); // @int3
    }

    private static void longCompare(long[][] a, long[] b) {
        must(Arrays.mismatch(a[0], b) == FIRST && Arrays.mismatch(a[1], 1, 8, b, 1, 8) == FIRST - 1); // @long1
        must(!Arrays.equals(a[2], 2, 8, b, 2, 8) && Arrays.compare(a[3], b) < 0 && Arrays.compare(a[4], 3, 8, b, 3, 8) < 0); // @long2
        must(Arrays.compareUnsigned(a[5], b) < 0 && Arrays.compareUnsigned(a[6], 4, 8, b, 4, 8) < 0); // @long3
    }

    private static void floatCompare(float[][] a, float[] b) {
        must(Arrays.mismatch(a[0], b) == FIRST && Arrays.mismatch(a[1], 1, 8, b, 1, 8) == FIRST - 1); // @float1
        must(!Arrays.equals(a[2], 2, 8, b, 2, 8) && Arrays.compare(a[3], b) < 0 && Arrays.compare(a[4], 3, 8, b, 3, 8) < 0); // @float2
    }

    private static void doubleCompare(double[][] a, double[] b) {
        must(Arrays.mismatch(a[0], b) == FIRST && Arrays.mismatch(a[1], 1, 8, b, 1, 8) == FIRST - 1); // @double1
        must(!Arrays.equals(a[2], 2, 8, b, 2, 8) && Arrays.compare(a[3], b) < 0 && Arrays.compare(a[4], 3, 8, b, 3, 8) < 0); // @double2
    }
}
