// SPDX-License-Identifier: Apache-2.0
// An instance field of type long.
// EXPECT: race Box.x write @1 then read @2
import static goldilocks.test.Order.*;

class FieldLong {
    static class Box {
        long x;
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(
            () -> box.x = 1L << 40, // @1
            () -> use(box.x)); // @2
    }
}
