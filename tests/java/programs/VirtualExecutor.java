// SPDX-License-Identifier: Apache-2.0
// An executor with a virtual thread for each task.
// EXPECT: race Async.input write Async@late then read Async@input
// EXPECT: race Async.result write Async@result then read Async@early
// JDK: 21+
// JVM: -Djdk.virtualThreadScheduler.parallelism=4
import static goldilocks.test.Order.*;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class VirtualExecutor {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor();
        Future<?>[] future = new Future<?>[1];
        Async.run(work -> future[0] = pool.submit(work), () -> use(future[0].get()));
        pool.close();
    }
}
