// SPDX-License-Identifier: Apache-2.0
// A tryLock that fails takes nothing and orders nothing that its holder did inside.
// EXPECT: race LockTryFailed.x write @1 then write @2
import static goldilocks.test.Order.*;

import java.util.concurrent.locks.ReentrantLock;

class LockTryFailed {
    static int x;

    public static void main(String[] args) {
        ReentrantLock lock = new ReentrantLock();
        Run.all(() -> {
            lock.lock();
            x = 1; // @1
            if (!racy())
                lock.unlock();
            pass();
            if (racy()) {
                await(2);
                lock.unlock();
            }
        }, () -> {
            await(1);
            boolean mine = lock.tryLock();
            must(mine == !racy());
            x = 2; // @2
            pass();
            if (mine)
                lock.unlock();
        });
    }
}
