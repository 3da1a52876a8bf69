// SPDX-License-Identifier: Apache-2.0
// A FutureTask run by a thread of one's own.
// EXPECT: race Async.input write Async@late then read Async@input
// EXPECT: race Async.result write Async@result then read Async@early
import static goldilocks.test.Order.*;

import java.util.concurrent.FutureTask;

class FutureTaskGet {
    public static void main(String[] args) throws Exception {
        FutureTask<?>[] task = new FutureTask<?>[1];
        Async.run(work -> {
            task[0] = new FutureTask<>(work, null);
            new Thread(task[0]).start();
        }, () -> use(task[0].get()));
    }
}
