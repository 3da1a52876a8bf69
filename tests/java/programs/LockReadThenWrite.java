// SPDX-License-Identifier: Apache-2.0
// What was read under the read lock is ordered before the next writer; reading without it is not.
// EXPECT: race LockReadThenWrite.x read @1 then write @2
import static goldilocks.test.Order.*;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

class LockReadThenWrite {
    static int x;

    public static void main(String[] args) {
        ReadWriteLock lock = new ReentrantReadWriteLock();
        Run.turns(() -> {
            if (!racy())
                lock.readLock().lock();
            use(x); // @1
            if (!racy())
                lock.readLock().unlock();
        }, () -> {
            lock.writeLock().lock();
            x = 1; // @2
            lock.writeLock().unlock();
        });
    }
}
