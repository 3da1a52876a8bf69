// SPDX-License-Identifier: Apache-2.0
// Arrays.fill writes a range.
// EXPECT: race long[3] read @1 then write @2
import static goldilocks.test.Order.*;

import java.util.Arrays;

class ArrayFill {
    public static void main(String[] args) {
        long[] a = new long[8];
        Run.turns(
            () -> use(a[3]), // @1
            () -> Arrays.fill(a, racy() ? 3 : 4, 8, 1L)); // @2
    }
}
