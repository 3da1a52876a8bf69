// SPDX-License-Identifier: Apache-2.0
// Two virtual threads that race.
// EXPECT: race VirtualRace.x write @1 then write @2
// JDK: 21+
// JVM: -Djdk.virtualThreadScheduler.parallelism=4
import static goldilocks.test.Order.*;

class VirtualRace {
    static int x;

    public static void main(String[] args) throws Exception {
        begin();
        Object lock = new Object();
        Thread first = Thread.startVirtualThread(() -> {
            meet(2);
            if (racy())
                x = 1; // @1
            else
                synchronized (lock) {
                    x = 1;
                }
            pass();
            await(2);
        });
        Thread second = Thread.startVirtualThread(() -> {
            meet(2);
            await(1);
            if (racy())
                x = 2; // @2
            else
                synchronized (lock) {
                    x = 2;
                }
            pass();
        });
        first.join();
        second.join();
    }
}
