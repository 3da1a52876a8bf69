// SPDX-License-Identifier: Apache-2.0
// System.arraycopy writes its target.
// EXPECT: race byte[6] read @1 then write @2
import static goldilocks.test.Order.*;

class ArrayCopyTarget {
    public static void main(String[] args) {
        byte[] from = new byte[10];
        byte[] to = new byte[10];
        Run.turns(
            () -> use(to[6]), // @1
            () -> System.arraycopy(from, 0, to, 2, racy() ? 5 : 4)); // @2
    }
}
