// SPDX-License-Identifier: Apache-2.0
// A lambda shares a local variable of its method by an array of one element.
// EXPECT: race int[0] write @1 then read @2
import static goldilocks.test.Order.*;

class FieldCaptured {
    public static void main(String[] args) {
        int[] count = {0};
        Run.guarded(
            () -> count[0] = 1, // @1
            () -> use(count[0])); // @2
    }
}
