// SPDX-License-Identifier: Apache-2.0
// A StampedLock as a Lock, for reading and for writing.
// EXPECT: race Guard.value write Guard@inFirst then write Guard@inSecond
import static goldilocks.test.Order.*;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;

class LockStampedView {
    public static void main(String[] args) throws Exception {
        StampedLock stamped = new StampedLock();
        Lock lock = racy() ? stamped.asReadLock() : stamped.asWriteLock();
        Guard.together(lock::lock, lock::unlock);
    }
}
