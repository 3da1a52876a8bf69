// SPDX-License-Identifier: Apache-2.0
// A waiter on a Condition sees what was written before signal, under the lock.
// EXPECT: race LockCondition.data write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

class LockCondition {
    static int data;
    static boolean ready;

    public static void main(String[] args) {
        ReentrantLock lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        Run.all(() -> {
            lock.lock();
            if (!racy())
                data = 1;
            ready = true;
            changed.signal();
            lock.unlock();
            if (racy())
                data = 1; // @1
            pass();
        }, () -> {
            lock.lock();
            while (!ready)
                changed.await();
            lock.unlock();
            await(1);
            use(data); // @2
        });
    }
}
