// SPDX-License-Identifier: Apache-2.0
// A wait inside of a monitor that the thread has entered again and again gives away all that it wrote there, and what it writes afterwards with the end.
// EXPECT: race SyncAgainWait.later write @1 then read @2
import static goldilocks.test.Order.*;

class SyncAgainWait {
    static final Object lock = new Object();
    static int x, later;
    static boolean done;

    static void write(int value) {
        synchronized (lock) {
            x = value;
        }
    }

    public static void main(String[] args) {
        Run.all(() -> {
            for (int i = 0; i < 300; i++)
                write(i);
            synchronized (lock) {
                x = 1;
                pass();
                while (!done)
                    lock.wait();
                later = 1; // @1
            }
            for (int i = 0; i < 300; i++)
                write(i);
            pass();
        }, () -> {
            await(1);
            synchronized (lock) {
                x = 2;
                done = true;
                lock.notify();
            }
            await(2);
            if (racy())
                use(later); // @2
            synchronized (lock) {
                use(later);
                use(x);
            }
        });
    }
}
