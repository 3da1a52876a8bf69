// SPDX-License-Identifier: Apache-2.0
// Two threads with two ReentrantLocks.
// EXPECT: race Guard.value write Guard@first then write Guard@second
import static goldilocks.test.Order.*;

import java.util.concurrent.locks.ReentrantLock;

class LockWrong {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        ReentrantLock other = racy() ? new ReentrantLock() : lock;
        Guard.both(lock::lock, lock::unlock, other::lock, other::unlock);
    }
}
