// SPDX-License-Identifier: Apache-2.0
// schedule with a delay.
// EXPECT: race Async.input write Async@late then read Async@input
// EXPECT: race Async.result write Async@result then read Async@early
import static goldilocks.test.Order.*;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

class ExecutorScheduled {
    public static void main(String[] args) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        ScheduledFuture<?>[] future = new ScheduledFuture<?>[1];
        Async.run(work -> future[0] = pool.schedule(work, 1, TimeUnit.MILLISECONDS), () -> use(future[0].get()));
        pool.shutdown();
    }
}
