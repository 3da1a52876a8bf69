// SPDX-License-Identifier: Apache-2.0
// Arrays.sort writes the elements of its range.
// EXPECT: race int[4] read @1 then write @2
import static goldilocks.test.Order.*;

import java.util.Arrays;

class ArraySort {
    public static void main(String[] args) {
        int[] a = {5, 4, 3, 2, 1, 0};
        Run.turns(
            () -> use(a[4]), // @1
            () -> Arrays.sort(a, 0, racy() ? 5 : 4)); // @2
    }
}
