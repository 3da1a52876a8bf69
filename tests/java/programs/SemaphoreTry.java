// SPDX-License-Identifier: Apache-2.0
// tryAcquire of several permits of a fair semaphore.
// EXPECT: race Guard.value write Guard@first then write Guard@second
import static goldilocks.test.Order.*;

import java.util.concurrent.Semaphore;

class SemaphoreTry {
    public static void main(String[] args) throws Exception {
        Semaphore semaphore = new Semaphore(3, true);
        Guard.run(() -> must(semaphore.tryAcquire(2)), () -> semaphore.release(2));
    }
}
