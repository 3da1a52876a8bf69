// SPDX-License-Identifier: Apache-2.0
// invokeAll: what the tasks wrote is there when it returns; the tasks are not ordered among themselves.
// EXPECT: race int[0] write @1 then write @2
import static goldilocks.test.Order.*;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class ExecutorInvokeAll {
    public static void main(String[] args) throws Exception {
        begin();
        int[] results = new int[2];
        Callable<Integer> first = () -> {
            meet(2);
            results[0] = 1; // @1
            pass();
            await(2);
            return 1;
        };
        Callable<Integer> second = () -> {
            meet(2);
            await(1);
            results[racy() ? 0 : 1] = 2; // @2
            pass();
            return 2;
        };
        ExecutorService pool = Executors.newFixedThreadPool(2);
        int sum = 0;
        for (Future<Integer> future : pool.invokeAll(List.of(first, second)))
            sum += future.get();
        must(sum == 3);
        use(results[0] + results[1]);
        pool.shutdown();
    }
}
