// SPDX-License-Identifier: Apache-2.0
// interrupt() is ordered before the moment at which its thread sees it.
// EXPECT: race ThreadInterrupt.x write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadInterrupt {
    static int x;

    public static void main(String[] args) {
        Thread reader = Run.start(() -> {
            while (!Thread.interrupted())
                Thread.yield();
            await(1);
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
