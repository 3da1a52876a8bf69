// SPDX-License-Identifier: Apache-2.0
// One field of two objects is two variables.
// EXPECT: race Box.x write @1 then write @2
import static goldilocks.test.Order.*;

class FieldTwoObjects {
    static class Box {
        int x;
    }

    public static void main(String[] args) {
        Box one = new Box();
        Box two = new Box();
        Run.turns(
            () -> one.x = 1, // @1
            () -> {
                Box box = racy() ? one : two;
                box.x = 2; // @2
            });
    }
}
