// SPDX-License-Identifier: Apache-2.0
// A parallel stream of an array: each element is read by the thread that gets it; what was written before the stream, and is written after it,
// is ordered. Where a thread of the pool reads it, the place is still where the stream was made.
// EXPECT: race int[*] write @1 then read @2
// EXPECT: race Object[0] write @3 then read @4
// EXPECT: race Object[1] write @3 then read @4
// REPORT: Read of java\.lang\.Object\[\d\] by thread "ForkJoinPool[^"]*":\n    at ArrayStreamParallel\.lambda\$main\$\d+\(ArrayStreamParallel\.java:@4\)
// OPTIONS: dedup=no,report_limit=0
// JVM: -Djava.util.concurrent.ForkJoinPool.common.parallelism=3
// OUTPUT: 499500 499500.0 1000 499500
import static goldilocks.test.Order.*;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

class ArrayStreamParallel {
    public static void main(String[] args) {
        int[] ints = new int[1000];
        long[] longs = new long[1000];
        double[] doubles = new double[1000];
        String[] strings = new String[1000];
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 1000; i++) {
                ints[i] = i;
                longs[i] = i;
                doubles[i] = i;
                strings[i] = "x" + i;
            }
            long sum = LongStream.of(longs).parallel().sum();
            double of = Arrays.stream(doubles).parallel().map(x -> x * 2).sum() / 2;
            int all = Arrays.stream(strings).parallel().filter(x -> x.startsWith("x")).toArray(String[]::new).length;
            int each = IntStream.of(ints).parallel().boxed().mapToInt(x -> x).sum();
            if (round == 0)
                System.out.println(sum + " " + of + " " + all + " " + each);
        }
        int[] raced = new int[100];
        Object[] two = {"a", "b"};
        Object[] again = {"a", "b"};
        Run.guarded(() -> {
            for (int i = 0; i < raced.length; i++)
                raced[i] = 1; // @1
            for (int i = 0; i < 2; i++)
                two[i] = again[i]; // @3
        }, () -> {
            must(Arrays.stream(raced).parallel().sum() == 100); // @2
            Stream.of(two).parallel().forEach(x -> meet(2)); // @4
        });
    }
}
