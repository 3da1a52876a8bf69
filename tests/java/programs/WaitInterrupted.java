// SPDX-License-Identifier: Apache-2.0
// A wait ended by an interrupt holds the monitor again when the exception is caught inside.
// EXPECT: race WaitInterrupted.data write @1 then write @2
import static goldilocks.test.Order.*;

class WaitInterrupted {
    static int data;

    public static void main(String[] args) {
        Object lock = new Object();
        Object other = new Object();
        Run.turns(() -> {
            synchronized (racy() ? other : lock) {
                data = 1; // @1
            }
        }, () -> {
            Thread.currentThread().interrupt();
            synchronized (lock) {
                try {
                    lock.wait();
                    must(false);
                } catch (InterruptedException e) {
                    data = 2; // @2
                }
            }
        });
    }
}
