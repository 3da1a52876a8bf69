// SPDX-License-Identifier: Apache-2.0
// A volatile write inside of a monitor that the thread has entered again and again passes on what was written before it, now and in the sections before;
// written once more, with nothing in between, it passes on no more.
// EXPECT: race SyncAgainVolatile.after write @1 then read @2
import static goldilocks.test.Order.*;

class SyncAgainVolatile {
    static final Object lock = new Object();
    static int x, y, after;
    static volatile int told;

    static void write(int value) {
        synchronized (lock) {
            x = value;
        }
    }

    public static void main(String[] args) {
        Run.turns(() -> {
            for (int i = 0; i < 300; i++)
                write(i);
            synchronized (lock) {
                y = 1;
                for (int i = 0; i < 600; i++)
                    told = i;
                after = 1; // @1
                if (!racy())
                    told = 1;
            }
            for (int i = 0; i < 300; i++)
                write(i);
        }, () -> {
            use(told);
            use(y);
            use(after); // @2
            synchronized (lock) {
                use(x);
            }
        });
    }
}
