// SPDX-License-Identifier: Apache-2.0
// What is written between the inner and the outer exit is still protected.
// EXPECT: race SyncReentrantTail.x write @1 then write @2
import static goldilocks.test.Order.*;

class SyncReentrantTail {
    static int x;

    public static void main(String[] args) {
        Object lock = new Object();
        Run.turns(() -> {
            synchronized (lock) {
                synchronized (lock) {
                    use(x);
                }
                if (!racy())
                    x = 1;
            }
            if (racy())
                x = 1; // @1
        }, () -> {
            synchronized (lock) {
                synchronized (lock) {
                    use(0);
                }
                x = 2; // @2
            }
        });
    }
}
