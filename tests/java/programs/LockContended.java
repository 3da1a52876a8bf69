// SPDX-License-Identifier: Apache-2.0
// Four threads, one lock, forty thousand increments: the count is exact and no race is invented.
// EXPECT: race LockContended.plain write @1 then write @2
// OUTPUT: 40000
import java.util.concurrent.locks.ReentrantLock;

class LockContended {
    static int count;
    static int plain;

    public static void main(String[] args) {
        ReentrantLock lock = new ReentrantLock();
        Run.Body work = () -> {
            for (int i = 0; i < 10_000; i++) {
                lock.lock();
                count++;
                lock.unlock();
            }
        };
        Run.all(work, work, work, work);
        Run.guarded(
            () -> plain = 1, // @1
            () -> plain = 2); // @2
        System.out.println(count);
    }
}
