// SPDX-License-Identifier: Apache-2.0
// ExecutorCompletionService hands on what is done.
// EXPECT: race Async.input write Async@late then read Async@input
// EXPECT: race Async.result write Async@result then read Async@early
import static goldilocks.test.Order.*;

import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

class ExecutorCompletionQueue {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        ExecutorCompletionService<String> done = new ExecutorCompletionService<>(pool);
        Async.run(work -> done.submit(work, "x"), () -> must(done.take().get() == "x"));
        pool.shutdown();
    }
}
