// SPDX-License-Identifier: Apache-2.0
// A variable that has raced is not checked again; the same field of another object is, and so are other elements.
// EXPECT: race Box.x write @1 then write @2
// EXPECT: race int[1] write @3 then write @4
// EXPECT: race int[2] write @3 then write @4
// OPTIONS: stop_checking=variable,dedup=no
// REPORTS racy: 4
// REPORT: reported 4; no variable was checked after its first race

class StopVariable {
    static class Box {
        int x;
    }

    static void fill(Box[] boxes, int[] numbers) {
        for (int round = 0; round < 10; round++) {
            for (Box box : boxes)
                box.x = round; // @1 @2
            for (int i = 1; i < 3; i++)
                numbers[i] = round; // @3 @4
        }
    }

    public static void main(String[] args) {
        Box[] boxes = {new Box(), new Box()};
        int[] numbers = new int[4];
        Run.guarded(() -> fill(boxes, numbers), () -> fill(boxes, numbers));
    }
}
