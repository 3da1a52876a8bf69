// SPDX-License-Identifier: Apache-2.0
// The elements of short[], where two elements share a cell: the same element races, its neighbours do not.
// EXPECT: race short[4] write @1 then read @2
import static goldilocks.test.Order.*;

class ArrayShort {
    public static void main(String[] args) {
        short[] a = new short[8];
        Run.turns(
            () -> a[4] = (short) 1, // @1
            () -> {
                use(a[racy() ? 4 : 5]); // @2
                a[3] = (short) 2;
                a[6] = (short) 2;
            });
    }
}
