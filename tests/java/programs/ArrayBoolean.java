// SPDX-License-Identifier: Apache-2.0
// The elements of boolean[], where four elements share a cell: the same element races, its neighbours do not.
// EXPECT: race boolean[4] write @1 then write @2
import static goldilocks.test.Order.*;

class ArrayBoolean {
    public static void main(String[] args) {
        boolean[] a = new boolean[8];
        Run.turns(
            () -> a[4] = true, // @1
            () -> {
                a[racy() ? 4 : 5] = false; // @2
                a[3] = false;
                a[6] = false;
            });
    }
}
