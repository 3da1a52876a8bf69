// SPDX-License-Identifier: Apache-2.0
// A static field that takes two stack slots; its neighbour of the same class is another variable.
// EXPECT: race FieldStaticLong.x read @1 then write @2
import static goldilocks.test.Order.*;

class FieldStaticLong {
    static long x;
    static long y;

    public static void main(String[] args) {
        Run.turns(
            () -> use(x), // @1
            () -> {
                if (racy())
                    x = 2; // @2
                y = 2;
            });
    }
}
