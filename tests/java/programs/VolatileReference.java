// SPDX-License-Identifier: Apache-2.0
// An object published by a volatile reference, and one published by a plain one.
// EXPECT: race VolatileReference.plain write @1 then read @2
// EXPECT: race Point.x write @3 then read @4
import static goldilocks.test.Order.*;

class VolatileReference {
    static class Point {
        int x;

        Point(int x) {
            this.x = x; // @3
        }
    }

    static Point plain;
    static volatile Point safe;

    public static void main(String[] args) {
        Run.turns(() -> {
            Point point = new Point(5);
            if (racy())
                plain = point; // @1
            else
                safe = point;
        }, () -> {
            Point point = racy() ? plain : safe; // @2
            use(point.x); // @4
        });
    }
}
