// SPDX-License-Identifier: Apache-2.0
// wait() gives the monitor back at every depth, together with what was written before it.
// EXPECT: race WaitReleases.data write @1 then read @2
import static goldilocks.test.Order.*;

class WaitReleases {
    static int data;
    static boolean done;

    public static void main(String[] args) {
        Object lock = new Object();
        Run.all(() -> {
            synchronized (lock) {
                synchronized (lock) {
                    data = 1; // @1
                    pass();
                    while (!done)
                        lock.wait();
                }
            }
        }, () -> {
            await(1);
            if (racy())
                use(data); // @2
            synchronized (lock) {
                use(data);
                done = true;
                lock.notify();
            }
        });
    }
}
