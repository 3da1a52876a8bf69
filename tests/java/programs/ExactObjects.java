// SPDX-License-Identifier: Apache-2.0
// The same field of thousands of objects.
// EXPECT: race Box.x write @1 then read @2
// OPTIONS: on_race=throw
// OUTPUT racy: 2000 found, 0 invented
// OUTPUT twin: 0 found, 0 invented
import static goldilocks.test.Order.*;

class ExactObjects {
    static class Box {
        Object x;
    }

    public static void main(String[] args) {
        Box[] boxes = new Box[Exact.VARIABLES];
        for (int i = 0; i < boxes.length; i++)
            boxes[i] = new Box();
        Exact.run(
            i -> boxes[i].x = "", // @1
            i -> use(boxes[i].x)); // @2
    }
}
