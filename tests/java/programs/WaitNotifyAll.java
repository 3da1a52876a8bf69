// SPDX-License-Identifier: Apache-2.0
// Two waiters on one monitor.
// EXPECT: race WaitNotifyAll.data write @1 then read @2
// EXPECT: race WaitNotifyAll.data write @1 then read @3
import static goldilocks.test.Order.*;

class WaitNotifyAll {
    static int data;
    static boolean ready;

    static void waitForReady(Object lock) throws InterruptedException {
        synchronized (lock) {
            while (!ready)
                lock.wait();
        }
        await(1);
    }

    public static void main(String[] args) {
        Object lock = new Object();
        Run.all(() -> {
            synchronized (lock) {
                if (!racy())
                    data = 1;
                ready = true;
                lock.notifyAll();
            }
            if (racy())
                data = 1; // @1
            pass();
        }, () -> {
            waitForReady(lock);
            use(data); // @2
        }, () -> {
            waitForReady(lock);
            use(data); // @3
        });
    }
}
