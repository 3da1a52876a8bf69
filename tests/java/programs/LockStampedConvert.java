// SPDX-License-Identifier: Apache-2.0
// An upgraded stamp protects like a write lock; the racy run writes although the upgrade failed.
// EXPECT: race LockStampedConvert.x read @1 then write @2
import static goldilocks.test.Order.*;

import java.util.concurrent.locks.StampedLock;

class LockStampedConvert {
    static int x;

    public static void main(String[] args) {
        StampedLock lock = new StampedLock();
        Run.all(() -> {
            long stamp = lock.readLock();
            if (racy()) {
                pass();
                await(2);
            }
            use(x); // @1
            pass();
            if (racy())
                await(4);
            lock.unlockRead(stamp);
            pass();
        }, () -> {
            await(racy() ? 1 : 2);
            long stamp = lock.readLock();
            if (racy()) {
                pass();
                await(3);
            }
            long upgraded = lock.tryConvertToWriteLock(stamp);
            must((upgraded == 0) == racy());
            x = 2; // @2
            pass();
            lock.unlock(upgraded == 0 ? stamp : upgraded);
        });
    }
}
