// SPDX-License-Identifier: Apache-2.0
// A copy that must fail throws what it always threw, and touches nothing.
// EXPECT: race int[0] write @1 then write @2
// OUTPUT: ArrayIndexOutOfBoundsException
// OUTPUT: ArrayStoreException
// OUTPUT: NullPointerException
import static goldilocks.test.Order.*;

class ArrayCopyWrong {
    static void show(Object from, int at, Object to, int n) {
        try {
            System.arraycopy(from, at, to, 0, n);
            must(false);
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName());
        }
    }

    public static void main(String[] args) {
        int[] a = new int[3];
        Run.turns(
            () -> a[0] = 1, // @1
            () -> {
                show(new int[5], 4, a, 2);
                show(new long[5], 0, a, 2);
                show(null, 0, a, 2);
                if (racy())
                    a[0] = 2; // @2
            });
    }
}
