// SPDX-License-Identifier: Apache-2.0
// A parallel stream that writes to its own elements, and one that writes to one variable.
// EXPECT: race int[0] write @1 then write @2
// JVM: -Djava.util.concurrent.ForkJoinPool.common.parallelism=3
import static goldilocks.test.Order.*;

import java.util.stream.IntStream;

class StreamParallel {
    static void element(int i, int[] shared) {
        meet(2);
        if (i == 0) {
            shared[0] = 1; // @1
            pass();
            await(2);
        } else {
            await(1);
            shared[racy() ? 0 : 1] = 2; // @2
            pass();
        }
    }

    public static void main(String[] args) {
        begin();
        int[] squares = new int[1000];
        IntStream.range(0, squares.length).parallel().forEach(i -> squares[i] = i * i);
        long sum = 0;
        for (int square : squares)
            sum += square;
        must(sum == 332_833_500);
        int[] shared = new int[2];
        IntStream.range(0, 2).parallel().forEach(i -> element(i, shared));
        use(shared[0]);
    }
}
