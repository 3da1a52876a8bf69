// SPDX-License-Identifier: Apache-2.0
// The stack ends where a monitor is entered, also for the first time, where a synchronized method begins, or where a volatile variable is accessed: nobody's
// monitor or lock is kept, and what they order is ordered all the same.
// EXPECT: race SyncStackOverflow.x write @1 then write @2
// ALONE: it counts on where the stack ends
import static goldilocks.test.Order.*;

class SyncStackOverflow {
    static final int ROUNDS = 100, THREADS = 3;
    static final Object lock = new Object();
    static volatile int current;
    static int byLock, byClass;
    static int x;

    static synchronized void count() {
        byClass++;
    }

    static int deeper(int kind) {
        switch (kind) {
        case 0:
            synchronized (lock) {
                byLock++;
            }
            break;
        case 1:
            current = current + 1;
            break;
        case 2:
            count();
            break;
        default:
            synchronized (new Object()) {
                kind = 3;
            }
        }
        return deeper(kind) + 1;
    }

    /** The stack does not end in the same place each time. */
    static int from(int depth, int kind) {
        return depth > 0 ? from(depth - 1, kind) + 1 : deeper(kind);
    }

    static void overflow() {
        for (int round = 0; round < ROUNDS; round++) {
            try {
                from(round % 41, round % 4);
            } catch (StackOverflowError e) {
                continue;
            }
            throw new IllegalStateException("the stack has no end");
        }
    }

    /** Monitors of all parts of the table. */
    static void meetMany() {
        for (int i = 0; i < 20_000; i++) {
            synchronized (new Object()) {
                count();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] small = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            small[i] = new Thread(null, SyncStackOverflow::overflow, "small", 256 << 10);
            small[i].start();
        }
        for (Thread t : small)
            t.join();
        meetMany();
        Run.turns(
            () -> x = 1, // @1
            () -> {
                if (racy())
                    x = 2; // @2
            });
    }
}
