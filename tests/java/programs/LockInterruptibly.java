// SPDX-License-Identifier: Apache-2.0
// lockInterruptibly.
// EXPECT: race Guard.value write Guard@first then write Guard@second
import java.util.concurrent.locks.ReentrantLock;

class LockInterruptibly {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Guard.run(lock::lockInterruptibly, lock::unlock);
    }
}
