// SPDX-License-Identifier: Apache-2.0
// The flag was read before it was written: reading it is no order yet.
// EXPECT: race VolatileReadTooEarly.data write @1 then read @2
import static goldilocks.test.Order.*;

class VolatileReadTooEarly {
    static int data;
    static volatile boolean flag;

    public static void main(String[] args) {
        Run.all(() -> {
            await(1);
            data = 1; // @1
            flag = true;
            pass();
        }, () -> {
            must(!flag);
            pass();
            await(2);
            if (!racy())
                must(flag);
            use(data); // @2
        });
    }
}
