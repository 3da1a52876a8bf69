// SPDX-License-Identifier: Apache-2.0
// An instance field of type char.
// EXPECT: race Box.x write @1 then read @2
import static goldilocks.test.Order.*;

class FieldChar {
    static class Box {
        char x;
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(
            () -> box.x = 'a', // @1
            () -> use(box.x)); // @2
    }
}
