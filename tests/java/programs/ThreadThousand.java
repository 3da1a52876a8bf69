// SPDX-License-Identifier: Apache-2.0
// A thousand threads, each with its slot and a sum under one lock; the racy run's last two share a slot.
// EXPECT: race long[998] write @1 then write @2
import static goldilocks.test.Order.*;

class ThreadThousand {
    static final int THREADS = 1000;
    static long sum;

    public static void main(String[] args) throws Exception {
        begin();
        long[] slots = new long[THREADS];
        Object lock = new Object();
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                synchronized (lock) {
                    sum += me;
                }
                if (me < THREADS - 1)
                    slots[me] = me; // @1
                if (me == THREADS - 2) {
                    pass();
                    if (racy())
                        await(2);
                }
                if (me == THREADS - 1) {
                    await(1);
                    slots[racy() ? me - 1 : me] = me; // @2
                    pass();
                }
            });
        }
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        must(sum == THREADS * (THREADS - 1) / 2);
    }
}
