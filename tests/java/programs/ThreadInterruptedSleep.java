// SPDX-License-Identifier: Apache-2.0
// An InterruptedException out of sleep() tells of the interrupt.
// EXPECT: race ThreadInterruptedSleep.x write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadInterruptedSleep {
    static int x;

    public static void main(String[] args) {
        Thread reader = Run.start(() -> {
            try {
                Thread.sleep(100_000);
                must(false);
            } catch (InterruptedException e) {
                await(1);
            }
            use(x); // @2
            pass();
        });
        Thread writer = Run.start(() -> {
            if (!racy())
                x = 1;
            reader.interrupt();
            if (racy())
                x = 1; // @1
            pass();
            await(2);
        });
        Run.join(reader);
        Run.join(writer);
    }
}
