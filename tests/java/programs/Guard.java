// SPDX-License-Identifier: Apache-2.0
import static goldilocks.test.Order.*;

/** Mutual exclusion under test: two threads write one field, the first before the second, each holding its lock. */
final class Guard {
    static int value;

    private Guard() {}

    /** One lock for both; the racy run's second thread forgets it. */
    static void run(Run.Body lock, Run.Body unlock) {
        both(lock, unlock, racy() ? Run.NOTHING : lock, racy() ? Run.NOTHING : unlock);
    }

    /** Each its own. Locks are taken once beforehand, so that what the JVM links at a first use orders nothing. */
    static void both(Run.Body lock, Run.Body unlock, Run.Body secondLock, Run.Body secondUnlock) {
        Run.call(lock);
        Run.call(unlock);
        Run.call(secondLock);
        Run.call(secondUnlock);
        Run.all(() -> {
            lock.run();
            value = 1; // @first
            unlock.run();
            pass();
        }, () -> {
            await(1);
            secondLock.run();
            value = 2; // @second
            secondUnlock.run();
        });
    }

    /**
     * A lock that may let both in: in the racy run they are inside at the same time, in the twin one after the other.
     */
    static void together(Run.Body lock, Run.Body unlock) {
        Run.all(() -> {
            lock.run();
            if (racy()) {
                pass();
                await(2);
            }
            value = 1; // @inFirst
            if (racy()) {
                pass();
                await(4);
            }
            unlock.run();
            pass();
        }, () -> {
            await(1);
            lock.run();
            if (racy()) {
                pass();
                await(3);
            }
            value = 2; // @inSecond
            pass();
            unlock.run();
        });
    }
}
