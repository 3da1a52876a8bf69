// SPDX-License-Identifier: Apache-2.0
// An element deep in long[][][].
// EXPECT: race long[2] write @1 then read @2
import static goldilocks.test.Order.*;

class ArrayThreeDimensions {
    public static void main(String[] args) {
        long[][][] a = new long[2][3][4];
        Run.guarded(
            () -> a[1][2][2] = 1, // @1
            () -> use(a[1][2][2])); // @2
    }
}
