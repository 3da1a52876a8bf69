// SPDX-License-Identifier: Apache-2.0
// CompletableFuture.getNow sees the value.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.CompletableFuture;

class FutureGetNow {
    public static void main(String[] args) throws Exception {
        CompletableFuture<String> future = new CompletableFuture<>();
        Publish.run(() -> must(future.complete("x")), () -> must(future.getNow("y") == "x"));
    }
}
