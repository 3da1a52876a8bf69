// SPDX-License-Identifier: Apache-2.0
// Elements that one thread writes in one loop after the other, with synchronization between them: the race is with the last write, and has its place.
// EXPECT: race double[4] write @2 then read @3
import static goldilocks.test.Order.*;

class ArrayInnerLoops {
    static void write(double[] a, Object own) {
        for (int i = 0; i < a.length; i++)
            a[i] = i;
        for (int round = 0; round < 500; round++) {
            synchronized (own) { // nobody else's: each round is a segment
                own.hashCode();
            }
            for (int i = 0; i < a.length; i++)
                a[i] += round; // @2
        }
    }

    static void read(double[] a, int from, int to) {
        double x = 0;
        for (int i = from; i < to; i++)
            x += a[i]; // @3
        if (x < 0)
            throw new IllegalStateException();
    }

    public static void main(String[] args) {
        double[] a = new double[5];
        double[] other = new double[5];
        Run.turns(
            () -> write(a, new Object()),
            () -> read(racy() ? a : other, 4, 5));
    }
}
