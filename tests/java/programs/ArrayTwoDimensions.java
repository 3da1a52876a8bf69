// SPDX-License-Identifier: Apache-2.0
// Elements of the rows of int[][]: the same column of two rows is two variables.
// EXPECT: race int[1] write @1 then write @2
import static goldilocks.test.Order.*;

class ArrayTwoDimensions {
    public static void main(String[] args) {
        int[][] a = new int[4][4];
        Run.turns(
            () -> a[2][1] = 1, // @1
            () -> a[racy() ? 2 : 3][1] = 2); // @2
    }
}
