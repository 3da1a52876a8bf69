// SPDX-License-Identifier: Apache-2.0
// An object that another thread got without any synchronization: even its first write races.
// EXPECT: race Box.x write @1 then read @2
import static goldilocks.test.Order.*;

class ConstructorEscapeHidden {
    static class Box {
        int x;

        Box() {
            hide(this);
            x = 1; // @1
            pass();
        }
    }

    public static void main(String[] args) {
        Box[] mine = new Box[1];
        if (!racy())
            mine[0] = new Box();
        Run.all(() -> {
            if (racy())
                mine[0] = new Box();
            else
                pass();
        }, () -> {
            await(1);
            Box box = (Box) hidden();
            use(box.x); // @2
        });
    }
}
