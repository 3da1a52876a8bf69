// SPDX-License-Identifier: Apache-2.0
// updateAndGet and accumulateAndGet.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicLong;

class AtomicUpdate {
    public static void main(String[] args) throws Exception {
        AtomicLong flag = new AtomicLong(1);
        Publish.run(() -> use(flag.updateAndGet(v -> v * 2)), () -> must(flag.accumulateAndGet(3, Long::sum) == 5));
    }
}
