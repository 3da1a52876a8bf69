// SPDX-License-Identifier: Apache-2.0
// A lock given back in finally.
// EXPECT: race ThrowLock.x write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: DataRaceException unlocked 1
// OUTPUT twin: none unlocked 2
import static goldilocks.test.Order.*;

import java.util.concurrent.locks.ReentrantLock;

class ThrowLock {
    static int x;
    static String caught = "none";

    static void set(ReentrantLock lock, int value) {
        lock.lock();
        try {
            x = value; // @1 @2
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) {
        ReentrantLock one = new ReentrantLock();
        ReentrantLock two = racy() ? new ReentrantLock() : one;
        Run.turns(() -> set(one, 1), () -> {
            try {
                set(two, 2);
            } catch (RuntimeException e) {
                caught = e.getClass().getSimpleName();
            }
        });
        System.out.println(caught + (two.isLocked() ? " locked " : " unlocked ") + x);
    }
}
