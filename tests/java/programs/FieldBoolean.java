// SPDX-License-Identifier: Apache-2.0
// An instance field of type boolean.
// EXPECT: race Box.x write @1 then read @2
import static goldilocks.test.Order.*;

class FieldBoolean {
    static class Box {
        boolean x;
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(
            () -> box.x = true, // @1
            () -> use(box.x)); // @2
    }
}
