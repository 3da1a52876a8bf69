// SPDX-License-Identifier: Apache-2.0
// A thread seen TERMINATED has ended for the one that looked.
// EXPECT: race ThreadState.x write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadState {
    static int x;

    public static void main(String[] args) {
        Thread thread = Run.start(() -> {
            x = 1; // @1
            pass();
            if (racy())
                await(2);
        });
        await(1);
        while (thread.getState() != Thread.State.TERMINATED && !racy())
            Thread.yield();
        use(x); // @2
        pass();
        Run.join(thread);
    }
}
