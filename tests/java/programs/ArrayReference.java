// SPDX-License-Identifier: Apache-2.0
// The elements of String[], where every element has a cell: the same element races, its neighbours do not.
// EXPECT: race String[4] write @1 then read @2
import static goldilocks.test.Order.*;

class ArrayReference {
    public static void main(String[] args) {
        String[] a = new String[8];
        Run.turns(
            () -> a[4] = "one", // @1
            () -> {
                use(a[racy() ? 4 : 5]); // @2
                a[3] = "two";
                a[6] = "two";
            });
    }
}
