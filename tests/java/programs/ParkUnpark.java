// SPDX-License-Identifier: Apache-2.0
// park and unpark with a volatile flag; the racy run unparks before it writes.
// EXPECT: race ParkUnpark.data write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.concurrent.locks.LockSupport;

class ParkUnpark {
    static int data;
    static volatile boolean ready;

    public static void main(String[] args) {
        Thread reader = Run.start(() -> {
            while (!ready)
                LockSupport.park();
            await(1);
            use(data); // @2
            pass();
        });
        Thread writer = Run.start(() -> {
            if (!racy())
                data = 1;
            ready = true;
            LockSupport.unpark(reader);
            if (racy())
                data = 1; // @1
            pass();
            await(2);
        });
        Run.join(reader);
        Run.join(writer);
    }
}
