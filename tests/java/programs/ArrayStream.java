// SPDX-License-Identifier: Apache-2.0
// Streams and spliterators of arrays read the elements that they traverse, when they do; the place is where they were made. Five of eight are
// traversed in the twin: 5, the sixth one, and 7 are not read.
// EXPECT: race Object[5] write @Object then read @Object1|@Object2|@Object3|@Object4
// EXPECT: race int[5] write @int then read @int1|@int2|@int3|@int4
// EXPECT: race long[5] write @long then read @long1|@long2|@long3|@long4
// EXPECT: race double[5] write @double then read @double1|@double2|@double3|@double4
// REPORTS racy: 16
import static goldilocks.test.Order.*;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

class ArrayStream {
    static final int N = racy() ? 6 : 5;

    public static void main(String[] args) {
        Object[][] objects = new Object[4][8];
        int[][] ints = new int[4][8];
        long[][] longs = new long[4][8];
        double[][] doubles = new double[4][8];
        for (Object[] a : objects)
            Arrays.fill(a, "x");
        Run.turns(() -> {
            for (int k = 0; k < 4; k++) {
                objects[k][5] = "x"; // @Object
                ints[k][5] = 0; // @int
                longs[k][5] = 0; // @long
                doubles[k][5] = 0; // @double
                objects[k][7] = "x";
                ints[k][7] = 0;
                longs[k][7] = 0;
                doubles[k][7] = 0;
            }
        }, () -> {
            objects(objects);
            ints(ints);
            longs(longs);
            doubles(doubles);
        });
    }

    private static void objects(Object[][] a) {
        must(Arrays.stream(a[0]).limit(N).allMatch("x"::equals)); // @Object1
        Stream<Object> range = Arrays.stream(a[1], 0, 8);
        must(range.count() == 8); // reads nothing
        range = Arrays.stream(a[1], 1, N); // @Object2
        must(range.filter("x"::equals).count() == N - 1);
        Spliterator<Object> rest = Arrays.spliterator(a[2], 0, N); // @Object3
        must(rest.trySplit().estimateSize() == N / 2);
        rest.forEachRemaining(x -> must(x == "x"));
        Iterator<Object> of = Stream.of(a[3]).iterator(); // @Object4
        for (int i = 0; i < N; i++)
            must(of.next() == "x");
    }

    private static void ints(int[][] a) {
        must(Arrays.stream(a[0]).limit(N).allMatch(x -> x == 0)); // @int1
        IntStream range = Arrays.stream(a[1], 1, N); // @int2
        must(range.sum() == 0);
        Spliterator.OfInt all = Arrays.spliterator(a[2]); // @int3
        for (int i = 0; i < N; i++)
            must(all.tryAdvance((int x) -> must(x == 0)));
        must(IntStream.of(a[3]).limit(N).sum() == 0); // @int4
    }

    private static void longs(long[][] a) {
        must(Arrays.stream(a[0]).limit(N).allMatch(x -> x == 0)); // @long1
        LongStream range = Arrays.stream(a[1], 1, N); // @long2
        must(range.sum() == 0);
        Spliterator.OfLong rest = Arrays.spliterator(a[2], 0, N); // @long3
        rest.forEachRemaining((Long x) -> must(x == 0));
        must(LongStream.of(a[3]).limit(N).sum() == 0); // @long4
    }

    private static void doubles(double[][] a) {
        must(Arrays.stream(a[0]).limit(N).allMatch(x -> x == 0)); // @double1
        DoubleStream range = Arrays.stream(a[1], 1, N); // @double2
        must(range.sum() == 0);
        Spliterator.OfDouble all = Arrays.spliterator(a[2]); // @double3
        for (int i = 0; i < N; i++)
            must(all.tryAdvance((double x) -> must(x == 0)));
        must(DoubleStream.of(a[3]).limit(N).sum() == 0); // @double4
    }
}
