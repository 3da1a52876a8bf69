// SPDX-License-Identifier: Apache-2.0
// A lock that a program built on AbstractQueuedSynchronizer.
// EXPECT: race Guard.value write Guard@first then write Guard@second
import java.util.concurrent.locks.AbstractQueuedSynchronizer;

class LockOwn {
    public static void main(String[] args) throws Exception {
        class Own extends AbstractQueuedSynchronizer {
            @Override
            protected boolean tryAcquire(int unused) {
                return compareAndSetState(0, 1);
            }

            @Override
            protected boolean tryRelease(int unused) {
                setState(0);
                return true;
            }
        }
        Own lock = new Own();
        Guard.run(() -> lock.acquire(1), () -> lock.release(1));
    }
}
