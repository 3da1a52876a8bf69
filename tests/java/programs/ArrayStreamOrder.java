// SPDX-License-Identifier: Apache-2.0
// A stream of an array reads an element when it has handed on those before: what orders in the function comes before, and so does what the
// thread that traverses does between making the stream and traversing it. The traversing thread reads, not the one that made it.
// EXPECT: race int[5] write @1 then read @2
// EXPECT: race long[3] write @3 then read @4
// EXPECT: race double[6] read @5 then write @6
import static goldilocks.test.Order.*;

import java.util.Arrays;
import java.util.Spliterator;
import java.util.function.DoubleConsumer;
import java.util.stream.LongStream;

class ArrayStreamOrder {
    static final Object LOCK = new Object();
    static final Object OTHER = racy() ? new Object() : LOCK;

    static final DoubleConsumer USE = x -> use(x);

    static int met(int i) {
        if (i == 2) {
            synchronized (OTHER) {
                return i;
            }
        }
        return i;
    }

    static long sum(LongStream stream) {
        synchronized (OTHER) {
            return stream.sum();
        }
    }

    public static void main(String[] args) {
        int[] ints = {0, 1, 2, 3, 4, 5, 6, 7};
        long[] longs = new long[8];
        LongStream made = Arrays.stream(longs); // @4
        double[] doubles = new double[8];
        Spliterator.OfDouble right = Arrays.spliterator(doubles); // @5
        Spliterator.OfDouble left = right.trySplit();
        Run.all(() -> {
            synchronized (LOCK) {
                ints[5] = 5; // @1
                longs[3] = 0; // @3
            }
            left.forEachRemaining(USE);
            right.forEachRemaining(USE);
            pass();
        }, () -> {
            await(1);
            must(Arrays.stream(ints).map(ArrayStreamOrder::met).sum() == 28); // @2
            must(sum(made) == 0);
            if (racy())
                doubles[6] = 1; // @6
        });
    }
}
