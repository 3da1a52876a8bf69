// SPDX-License-Identifier: Apache-2.0
// Two conditions of one lock make a buffer of one place; the racy run's producer writes on after it was full.
// EXPECT: race Slot.value read @3 then write @1
// EXPECT: race Slot.value write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

class LockConditionTwo {
    static class Slot {
        final Lock lock = new ReentrantLock();
        final Condition notFull = lock.newCondition();
        final Condition notEmpty = lock.newCondition();
        boolean full;
        int value;

        void put(int v) throws InterruptedException {
            lock.lock();
            try {
                while (full)
                    notFull.await();
                value = v;
                full = true;
                notEmpty.signal();
            } finally {
                lock.unlock();
            }
        }

        int take() throws InterruptedException {
            lock.lock();
            try {
                while (!full)
                    notEmpty.await();
                full = false;
                notFull.signal();
                return value; // @3
            } finally {
                lock.unlock();
            }
        }
    }

    static final int ROUNDS = 100;

    public static void main(String[] args) {
        Slot slot = new Slot();
        Run.all(() -> {
            for (int i = 0; i < ROUNDS; i++)
                slot.put(i);
            if (racy()) {
                await(1);
                slot.value = -1; // @1
                pass();
            }
        }, () -> {
            for (int i = 0; i < ROUNDS; i++)
                must(slot.take() == i);
            if (racy()) {
                pass();
                await(2);
                use(slot.value); // @2
            }
        });
    }
}
