// SPDX-License-Identifier: Apache-2.0
// A clone is a new object: what is known of its original's fields says nothing of its own.
// EXPECT: race Box.x read @1 then write @2
import static goldilocks.test.Order.*;

class CloneFresh {
    static class Box implements Cloneable {
        int x;

        Box copy() throws CloneNotSupportedException {
            return (Box) clone();
        }
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.all(() -> {
            use(box.x); // @1
            pass();
        }, () -> {
            await(1);
            if (!racy())
                use(box.x);
            pass();
        }, () -> {
            await(2);
            Box mine = racy() ? box : box.copy();
            mine.x = 5; // @2
        });
    }
}
