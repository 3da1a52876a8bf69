// SPDX-License-Identifier: Apache-2.0
// Two threads started one after the other are not ordered by that.
// EXPECT: race ThreadSiblings.x write @1 then write @2
import static goldilocks.test.Order.*;

class ThreadSiblings {
    static int x;

    public static void main(String[] args) throws Exception {
        Thread first = Run.start(() -> {
            if (racy())
                await(1);
            x = 1; // @1
            pass();
            if (racy())
                await(3);
        });
        if (!racy())
            first.join();
        Thread second = Run.start(() -> {
            pass();
            if (racy())
                await(2);
            x = 2; // @2
            pass();
        });
        second.join();
        first.join();
    }
}
