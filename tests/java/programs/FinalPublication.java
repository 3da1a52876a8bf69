// SPDX-License-Identifier: Apache-2.0
// An object published by a race: the reference races, its final fields do not.
// EXPECT: race FinalPublication.shared write @1 then read @2
import static goldilocks.test.Order.*;

class FinalPublication {
    static class Point {
        final int x;
        final long y;

        Point(int x, long y) {
            this.x = x;
            this.y = y;
        }
    }

    static Point shared;

    public static void main(String[] args) {
        Run.guarded(
            () -> shared = new Point(1, 2), // @1
            () -> {
                Point point = shared; // @2
                use(point.x);
                use(point.y);
            });
    }
}
