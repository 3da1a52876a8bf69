// SPDX-License-Identifier: Apache-2.0
// A read of a volatile variable is ordered after all writes of it before, not only after the one whose value it sees.
// EXPECT: race VolatileMerge.data write @1 then read @2
import static goldilocks.test.Order.*;

class VolatileMerge {
    static int data;
    static volatile int flag;

    public static void main(String[] args) {
        Run.all(() -> {
            if (racy())
                flag = 1;
            data = 1; // @1
            if (!racy())
                flag = 1;
            pass();
        }, () -> {
            await(1);
            flag = 2;
            pass();
        }, () -> {
            await(2);
            must(flag == 2);
            use(data); // @2
        });
    }
}
