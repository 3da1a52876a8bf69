// SPDX-License-Identifier: Apache-2.0
// CompletableFuture.complete and join.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.CompletableFuture;

class FutureComplete {
    public static void main(String[] args) throws Exception {
        CompletableFuture<String> future = new CompletableFuture<>();
        Publish.run(() -> must(future.complete("x")), () -> must(future.join() == "x"));
    }
}
