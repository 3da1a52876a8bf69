// SPDX-License-Identifier: Apache-2.0
// A ReentrantLock given back in finally, and one that was given back too early.
// EXPECT: race LockException.x write @1 then write @2
import static goldilocks.test.Order.*;

import java.util.concurrent.locks.ReentrantLock;

class LockException {
    static int x;

    static void work(ReentrantLock lock) {
        try {
            lock.lock();
            try {
                if (!racy())
                    x = 1;
                throw new IllegalStateException();
            } finally {
                lock.unlock();
            }
        } catch (IllegalStateException e) {
            if (racy())
                x = 1; // @1
        }
    }

    public static void main(String[] args) {
        ReentrantLock lock = new ReentrantLock();
        Run.turns(() -> work(lock), () -> {
            lock.lock();
            x = 2; // @2
            lock.unlock();
        });
    }
}
