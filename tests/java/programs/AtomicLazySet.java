// SPDX-License-Identifier: Apache-2.0
// lazySet is a release write.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicLong;

class AtomicLazySet {
    public static void main(String[] args) throws Exception {
        AtomicLong flag = new AtomicLong();
        Publish.run(() -> flag.lazySet(1), () -> must(flag.get() == 1));
    }
}
