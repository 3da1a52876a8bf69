// SPDX-License-Identifier: Apache-2.0
// join() orders what the thread wrote before what follows.
// EXPECT: race ThreadJoin.x write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadJoin {
    static int x;

    public static void main(String[] args) {
        Thread thread = Run.start(() -> {
            x = 1; // @1
            pass();
            if (racy())
                await(2);
        });
        if (racy())
            await(1);
        else
            Run.join(thread);
        use(x); // @2
        pass();
        Run.join(thread);
    }
}
