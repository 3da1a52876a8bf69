// SPDX-License-Identifier: Apache-2.0
// Streams and spliterators of arrays are like the JDK's: the same elements in the same order, the same characteristics and sizes, halves of the
// same size, and what is refused is refused with the same words.
// EXPECT: race int[0] write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import java.util.Spliterator;
import java.util.concurrent.Callable;
import java.util.stream.BaseStream;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

class ArrayStreamSame {
    static final Class<?> INT = int.class;

    /** What a spliterator does on one random walk, in words. */
    static <T> String walk(Spliterator<T> first, int seed) {
        Random random = new Random(seed);
        StringBuilder did = new StringBuilder();
        Deque<Spliterator<T>> all = new ArrayDeque<>();
        all.push(first);
        while (!all.isEmpty()) {
            Spliterator<T> now = all.peek();
            did.append(now.estimateSize()).append('/').append(now.getExactSizeIfKnown()).append('/').append(now.characteristics());
            did.append(now.hasCharacteristics(Spliterator.SORTED));
            did.append(ArraysOfJdk.outcome(now::getComparator));
            switch (random.nextInt(5)) {
            case 0:
            case 1:
                did.append(now.tryAdvance(x -> did.append(" got ").append(x)));
                break;
            case 2:
            case 3:
                Spliterator<T> half = now.trySplit();
                did.append(half == null ? " whole " : " split ");
                if (half != null)
                    all.push(half);
                break;
            default:
                if (random.nextInt(4) == 0)
                    did.append(ArraysOfJdk.outcome(() -> now.tryAdvance(null)));
                did.append(ArraysOfJdk.outcome(() -> {
                    now.forEachRemaining(x -> {
                        did.append(" and ").append(x);
                        if (random.nextInt(8) == 0)
                            throw new IllegalStateException("stopped");
                    });
                    return "";
                }));
                did.append(now.tryAdvance(x -> did.append(" got ").append(x)));
                if (random.nextInt(3) > 0)
                    all.pop();
            }
        }
        return did.toString();
    }

    static void spliterators(Callable<Spliterator<?>> call, Class<?>[] types, Object... arguments) {
        for (int seed = 0; seed < 20; seed++) {
            int s = seed;
            Object here = ArraysOfJdk.outcome(() -> walk(call.call(), s));
            Object there = ArraysOfJdk.outcome(() -> walk((Spliterator<?>) ArraysOfJdk.call("spliterator", types, arguments), s));
            if (!here.equals(there))
                fail(new AssertionError(types[0] + ": " + here + ", not " + there));
        }
    }

    /** All elements, by one of the ways to get them. */
    static Object elements(BaseStream<?, ?> stream, int way) {
        if (way == 3)
            return walk(stream.spliterator(), way);
        Stream<?> all = stream instanceof IntStream ? ((IntStream) stream).boxed()
            : stream instanceof LongStream ? ((LongStream) stream).boxed()
            : stream instanceof DoubleStream ? ((DoubleStream) stream).boxed() : (Stream<?>) stream;
        if (way == 0)
            return all.collect(Collectors.toList());
        if (way == 1)
            return all.skip(1).limit(3).collect(Collectors.toList());
        return Arrays.asList(all.parallel().skip(1).limit(5).toArray());
    }

    static void streams(Callable<BaseStream<?, ?>> call, Class<?>[] types, Object... arguments) {
        for (int way = 0; way < 4; way++) {
            int w = way;
            Object here = ArraysOfJdk.outcome(() -> elements(call.call(), w));
            Object there = ArraysOfJdk.outcome(() -> elements((BaseStream<?, ?>) ArraysOfJdk.call("stream", types, arguments), w));
            if (!here.equals(there))
                fail(new AssertionError(types[0] + ": " + here + ", not " + there));
        }
    }

    static void whole(Object[] objects, int[] ints, long[] longs, double[] doubles) {
        Class<?>[] o = {Object[].class}, i = {int[].class}, l = {long[].class}, d = {double[].class};
        spliterators(() -> Arrays.spliterator(objects), o, (Object) objects);
        spliterators(() -> Arrays.spliterator(ints), i, ints);
        spliterators(() -> Arrays.spliterator(longs), l, longs);
        spliterators(() -> Arrays.spliterator(doubles), d, doubles);
        streams(() -> Arrays.stream(objects), o, (Object) objects);
        streams(() -> Arrays.stream(ints), i, ints);
        streams(() -> Arrays.stream(longs), l, longs);
        streams(() -> Arrays.stream(doubles), d, doubles);
        streams(() -> Stream.of(objects), o, (Object) objects);
        streams(() -> IntStream.of(ints), i, ints);
        streams(() -> LongStream.of(longs), l, longs);
        streams(() -> DoubleStream.of(doubles), d, doubles);
    }

    static void range(Object[] objects, int[] ints, long[] longs, double[] doubles, int at, int to) {
        Class<?>[] o = {Object[].class, INT, INT}, i = {int[].class, INT, INT}, l = {long[].class, INT, INT}, d = {double[].class, INT, INT};
        spliterators(() -> Arrays.spliterator(objects, at, to), o, objects, at, to);
        spliterators(() -> Arrays.spliterator(ints, at, to), i, ints, at, to);
        spliterators(() -> Arrays.spliterator(longs, at, to), l, longs, at, to);
        spliterators(() -> Arrays.spliterator(doubles, at, to), d, doubles, at, to);
        streams(() -> Arrays.stream(objects, at, to), o, objects, at, to);
        streams(() -> Arrays.stream(ints, at, to), i, ints, at, to);
        streams(() -> Arrays.stream(longs, at, to), l, longs, at, to);
        streams(() -> Arrays.stream(doubles, at, to), d, doubles, at, to);
    }

    public static void main(String[] args) {
        for (int n = 0; n < 9; n++) {
            Object[] objects = new Object[n];
            int[] ints = new int[n];
            long[] longs = new long[n];
            double[] doubles = new double[n];
            for (int i = 0; i < n; i++) {
                objects[i] = i == 3 ? null : "x" + i;
                ints[i] = i;
                longs[i] = i;
                doubles[i] = i;
            }
            whole(objects, ints, longs, doubles);
            for (int at = -1; at <= n + 1; at += Math.max(n / 2, 1))
                for (int to = n - 2; to <= n + 1; to++)
                    range(objects, ints, longs, doubles, at, to);
        }
        whole(null, null, null, null);
        range(null, null, null, null, 1, 0);
        int[] one = new int[1];
        Run.guarded(
            () -> one[0] = 1, // @1
            () -> must(Arrays.stream(one).sum() == 1)); // @2
    }
}
