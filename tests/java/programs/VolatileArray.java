// SPDX-License-Identifier: Apache-2.0
// A volatile reference to an array does not make the elements volatile.
// EXPECT: race int[0] write @1 then read @2
import static goldilocks.test.Order.*;

class VolatileArray {
    static volatile int[] array = new int[1];

    public static void main(String[] args) {
        Run.turns(() -> {
            int[] a = array;
            a[0] = 1; // @1
            if (!racy())
                array = a;
        }, () -> {
            use(array[0]); // @2
        });
    }
}
