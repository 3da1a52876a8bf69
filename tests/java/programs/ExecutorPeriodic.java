// SPDX-License-Identifier: Apache-2.0
// Runs of one periodic task are ordered even when different threads of the pool do them.
// EXPECT: race ExecutorPeriodic.count write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

class ExecutorPeriodic {
    static final int RUNS = 20;
    static int count;

    public static void main(String[] args) throws Exception {
        begin();
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(3);
        CountDownLatch done = new CountDownLatch(1);
        pool.scheduleAtFixedRate(() -> {
            if (count == RUNS)
                return;
            count++; // @1
            if (count < RUNS)
                return;
            pass();
            if (racy())
                await(2);
            done.countDown();
        }, 0, 100, TimeUnit.MICROSECONDS);
        if (racy())
            await(1);
        else
            done.await();
        use(count); // @2
        pass();
        done.await();
        pool.shutdownNow();
    }
}
