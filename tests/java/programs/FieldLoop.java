// SPDX-License-Identifier: Apache-2.0
// An access in a loop: a race of the same two places is reported once.
// EXPECT: race Box.x write @1 then write @2
// REPORTS racy: 1

class FieldLoop {
    static class Box {
        int x;
    }

    static void fill(Box[] boxes, int value) {
        for (Box box : boxes)
            box.x = value; // @1 @2
    }

    public static void main(String[] args) {
        Box[] boxes = new Box[500];
        for (int i = 0; i < boxes.length; i++)
            boxes[i] = new Box();
        Run.guarded(() -> fill(boxes, 1), () -> fill(boxes, 2));
    }
}
