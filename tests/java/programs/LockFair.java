// SPDX-License-Identifier: Apache-2.0
// A fair ReentrantLock held twice.
// EXPECT: race Guard.value write Guard@first then write Guard@second
import java.util.concurrent.locks.ReentrantLock;

class LockFair {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock(true);
        Guard.run(() -> {
            lock.lock();
            lock.lock();
        }, () -> {
            lock.unlock();
            lock.unlock();
        });
    }
}
