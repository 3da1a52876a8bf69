// SPDX-License-Identifier: Apache-2.0
// tryLock, with and without a time.
// EXPECT: race Guard.value write Guard@first then write Guard@second
import static goldilocks.test.Order.*;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

class LockTry {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Guard.run(() -> must(lock.tryLock() && lock.tryLock(1, TimeUnit.SECONDS)), () -> {
            lock.unlock();
            lock.unlock();
        });
    }
}
