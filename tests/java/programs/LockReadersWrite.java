// SPDX-License-Identifier: Apache-2.0
// Two threads write under the read lock, which lets both in.
// EXPECT: race Guard.value write Guard@inFirst then write Guard@inSecond
import static goldilocks.test.Order.*;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

class LockReadersWrite {
    public static void main(String[] args) throws Exception {
        ReentrantReadWriteLock both = new ReentrantReadWriteLock();
        Lock lock = racy() ? both.readLock() : both.writeLock();
        Guard.together(lock::lock, lock::unlock);
    }
}
