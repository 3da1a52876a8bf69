// SPDX-License-Identifier: Apache-2.0
// A write after the lock was given back is not protected by it.
// EXPECT: race SyncEarlyRelease.x write @1 then read @2
import static goldilocks.test.Order.*;

class SyncEarlyRelease {
    static int x;

    public static void main(String[] args) {
        Object lock = new Object();
        Run.turns(() -> {
            synchronized (lock) {
                if (!racy())
                    x = 1;
            }
            if (racy())
                x = 1; // @1
        }, () -> {
            synchronized (lock) {
                use(x); // @2
            }
        });
    }
}
