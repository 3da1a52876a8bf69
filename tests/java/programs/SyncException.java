// SPDX-License-Identifier: Apache-2.0
// A synchronized block left by an exception gives its monitor back; its handler no longer holds it.
// EXPECT: race SyncException.x write @1 then write @2
import static goldilocks.test.Order.*;

class SyncException {
    static int x;

    static void work(Object lock) {
        try {
            synchronized (lock) {
                if (!racy())
                    x = 1;
                throw new IllegalStateException();
            }
        } catch (IllegalStateException e) {
            if (racy())
                x = 1; // @1
        }
    }

    public static void main(String[] args) {
        Object lock = new Object();
        Run.turns(() -> work(lock), () -> {
            synchronized (lock) {
                x = 2; // @2
            }
        });
    }
}
