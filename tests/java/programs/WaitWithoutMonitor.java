// SPDX-License-Identifier: Apache-2.0
// wait and notify without the monitor throw what they always threw.
// EXPECT: race WaitWithoutMonitor.data write @1 then write @2
// OUTPUT: current thread is not owner
// OUTPUT: current thread is not owner
// OUTPUT: timeout value is negative
import static goldilocks.test.Order.*;

class WaitWithoutMonitor {
    static int data;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        try {
            lock.wait();
            must(false);
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            lock.notifyAll();
            must(false);
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
        synchronized (lock) {
            try {
                lock.wait(-1);
                must(false);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        Run.guarded(
            () -> data = 1, // @1
            () -> data = 2); // @2
    }
}
