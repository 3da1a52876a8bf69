// SPDX-License-Identifier: Apache-2.0
// System.arraycopy reads its source.
// EXPECT: race int[5] write @1 then read @2
import static goldilocks.test.Order.*;

class ArrayCopySource {
    public static void main(String[] args) {
        int[] from = new int[10];
        int[] to = new int[10];
        Run.turns(
            () -> from[5] = 1, // @1
            () -> System.arraycopy(from, racy() ? 5 : 6, to, 0, 4)); // @2
    }
}
