// SPDX-License-Identifier: Apache-2.0
// The right one of thousands of small arrays.
// EXPECT: race int[1] write @1 then write @2
// REPORTS racy: 1
import static goldilocks.test.Order.*;

class ArrayManySmall {
    public static void main(String[] args) {
        int[][] all = new int[5000][2];
        Run.turns(() -> {
            for (int[] one : all)
                one[1] = 1; // @1
        }, () -> {
            for (int[] one : all)
                one[0] = 2;
            if (racy())
                all[4321][1] = 2; // @2
        });
    }
}
