// SPDX-License-Identifier: Apache-2.0
// In a pool it is the cause of the ExecutionException.
// EXPECT: race ThrowFuture.x write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: DataRaceException 1
// OUTPUT twin: none 2
import static goldilocks.test.Order.*;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class ThrowFuture {
    static int x;

    public static void main(String[] args) throws Exception {
        begin();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<?> first = pool.submit(() -> {
            if (racy())
                meet(2);
            x = 1; // @1
            pass();
            if (racy())
                await(2);
        });
        if (!racy())
            first.get();
        Future<?> second = pool.submit(() -> {
            if (racy())
                meet(2);
            await(1);
            x = 2; // @2
        });
        String caught = "none";
        try {
            second.get();
        } catch (ExecutionException e) {
            caught = e.getCause().getClass().getSimpleName();
        }
        pass();
        first.get();
        System.out.println(caught + " " + x);
        pool.shutdown();
    }
}
