// SPDX-License-Identifier: Apache-2.0
// join(millis) orders something only if the thread had ended.
// EXPECT: race ThreadJoinTimeout.x write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadJoinTimeout {
    static int x;

    public static void main(String[] args) throws Exception {
        Thread thread = Run.start(() -> {
            x = 1; // @1
            pass();
            if (racy())
                await(2);
        });
        await(1);
        thread.join(racy() ? 1 : 60_000);
        must(racy() == thread.isAlive());
        use(x); // @2
        pass();
        thread.join();
    }
}
