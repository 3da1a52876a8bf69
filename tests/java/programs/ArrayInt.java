// SPDX-License-Identifier: Apache-2.0
// The elements of int[], where every element has a cell: the same element races, its neighbours do not.
// EXPECT: race int[4] write @1 then read @2
import static goldilocks.test.Order.*;

class ArrayInt {
    public static void main(String[] args) {
        int[] a = new int[8];
        Run.turns(
            () -> a[4] = 1, // @1
            () -> {
                use(a[racy() ? 4 : 5]); // @2
                a[3] = 2;
                a[6] = 2;
            });
    }
}
