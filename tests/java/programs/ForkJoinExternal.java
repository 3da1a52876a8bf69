// SPDX-License-Identifier: Apache-2.0
// Tasks given to a pool from outside, while its threads look for some: what comes before the submission comes before the task.
// EXPECT: race Box.value write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

class ForkJoinExternal {
    static class Box {
        int value;
    }

    public static void main(String[] args) throws InterruptedException {
        ForkJoinPool pool = new ForkJoinPool(2);
        for (int i = 0; i < 20000; i++) {
            Box box = new Box();
            box.value = i;
            pool.execute(() -> use(box.value));
        }
        Box late = new Box();
        if (!racy())
            late.value = 1;
        pool.execute(() -> {
            pass();
            await(2);
            use(late.value); // @2
            pass();
        });
        await(1);
        if (racy())
            late.value = 2; // @1
        pass();
        await(3);
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}
