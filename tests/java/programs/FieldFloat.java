// SPDX-License-Identifier: Apache-2.0
// An instance field of type float.
// EXPECT: race Box.x write @1 then read @2
import static goldilocks.test.Order.*;

class FieldFloat {
    static class Box {
        float x;
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(
            () -> box.x = 1.5f, // @1
            () -> use(box.x)); // @2
    }
}
