// SPDX-License-Identifier: Apache-2.0
// The last element of a large array.
// EXPECT: race double[999999] write @1 then write @2
import static goldilocks.test.Order.*;

class ArrayLarge {
    public static void main(String[] args) {
        double[] a = new double[1_000_000];
        Run.turns(
            () -> a[999_999] = 1, // @1
            () -> a[racy() ? 999_999 : 499_999] = 2); // @2
    }
}
