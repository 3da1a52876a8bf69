// SPDX-License-Identifier: Apache-2.0
// Accesses between two sections of the same monitor: the next section's end passes them on, and the last one's does not pass on what comes after it.
// EXPECT: race SyncAgainOutside.after write @1 then read @2
import static goldilocks.test.Order.*;

class SyncAgainOutside {
    static final Object lock = new Object();
    static int x, between, after;

    static void write(int value) {
        synchronized (lock) {
            x = value;
        }
    }

    public static void main(String[] args) {
        Run.turns(() -> {
            write(1);
            write(2);
            between = 1;
            write(3);
            for (int i = 0; i < 300; i++) {
                between = i;
                write(i);
                write(i);
            }
            after = 1; // @1
            if (!racy())
                write(4);
        }, () -> {
            synchronized (lock) {
                use(between);
                use(x);
                use(after); // @2
            }
        });
    }
}
