// SPDX-License-Identifier: Apache-2.0
// A return, a break and a continue out of a synchronized block give the monitor back.
// EXPECT: race SyncReturn.x write @1 then write @2
import static goldilocks.test.Order.*;

class SyncReturn {
    static int x;

    static int work(Object lock, boolean inside, int value) {
        for (int i = 0; i < 2; i++) {
            synchronized (lock) {
                if (i == 0)
                    continue;
                if (inside) {
                    x = value;
                    return i;
                }
                break;
            }
        }
        x = value; // @1
        return 0;
    }

    public static void main(String[] args) {
        Object lock = new Object();
        Run.turns(() -> use(work(lock, !racy(), 1)), () -> {
            synchronized (lock) {
                x = 2; // @2
            }
        });
    }
}
