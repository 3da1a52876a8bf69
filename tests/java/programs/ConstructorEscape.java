// SPDX-License-Identifier: Apache-2.0
// A constructor that lets `this` out and goes on writing.
// EXPECT: race Box.x write @1 then read @2
import static goldilocks.test.Order.*;

class ConstructorEscape {
    static class Box {
        int x;

        Box() {
            if (!racy())
                x = 1;
            published = this;
            if (racy())
                x = 1; // @1
            pass();
        }
    }

    static volatile Box published;

    public static void main(String[] args) {
        Run.all(() -> use(new Box()), () -> {
            await(1);
            Box box = published;
            use(box.x); // @2
        });
    }
}
