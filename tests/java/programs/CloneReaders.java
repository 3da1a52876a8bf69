// SPDX-License-Identifier: Apache-2.0
// The original was read by several threads, which takes a record of its own; its copies have none of that.
// EXPECT: race Box.x read @0|@1|@3 then write @2
import static goldilocks.test.Order.*;

class CloneReaders {
    static class Box implements Cloneable {
        int x;
        long y;

        @Override
        public Box clone() {
            try {
                return (Box) super.clone(); // @3
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.all(() -> {
            use(box.x); // @0
            pass();
        }, () -> {
            await(1);
            use(box.x); // @1
            pass();
        }, () -> {
            await(2);
            Box[] copies = new Box[1000];
            for (int i = 0; i < copies.length; i++)
                copies[i] = box.clone();
            for (Box copy : copies) {
                copy.x = 1;
                copy.y = 1;
            }
            pass();
        }, () -> {
            await(3);
            if (racy())
                box.x = 5; // @2
        });
    }
}
