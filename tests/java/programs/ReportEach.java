// SPDX-License-Identifier: Apache-2.0
// Without deduplication each variable has its report.
// EXPECT: race Box.x write @1 then write @2
// OPTIONS: dedup=no
// REPORTS racy: 20

class ReportEach {
    static class Box {
        int x;
    }

    static void fill(Box[] boxes, int value) {
        for (Box box : boxes)
            box.x = value; // @1 @2
    }

    public static void main(String[] args) {
        Box[] boxes = new Box[20];
        for (int i = 0; i < boxes.length; i++)
            boxes[i] = new Box();
        Run.guarded(() -> fill(boxes, 1), () -> fill(boxes, 2));
    }
}
