// SPDX-License-Identifier: Apache-2.0
// getAndSet of an AtomicBoolean.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicBoolean;

class AtomicBooleanSet {
    public static void main(String[] args) throws Exception {
        AtomicBoolean flag = new AtomicBoolean();
        Publish.run(() -> must(!flag.getAndSet(true)), () -> must(flag.get()));
    }
}
