// SPDX-License-Identifier: Apache-2.0
// Writers of a ReentrantReadWriteLock; the racy run forgets the lock.
// EXPECT: race Guard.value write Guard@first then write Guard@second
import java.util.concurrent.locks.ReentrantReadWriteLock;

class LockReadWrite {
    public static void main(String[] args) throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Guard.run(lock.writeLock()::lock, lock.writeLock()::unlock);
    }
}
