// SPDX-License-Identifier: Apache-2.0
// Another thread's copy comes first; the element is written later.
// EXPECT: race String[1] write @1 then read @2
import static goldilocks.test.Order.*;

class ArrayCopyEarlier {
    public static void main(String[] args) {
        String[] from = {"a", "b", "c"};
        String[] to = new String[3];
        Run.guarded(
            () -> System.arraycopy(from, 0, to, 0, 3), // @1
            () -> use(to[1])); // @2
    }
}
