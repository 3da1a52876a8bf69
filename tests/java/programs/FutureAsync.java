// SPDX-License-Identifier: Apache-2.0
// CompletableFuture.runAsync and join.
// EXPECT: race Async.input write Async@late then read Async@input
// EXPECT: race Async.result write Async@result then read Async@early
import static goldilocks.test.Order.*;

import java.util.concurrent.CompletableFuture;

class FutureAsync {
    public static void main(String[] args) throws Exception {
        CompletableFuture<?>[] future = new CompletableFuture<?>[1];
        Async.run(work -> future[0] = CompletableFuture.runAsync(work), () -> use(future[0].join()));
    }
}
