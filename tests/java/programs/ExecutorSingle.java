// SPDX-License-Identifier: Apache-2.0
// Tasks of one single-threaded executor are ordered; tasks of two are not.
// EXPECT: race ExecutorSingle.x write @1 then write @2
import static goldilocks.test.Order.*;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

class ExecutorSingle {
    static int x;

    public static void main(String[] args) {
        begin();
        ExecutorService one = Executors.newSingleThreadExecutor();
        ExecutorService two = racy() ? Executors.newSingleThreadExecutor() : one;
        one.execute(() -> {
            if (racy())
                meet(2);
            x = 1; // @1
            pass();
            if (racy())
                await(2);
        });
        two.execute(() -> {
            if (racy())
                meet(2);
            await(1);
            x = 2; // @2
            pass();
        });
        one.shutdown();
        two.shutdown();
    }
}
