// SPDX-License-Identifier: Apache-2.0
// A pool whose threads come from the program's own factory.
// EXPECT: race Async.input write Async@late then read Async@input
// EXPECT: race Async.result write Async@result then read Async@early
import static goldilocks.test.Order.*;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class ExecutorFactory {
    public static void main(String[] args) throws Exception {
        begin();
        ExecutorService pool = Executors.newSingleThreadExecutor(body -> {
            Thread thread = new Thread(body, "made here");
            thread.setDaemon(true);
            return thread;
        });
        Future<?>[] future = new Future<?>[1];
        Async.run(work -> future[0] = pool.submit(work, "x"), () -> use(future[0].get()));
    }
}
