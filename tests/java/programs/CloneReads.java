// SPDX-License-Identifier: Apache-2.0
// Object.clone reads the fields of its original.
// EXPECT: race Box.x write @1 then read @2
import static goldilocks.test.Order.*;

class CloneReads {
    static class Box implements Cloneable {
        int x;

        Box copy() throws CloneNotSupportedException {
            return (Box) clone(); // @2
        }
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(
            () -> box.x = 1, // @1
            () -> use(box.copy()));
    }
}
