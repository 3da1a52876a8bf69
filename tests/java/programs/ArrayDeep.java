// SPDX-License-Identifier: Apache-2.0
// Arrays.deepHashCode and deepToString read the elements of an array and of those in it, of any type; and one after the other: where a method of
// an element throws, those behind it are not read.
// EXPECT: race byte[5] write @byte then read @hash|@text
// EXPECT: race char[5] write @char then read @hash|@text
// EXPECT: race short[5] write @short then read @hash|@text
// EXPECT: race int[5] write @int then read @hash|@text
// EXPECT: race long[5] write @long then read @hash|@text
// EXPECT: race float[5] write @float then read @hash|@text
// EXPECT: race double[5] write @double then read @hash|@text
// EXPECT: race boolean[5] write @boolean then read @hash|@text
// EXPECT: race Object[5] write @Object then read @hash|@text
// REPORTS racy: 18
// OUTPUT: stopped stopped
import static goldilocks.test.Order.*;

import java.util.Arrays;

class ArrayDeep {
    static final class Stop {
        @Override
        public int hashCode() {
            throw new IllegalStateException("stopped");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("stopped");
        }
    }

    static String message(Runnable call) {
        try {
            call.run();
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
        return "went on";
    }

    public static void main(String[] args) {
        byte[][] bytes = new byte[2][8];
        char[][] chars = new char[2][8];
        short[][] shorts = new short[2][8];
        int[][] ints = new int[2][8];
        long[][] longs = new long[2][8];
        float[][] floats = new float[2][8];
        double[][] doubles = new double[2][8];
        boolean[][] booleans = new boolean[2][8];
        Object[][] objects = new Object[2][8];
        Object[][] all = new Object[2][];
        for (int k = 0; k < 2; k++)
            all[k] = new Object[] {bytes[k], new Object[] {chars[k], shorts[k], ints[k], longs[k]}, floats[k], doubles[k], booleans[k], objects[k]};
        int[] behind = new int[8];
        Object[] stops = {"one", new Object[] {2, new Stop(), behind}, behind};
        Object[] none = null;
        StringBuilder messages = new StringBuilder();
        Run.turns(() -> {
            for (int k = 0; racy() && k < 2; k++) {
                bytes[k][5] = 0; // @byte
                chars[k][5] = 0; // @char
                shorts[k][5] = 0; // @short
                ints[k][5] = 0; // @int
                longs[k][5] = 0; // @long
                floats[k][5] = 0; // @float
                doubles[k][5] = 0; // @double
                booleans[k][5] = false; // @boolean
                objects[k][5] = null; // @Object
            }
            behind[5] = 0;
        }, () -> {
            must(Arrays.deepHashCode(all[0]) != 0); // @hash
            must(Arrays.deepToString(all[1]).length() > 100); // @text
            messages.append(message(() -> Arrays.deepHashCode(stops))).append(' ').append(message(() -> Arrays.deepToString(stops)));
        });
        System.out.println(messages);
        must(Arrays.deepHashCode(none) == 0 && Arrays.deepToString(none).equals("null"));
    }
}
