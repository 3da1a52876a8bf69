// SPDX-License-Identifier: Apache-2.0
// Twenty thousand monitors, one per object, and one that is the wrong one.
// EXPECT: race Box.x write @1 then write @2
// REPORTS racy: 1
import static goldilocks.test.Order.*;

class SyncManyMonitors {
    static class Box {
        int x;
    }

    public static void main(String[] args) {
        Box[] boxes = new Box[20_000];
        for (int i = 0; i < boxes.length; i++)
            boxes[i] = new Box();
        Run.turns(() -> {
            for (Box box : boxes)
                synchronized (box) {
                    box.x = 1; // @1
                }
        }, () -> {
            int n = boxes.length;
            Box last = boxes[n - 1];
            Object wrong = racy() ? new Object() : last;
            synchronized (wrong) {
                last.x = 2; // @2
            }
            for (Box box : boxes)
                synchronized (box) {
                    box.x = 2;
                }
        });
    }
}
