// SPDX-License-Identifier: Apache-2.0
// An optimistic read behind a writer is ordered by the stamp; before a writer it is not, and the writer races with it.
// EXPECT: race Point.x read @1 then write @2
import static goldilocks.test.Order.*;

import java.util.concurrent.locks.StampedLock;

class LockStampedOptimistic {
    static class Point {
        final StampedLock lock = new StampedLock();
        int x;

        void set(int value) {
            long stamp = lock.writeLock();
            x = value; // @2
            lock.unlockWrite(stamp);
        }

        int get() {
            long stamp = lock.tryOptimisticRead();
            int value = x; // @1
            must(lock.validate(stamp));
            return value;
        }
    }

    public static void main(String[] args) {
        Point point = new Point();
        point.set(1);
        use(point.get());
        if (racy())
            Run.turns(() -> use(point.get()), () -> point.set(2));
        else
            Run.turns(() -> point.set(2), () -> use(point.get()));
    }
}
