// SPDX-License-Identifier: Apache-2.0
// A read, then a write of another thread.
// EXPECT: race Box.x read @1 then write @2
import static goldilocks.test.Order.*;

class FieldReadThenWrite {
    static class Box {
        Object x;
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(
            () -> use(box.x), // @1
            () -> box.x = ""); // @2
    }
}
