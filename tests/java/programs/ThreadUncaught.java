// SPDX-License-Identifier: Apache-2.0
// A thread that dies of an exception ends like any other, behind its handler.
// EXPECT: race ThreadUncaught.x write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadUncaught {
    static int x;

    public static void main(String[] args) {
        begin();
        Thread thread = new Thread(() -> {
            throw new IllegalStateException();
        });
        thread.setUncaughtExceptionHandler((t, e) -> {
            x = 1; // @1
            pass();
            if (racy())
                await(2);
        });
        thread.start();
        if (racy())
            await(1);
        else
            Run.join(thread);
        use(x); // @2
        pass();
        Run.join(thread);
    }
}
