// SPDX-License-Identifier: Apache-2.0
// The elements of byte[], where four elements share a cell: the same element races, its neighbours do not.
// EXPECT: race byte[4] write @1 then read @2
import static goldilocks.test.Order.*;

class ArrayByte {
    public static void main(String[] args) {
        byte[] a = new byte[8];
        Run.turns(
            () -> a[4] = (byte) 1, // @1
            () -> {
                use(a[racy() ? 4 : 5]); // @2
                a[3] = (byte) 2;
                a[6] = (byte) 2;
            });
    }
}
