// SPDX-License-Identifier: Apache-2.0
// java.lang.reflect.Array reads and writes elements.
// EXPECT: race int[1] write @1 then read @2
import static goldilocks.test.Order.*;

import java.lang.reflect.Array;

class ReflectArray {
    public static void main(String[] args) {
        int[] a = new int[2];
        Run.guarded(
            () -> Array.setInt(a, 1, 5), // @1
            () -> use(Array.getInt(a, 1))); // @2
    }
}
