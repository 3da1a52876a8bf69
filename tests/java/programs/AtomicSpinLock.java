// SPDX-License-Identifier: Apache-2.0
// A spin lock made of an AtomicBoolean; the racy run forgets it.
// EXPECT: race Guard.value write Guard@first then write Guard@second
import java.util.concurrent.atomic.AtomicBoolean;

class AtomicSpinLock {
    public static void main(String[] args) {
        AtomicBoolean held = new AtomicBoolean();
        Run.Body lock = () -> {
            while (!held.compareAndSet(false, true))
                Thread.onSpinWait();
        };
        Guard.run(lock, () -> held.set(false));
    }
}
