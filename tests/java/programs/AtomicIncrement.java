// SPDX-License-Identifier: Apache-2.0
// incrementAndGet by both threads.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicInteger;

class AtomicIncrement {
    public static void main(String[] args) throws Exception {
        AtomicInteger flag = new AtomicInteger();
        Publish.run(() -> use(flag.incrementAndGet()), () -> use(flag.incrementAndGet()));
    }
}
