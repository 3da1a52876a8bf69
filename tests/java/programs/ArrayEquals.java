// SPDX-License-Identifier: Apache-2.0
// Arrays.equals reads both arrays up to the first difference.
// EXPECT: race byte[5] write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.Arrays;

class ArrayEquals {
    public static void main(String[] args) {
        byte[] a = new byte[8];
        byte[] b = new byte[8];
        b[racy() ? 6 : 4] = 1;
        Run.turns(
            () -> a[5] = 0, // @1
            () -> must(!Arrays.equals(a, b))); // @2
    }
}
