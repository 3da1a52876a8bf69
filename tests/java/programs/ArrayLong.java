// SPDX-License-Identifier: Apache-2.0
// The elements of long[], where every element has a cell: the same element races, its neighbours do not.
// EXPECT: race long[4] write @1 then write @2
import static goldilocks.test.Order.*;

class ArrayLong {
    public static void main(String[] args) {
        long[] a = new long[8];
        Run.turns(
            () -> a[4] = 1L << 40, // @1
            () -> {
                a[racy() ? 4 : 5] = 2L << 40; // @2
                a[3] = 2L << 40;
                a[6] = 2L << 40;
            });
    }
}
