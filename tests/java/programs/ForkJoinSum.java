// SPDX-License-Identifier: Apache-2.0
// A recursive sum: each task's field is there for the one that joined it.
// EXPECT: race Sum.result write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

class ForkJoinSum {
    static class Sum extends RecursiveAction {
        final int[] numbers;
        final int from;
        final int to;
        long result;

        Sum(int[] numbers, int from, int to) {
            this.numbers = numbers;
            this.from = from;
            this.to = to;
        }

        @Override
        protected void compute() {
            long sum = 0;
            if (to - from <= 100) {
                for (int i = from; i < to; i++)
                    sum += numbers[i];
            } else {
                Sum left = new Sum(numbers, from, (from + to) / 2);
                Sum right = new Sum(numbers, (from + to) / 2, to);
                invokeAll(left, right);
                sum = left.result + right.result;
            }
            result = sum;
        }
    }

    static class Late extends Sum {
        Late() {
            super(new int[0], 0, 0);
        }

        @Override
        protected void compute() {
            result = 5; // @1
            pass();
            if (racy())
                await(2);
        }
    }

    public static void main(String[] args) {
        begin();
        ForkJoinPool pool = new ForkJoinPool(4);
        int[] numbers = new int[10_000];
        for (int i = 0; i < numbers.length; i++)
            numbers[i] = i;
        Sum sum = new Sum(numbers, 0, numbers.length);
        pool.invoke(sum);
        must(sum.result == 49_995_000);
        Sum late = new Late();
        pool.execute(late);
        if (racy())
            await(1);
        else
            late.join();
        use(late.result); // @2
        pass();
        late.join();
        pool.shutdown();
    }
}
