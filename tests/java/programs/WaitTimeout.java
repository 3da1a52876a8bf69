// SPDX-License-Identifier: Apache-2.0
// A wait that times out takes the monitor again, and orders nothing by itself.
// EXPECT: race WaitTimeout.data write @1 then read @2
import static goldilocks.test.Order.*;

class WaitTimeout {
    static int data;

    public static void main(String[] args) {
        Object lock = new Object();
        Object other = new Object();
        Run.turns(() -> {
            synchronized (racy() ? other : lock) {
                data = 1; // @1
            }
        }, () -> {
            synchronized (lock) {
                lock.wait(1);
                lock.wait(0, 1000);
                use(data); // @2
            }
        });
    }
}
