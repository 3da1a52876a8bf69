// SPDX-License-Identifier: Apache-2.0
// The read of a stream that races is not made: the exception comes out of the terminal operation, the elements before were handed on, and a
// spliterator is still in front of the element.
// EXPECT: race int[3] write @1 then read @2|@3|@4
// OPTIONS: on_race=throw
// OUTPUT racy: 0 1 2 DataRaceException; DataRaceException 3 left; DataRaceException
// OUTPUT twin: 0 1 2 3 4 none; none 2 left; none
import java.util.Arrays;
import java.util.Spliterator;

class ThrowArrayStream {
    static StringBuilder got = new StringBuilder();

    static String thrown(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName();
        }
        return "none";
    }

    public static void main(String[] args) {
        int[][] a = {{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4}};
        Run.guarded(() -> {
            for (int[] each : a)
                each[3] = 3; // @1
        }, () -> {
            String stream = thrown(() -> Arrays.stream(a[0]).forEach(x -> got.append(x).append(' '))); // @2
            Spliterator.OfInt some = Arrays.spliterator(a[1]);
            for (int i = 0; i < 3; i++)
                some.tryAdvance((int x) -> {});
            String advance = thrown(() -> some.tryAdvance((int x) -> {})); // @3
            String search = thrown(() -> Arrays.binarySearch(a[2], 3)); // @4
            got.append(stream).append("; ").append(advance).append(' ').append(some.estimateSize()).append(" left; ").append(search);
        });
        System.out.println(got);
    }
}
