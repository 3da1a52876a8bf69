// SPDX-License-Identifier: Apache-2.0
// A writer takes the read lock before it gives the write lock back.
// EXPECT: race LockDowngrade.x write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.concurrent.locks.ReentrantReadWriteLock;

class LockDowngrade {
    static int x;

    public static void main(String[] args) {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Run.all(() -> {
            lock.writeLock().lock();
            if (!racy())
                x = 1;
            lock.readLock().lock();
            lock.writeLock().unlock();
            if (racy())
                x = 1; // @1
            pass();
            await(2);
            lock.readLock().unlock();
        }, () -> {
            await(1);
            lock.readLock().lock();
            use(x); // @2
            pass();
            lock.readLock().unlock();
        });
    }
}
