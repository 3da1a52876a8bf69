// SPDX-License-Identifier: Apache-2.0
// The same, with a field that is not final.
// EXPECT: race FinalMissing.shared write @1 then read @2
// EXPECT: race Point.y write @3 then read @4
import static goldilocks.test.Order.*;

class FinalMissing {
    static class Point {
        final int x;
        long y;

        Point(int x, long y) {
            this.x = x;
            this.y = y; // @3
        }
    }

    static Point shared;

    public static void main(String[] args) {
        Run.guarded(
            () -> shared = new Point(1, 2), // @1
            () -> {
                Point point = shared; // @2
                use(point.x);
                use(point.y); // @4
            });
    }
}
