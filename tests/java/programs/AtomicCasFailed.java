// SPDX-License-Identifier: Apache-2.0
// A compareAndSet that fails publishes nothing.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicInteger;

class AtomicCasFailed {
    public static void main(String[] args) throws Exception {
        AtomicInteger flag = new AtomicInteger();
        Publish.with(() -> must(flag.compareAndSet(racy() ? 7 : 0, 0) == !racy()), () -> use(flag.get()));
    }
}
