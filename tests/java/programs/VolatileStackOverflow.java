// SPDX-License-Identifier: Apache-2.0
// The stack ends in compiled code where a volatile variable is accessed, and the handler of that runs interpreted, and so deeper: nobody's lock is kept.
// EXPECT: race VolatileStackOverflow.x write @1 then write @2
// ALONE: it counts on where the stack ends
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicInteger;

class VolatileStackOverflow {
    static final int ROUNDS = 40, THREADS = 3;
    static final AtomicInteger atomic = new AtomicInteger();
    static volatile int current;
    static int x;

    static void deeperVolatile() {
        current = current + 1;
        deeperVolatile();
    }

    static void deeperAtomic() {
        atomic.incrementAndGet();
        deeperAtomic();
    }

    /** The stack does not end in the same place each time. */
    static void from(int depth, boolean isAtomic) {
        if (depth > 0)
            from(depth - 1, isAtomic);
        else if (isAtomic)
            deeperAtomic();
        else
            deeperVolatile();
    }

    static void overflow(boolean isAtomic) {
        for (int round = 0; round < ROUNDS; round++) {
            try {
                from(round, isAtomic);
            } catch (StackOverflowError e) {
                continue;
            }
            throw new IllegalStateException("the stack has no end");
        }
    }

    static void inThreads(boolean isAtomic) throws InterruptedException {
        Thread[] all = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            all[i] = new Thread(null, () -> overflow(isAtomic), "deep", 1_000_000);
            all[i].start();
        }
        for (Thread t : all)
            t.join();
    }

    public static void main(String[] args) throws InterruptedException {
        inThreads(false);
        inThreads(true);
        Run.turns(
            () -> x = 1, // @1
            () -> {
                if (racy())
                    x = 2; // @2
            });
    }
}
