// SPDX-License-Identifier: Apache-2.0
// AtomicStampedReference: the pair is published together.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicStampedReference;

class AtomicStamped {
    public static void main(String[] args) throws Exception {
        AtomicStampedReference<String> flag = new AtomicStampedReference<>("a", 0);
        Publish.run(() -> must(flag.compareAndSet("a", "b", 0, 1)), () -> must(flag.getStamp() == 1));
    }
}
