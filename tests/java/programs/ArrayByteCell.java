// SPDX-License-Identifier: Apache-2.0
// Four threads write the four bytes of a cell; then one of them writes another one's.
// EXPECT: race byte[1] write @1 then write @2
import static goldilocks.test.Order.*;

class ArrayByteCell {
    public static void main(String[] args) {
        byte[] a = new byte[4];
        Run.all(() -> {
            a[0] = 1;
            pass();
        }, () -> {
            await(1);
            a[1] = 1; // @1
            pass();
        }, () -> {
            await(2);
            a[2] = 1;
            pass();
        }, () -> {
            await(3);
            a[3] = 1;
            if (racy())
                a[1] = 2; // @2
        });
    }
}
