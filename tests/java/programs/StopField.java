// SPDX-License-Identifier: Apache-2.0
// A field that has raced is checked in no object any more; another field is, and the first use of a class still orders.
// EXPECT: race Box.x write @1 then write @2
// EXPECT: race Box.y write @3 then write @4
// EXPECT: race Box.total write @5 then write @6
// OPTIONS: stop_checking=field,dedup=no
// REPORTS racy: 3

class StopField {
    static class Box {
        static int total;
        int x;
        int y;
    }

    static void fill(Box[] boxes) {
        for (Box box : boxes) {
            box.x = 1; // @1 @2
            box.y = 1; // @3 @4
            Box.total = 1; // @5 @6
        }
    }

    public static void main(String[] args) {
        Box[] boxes = new Box[20];
        for (int i = 0; i < boxes.length; i++)
            boxes[i] = new Box();
        Run.guarded(() -> fill(boxes), () -> fill(boxes));
    }
}
