// SPDX-License-Identifier: Apache-2.0
// The elements of double[], where every element has a cell: the same element races, its neighbours do not.
// EXPECT: race double[4] write @1 then read @2
import static goldilocks.test.Order.*;

class ArrayDouble {
    public static void main(String[] args) {
        double[] a = new double[8];
        Run.turns(
            () -> a[4] = 1.5, // @1
            () -> {
                use(a[racy() ? 4 : 5]); // @2
                a[3] = 2.5;
                a[6] = 2.5;
            });
    }
}
