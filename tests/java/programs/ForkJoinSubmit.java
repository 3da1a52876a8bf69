// SPDX-License-Identifier: Apache-2.0
// A task of a ForkJoinPool.
// EXPECT: race Async.input write Async@late then read Async@input
// EXPECT: race Async.result write Async@result then read Async@early
import static goldilocks.test.Order.*;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

class ForkJoinSubmit {
    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        ForkJoinTask<?>[] task = new ForkJoinTask<?>[1];
        Async.run(work -> task[0] = pool.submit(work), () -> use(task[0].join()));
        pool.shutdown();
    }
}
