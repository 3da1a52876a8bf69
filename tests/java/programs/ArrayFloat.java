// SPDX-License-Identifier: Apache-2.0
// The elements of float[], where every element has a cell: the same element races, its neighbours do not.
// EXPECT: race float[4] write @1 then write @2
import static goldilocks.test.Order.*;

class ArrayFloat {
    public static void main(String[] args) {
        float[] a = new float[8];
        Run.turns(
            () -> a[4] = 1.5f, // @1
            () -> {
                a[racy() ? 4 : 5] = 2.5f; // @2
                a[3] = 2.5f;
                a[6] = 2.5f;
            });
    }
}
