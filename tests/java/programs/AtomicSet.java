// SPDX-License-Identifier: Apache-2.0
// AtomicInteger.set and get.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicInteger;

class AtomicSet {
    public static void main(String[] args) throws Exception {
        AtomicInteger flag = new AtomicInteger();
        Publish.run(() -> flag.set(1), () -> must(flag.get() == 1));
    }
}
