// SPDX-License-Identifier: Apache-2.0
// Another thread has the monitor between two sections of the first: it comes after the former, not after the latter.
// EXPECT: race SyncAgainTaken.x write @1 then read @2
import static goldilocks.test.Order.*;

class SyncAgainTaken {
    static final Object lock = new Object();
    static int x, y;

    static void write(int value) {
        synchronized (lock) {
            x = value; // @1
        }
    }

    public static void main(String[] args) {
        Run.all(() -> {
            for (int i = 0; i < 300; i++)
                write(i);
            pass();
            await(2);
            for (int i = 0; i < 300; i++)
                write(i);
            pass();
        }, () -> {
            await(1);
            synchronized (lock) {
                use(x);
            }
            pass();
            await(3);
            if (racy())
                use(x); // @2
            synchronized (lock) {
                use(x);
            }
        });
    }
}
