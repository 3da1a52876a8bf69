// SPDX-License-Identifier: Apache-2.0
// submit and Future.get.
// EXPECT: race Async.input write Async@late then read Async@input
// EXPECT: race Async.result write Async@result then read Async@early
import static goldilocks.test.Order.*;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class ExecutorSubmit {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<?>[] future = new Future<?>[1];
        Async.run(work -> future[0] = pool.submit(work), () -> use(future[0].get()));
        pool.shutdown();
    }
}
