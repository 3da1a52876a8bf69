// SPDX-License-Identifier: Apache-2.0
// Readers of one half of a cell, a writer of the other half.
// EXPECT: race char[0] read @1 then write @2
import static goldilocks.test.Order.*;

class ArrayCharReaders {
    public static void main(String[] args) {
        char[] a = new char[2];
        Run.all(() -> {
            use(a[0]); // @1
            pass();
        }, () -> {
            await(1);
            if (!racy())
                use(a[0]);
            pass();
        }, () -> {
            await(2);
            a[racy() ? 0 : 1] = 'x'; // @2
        });
    }
}
