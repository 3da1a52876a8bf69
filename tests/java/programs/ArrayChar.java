// SPDX-License-Identifier: Apache-2.0
// The elements of char[], where two elements share a cell: the same element races, its neighbours do not.
// EXPECT: race char[4] write @1 then write @2
import static goldilocks.test.Order.*;

class ArrayChar {
    public static void main(String[] args) {
        char[] a = new char[8];
        Run.turns(
            () -> a[4] = 'a', // @1
            () -> {
                a[racy() ? 4 : 5] = 'b'; // @2
                a[3] = 'b';
                a[6] = 'b';
            });
    }
}
