// SPDX-License-Identifier: Apache-2.0
// Arrays.deepEquals reads the elements of arrays in arrays, of any type, up to the first difference: row 2 has one at element 6, or at 4, so that
// element 5 is behind it; row 3 is behind it anyhow.
// EXPECT: race byte[5] write @byte then read @1
// EXPECT: race char[5] write @char then read @2
// EXPECT: race short[5] write @short then read @3
// EXPECT: race int[5] write @int then read @4
// EXPECT: race long[5] write @long then read @5
// EXPECT: race float[5] write @float then read @6
// EXPECT: race double[5] write @double then read @7
// EXPECT: race boolean[5] write @boolean then read @8
// EXPECT: race Object[5] write @Object then read @9
// EXPECT: race Object[3] write @Row then read @10
// REPORTS racy: 10
import static goldilocks.test.Order.*;

import java.util.Arrays;

class ArrayDeepEquals {
    static final int FIRST = racy() ? 6 : 4;

    /** Rows that are equal to those of another call, but for element FIRST of row 2. */
    static Object[] rows(Object second, Object third) {
        return new Object[] {null, "row", second, third};
    }

    public static void main(String[] args) {
        byte[][] bytes = {new byte[8], new byte[8], new byte[8], new byte[8]};
        char[][] chars = {new char[8], new char[8], new char[8], new char[8]};
        short[][] shorts = {new short[8], new short[8], new short[8], new short[8]};
        int[][] ints = {new int[8], new int[8], new int[8], new int[8]};
        long[][] longs = {new long[8], new long[8], new long[8], new long[8]};
        float[][] floats = {new float[8], new float[8], new float[8], new float[8]};
        double[][] doubles = {new double[8], new double[8], new double[8], new double[8]};
        boolean[][] booleans = {new boolean[8], new boolean[8], new boolean[8], new boolean[8]};
        Object[][] objects = {new Object[8], new Object[8], new Object[8], new Object[8]};
        bytes[0][FIRST] = 1;
        chars[0][FIRST] = 1;
        shorts[0][FIRST] = 1;
        ints[0][FIRST] = 1;
        longs[0][FIRST] = 1;
        floats[0][FIRST] = 1;
        doubles[0][FIRST] = 1;
        booleans[0][FIRST] = true;
        objects[0][FIRST] = "other";
        Object[] outer = rows(new int[8], new int[8]);
        outer[racy() ? 3 : 2] = "other";
        Object[] same = rows(new int[8], new int[8]);
        Object row = same[3];
        Run.turns(() -> {
            for (int i = 1; i < 4; i += 2) {
                bytes[i][5] = 0; // @byte
                chars[i][5] = 0; // @char
                shorts[i][5] = 0; // @short
                ints[i][5] = 0; // @int
                longs[i][5] = 0; // @long
                floats[i][5] = 0; // @float
                doubles[i][5] = 0; // @double
                booleans[i][5] = false; // @boolean
                objects[i][5] = null; // @Object
            }
            same[3] = row; // @Row
        }, () -> {
            must(!Arrays.deepEquals(rows(bytes[0], bytes[2]), rows(bytes[1], bytes[3]))); // @1
            must(!Arrays.deepEquals(rows(chars[0], chars[2]), rows(chars[1], chars[3]))); // @2
            must(!Arrays.deepEquals(rows(shorts[0], shorts[2]), rows(shorts[1], shorts[3]))); // @3
            must(!Arrays.deepEquals(rows(ints[0], ints[2]), rows(ints[1], ints[3]))); // @4
            must(!Arrays.deepEquals(rows(longs[0], longs[2]), rows(longs[1], longs[3]))); // @5
            must(!Arrays.deepEquals(rows(floats[0], floats[2]), rows(floats[1], floats[3]))); // @6
            must(!Arrays.deepEquals(rows(doubles[0], doubles[2]), rows(doubles[1], doubles[3]))); // @7
            must(!Arrays.deepEquals(rows(booleans[0], booleans[2]), rows(booleans[1], booleans[3]))); // @8
            must(!Arrays.deepEquals(rows(objects[0], objects[2]), rows(objects[1], objects[3]))); // @9
            must(!Arrays.deepEquals(outer, same)); // @10
            must(Arrays.deepEquals(objects, objects) && !Arrays.deepEquals(same, new Object[3])); // nothing is read
        });
    }
}
