// SPDX-License-Identifier: Apache-2.0
// A row is replaced while another thread reads it: the race is on the array of rows.
// EXPECT: race int[1][] write @1 then read @2
import static goldilocks.test.Order.*;

class ArrayRows {
    public static void main(String[] args) {
        int[][] a = new int[2][2];
        int[] fresh = new int[2];
        Run.turns(
            () -> a[1] = fresh, // @1
            () -> {
                int[] row = a[racy() ? 1 : 0]; // @2
                use(row.length);
            });
    }
}
