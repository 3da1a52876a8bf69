// SPDX-License-Identifier: Apache-2.0
// A future completed by an exception.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.CompletableFuture;

class FutureExceptionally {
    public static void main(String[] args) throws Exception {
        CompletableFuture<String> future = new CompletableFuture<>();
        Publish.run(
            () -> must(future.completeExceptionally(new IllegalStateException())),
            () -> must(future.isCompletedExceptionally()));
    }
}
