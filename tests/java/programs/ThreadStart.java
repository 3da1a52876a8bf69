// SPDX-License-Identifier: Apache-2.0
// What was written before start() is there for the new thread; what is written after it need not be.
// EXPECT: race ThreadStart.x write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadStart {
    static int x;

    public static void main(String[] args) {
        if (!racy())
            x = 1;
        Thread thread = Run.start(() -> {
            await(1);
            use(x); // @2
            pass();
        });
        if (racy())
            x = 1; // @1
        pass();
        await(2);
        Run.join(thread);
    }
}
