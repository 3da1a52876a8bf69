// SPDX-License-Identifier: Apache-2.0
// A hundred thousand virtual threads alive at once, each with its element; a later one writes an element of one that it
// was not ordered after.
// EXPECT: race int[99998] write @1 then write @2
// JDK: 21+
// JVM: -Djdk.virtualThreadScheduler.parallelism=4
// OUTPUT: 4999950000
import static goldilocks.test.Order.*;

import java.util.concurrent.CountDownLatch;

class VirtualMany {
    static final int THREADS = 100_000;

    public static void main(String[] args) throws Exception {
        begin();
        int[] cells = new int[THREADS];
        CountDownLatch started = new CountDownLatch(THREADS);
        CountDownLatch go = new CountDownLatch(1);
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int me = i;
            threads[i] = Thread.startVirtualThread(() -> Run.call(() -> {
                started.countDown();
                go.await();
                cells[me] = me; // @1
                if (me == THREADS - 2) {
                    pass();
                    if (racy())
                        await(2);
                }
            }));
        }
        started.await();
        go.countDown();
        for (int i = 0; i < THREADS; i++)
            if (!racy() || i != THREADS - 2)
                threads[i].join();
        Thread late = Thread.startVirtualThread(() -> {
            await(1);
            cells[THREADS - 2] = THREADS - 2; // @2
            pass();
        });
        late.join();
        threads[THREADS - 2].join();
        long sum = 0;
        for (int cell : cells)
            sum += cell;
        System.out.println(sum);
    }
}
