// SPDX-License-Identifier: Apache-2.0
// ReentrantLock; the racy run forgets it.
// EXPECT: race Guard.value write Guard@first then write Guard@second
import java.util.concurrent.locks.ReentrantLock;

class LockReentrant {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Guard.run(lock::lock, lock::unlock);
    }
}
