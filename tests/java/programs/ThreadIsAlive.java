// SPDX-License-Identifier: Apache-2.0
// isAlive() orders like join() when it says no, and nothing when it says yes.
// EXPECT: race ThreadIsAlive.x write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadIsAlive {
    static int x;

    public static void main(String[] args) {
        Thread thread = Run.start(() -> {
            x = 1; // @1
            pass();
            if (racy())
                await(2);
        });
        await(1);
        while (thread.isAlive() && !racy())
            Thread.yield();
        use(x); // @2
        pass();
        Run.join(thread);
    }
}
