// SPDX-License-Identifier: Apache-2.0
// The stack ends in compiled code where a volatile variable is accessed, and the handler of that runs interpreted, and so deeper: nobody's lock is kept.
// EXPECT: race VolatileStackOverflow.x write @1 then write @2
// ALONE: it counts on where the stack ends
import static goldilocks.test.Order.*;

class VolatileStackOverflow {
    static final int ROUNDS = 40, THREADS = 3;
    static final Object lock = new Object();
    static volatile int current;
    static int ends, x;

    static void deeper(int n) {
        current = current + 1;
        deeper(n + 1);
    }

    /** The stack does not end in the same place each time. */
    static void from(int depth, int kind) {
        if (depth > 0) {
            from(depth - 1, kind);
        } else {
            switch (kind) {
            case 0:
                deeper(0);
                break;
            default:
                throw new IllegalStateException("the stack has no end");
            }
        }
    }

    static void inThreads() throws InterruptedException {
        Thread[] all = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            Runnable r = () -> {
                for (int round = 0; round < ROUNDS; round++)
                    try {
                        from(round, 0);
                    } catch (StackOverflowError e) {
                        synchronized (lock) {
                            ends++;
                        }
                    }
            };
            all[i] = new Thread(null, r, "t" + i, 1000000);
            all[i].start();
        }
        for (Thread t : all)
            t.join();
    }

    public static void main(String[] args) throws InterruptedException {
        inThreads();
        Run.turns(
            () -> x = 1, // @1
            () -> {
                if (racy())
                    x = 2; // @2
            });
    }
}
