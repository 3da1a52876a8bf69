// SPDX-License-Identifier: Apache-2.0
// Arrays.copyOf reads what it copies.
// EXPECT: race int[2] write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.Arrays;

class ArrayCopyOf {
    public static void main(String[] args) {
        int[] a = new int[4];
        Run.guarded(
            () -> a[2] = 1, // @1
            () -> use(Arrays.copyOf(a, 3))); // @2
    }
}
