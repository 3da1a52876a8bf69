// SPDX-License-Identifier: Apache-2.0
// What java.lang.reflect.Array refuses accesses nothing; what it converts is accessed.
// EXPECT: race int[0] write @1 then read @2
// EXPECT: race double[0] write @3 then write @4
// EXPECT: race Number[0] write @5 then write @6
import static goldilocks.test.Order.*;

import java.lang.reflect.Array;

class ReflectArrayRefused {
    static void refused(Runnable access) {
        try {
            access.run();
        } catch (IllegalArgumentException | NullPointerException e) {
            return;
        }
        must(false);
    }

    public static void main(String[] args) {
        int[] ints = new int[2];
        long[] longs = new long[2];
        double[] doubles = new double[2];
        boolean[] booleans = new boolean[2];
        Number[] numbers = new Number[2];
        Array.set(numbers, 1, 1); // loads what loads classes
        use(Array.getLong(ints, 1));
        Run.turns(() -> {
            if (racy()) {
                ints[0] = 1; // @1
                doubles[0] = 1; // @3
                numbers[0] = 1; // @5
            }
            ints[1] = 1;
            longs[1] = 1;
            doubles[1] = 1;
            booleans[1] = true;
            numbers[1] = 1;
        }, () -> {
            use(Array.getLong(ints, 0)); // @2
            Array.set(doubles, 0, 'c'); // @4
            Array.set(numbers, 0, null); // @6
            refused(() -> Array.getInt(longs, 1));
            refused(() -> Array.getChar(ints, 1));
            refused(() -> Array.getByte(booleans, 1));
            refused(() -> Array.getInt(numbers, 1));
            refused(() -> Array.setLong(ints, 1, 2));
            refused(() -> Array.setInt(booleans, 1, 2));
            refused(() -> Array.setInt(numbers, 1, 2));
            refused(() -> Array.set(ints, 1, 2L));
            refused(() -> Array.set(ints, 1, null));
            refused(() -> Array.set(doubles, 1, ""));
            refused(() -> Array.set(numbers, 1, ""));
        });
    }
}
