// SPDX-License-Identifier: Apache-2.0
// A chain of stages; the last one is waited for.
// EXPECT: race Async.input write Async@late then read Async@input
// EXPECT: race Async.result write Async@result then read Async@early
import static goldilocks.test.Order.*;

import java.util.concurrent.CompletableFuture;

class FutureThen {
    public static void main(String[] args) throws Exception {
        CompletableFuture<?>[] future = new CompletableFuture<?>[1];
        Async.run(
            work -> future[0] = CompletableFuture.supplyAsync(() -> 1).thenAcceptAsync(v -> work.run()).thenApply(v -> 2),
            () -> use(future[0].get()));
    }
}
