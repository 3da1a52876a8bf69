// SPDX-License-Identifier: Apache-2.0
// A waiter that was notified sees what was written under the monitor.
// EXPECT: race WaitNotify.data write @1 then read @2
import static goldilocks.test.Order.*;

class WaitNotify {
    static int data;
    static boolean ready;

    public static void main(String[] args) {
        Object lock = new Object();
        Run.all(() -> {
            synchronized (lock) {
                if (!racy())
                    data = 1;
                ready = true;
                lock.notify();
            }
            if (racy())
                data = 1; // @1
            pass();
        }, () -> {
            synchronized (lock) {
                while (!ready)
                    lock.wait();
            }
            await(1);
            use(data); // @2
        });
    }
}
