// SPDX-License-Identifier: Apache-2.0
// execute, shutdown and awaitTermination.
// EXPECT: race Async.input write Async@late then read Async@input
// EXPECT: race Async.result write Async@result then read Async@early
import static goldilocks.test.Order.*;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

class ExecutorTermination {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        Async.run(pool::execute, () -> {
            pool.shutdown();
            must(pool.awaitTermination(50, TimeUnit.SECONDS));
        });
    }
}
