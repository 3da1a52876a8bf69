// SPDX-License-Identifier: Apache-2.0
// What a constructor writes before anybody else can have the object is remembered, with its place.
// EXPECT: race Box.x write @1 then read @2
// EXPECT: race Box.y write @3 then write @4
// EXPECT: race Box.next write @5 then read @6
import static goldilocks.test.Order.*;

class ConstructorFresh {
    static class Box {
        int x;
        long y;
        Box next;

        Box(Box next, int x) {
            Box me = this;
            this.x = 1; // @1
            me.x = x;
            y = 7; // @3
            this.next = next; // @5
        }
    }

    static volatile Box published;

    public static void main(String[] args) {
        for (int i = 0; i < 30000; i++) // compiled, or not
            use(new Box(published, i).x);
        Run.all(() -> {
            Box box = new Box(null, 5);
            if (racy())
                hide(box);
            else
                published = box;
            pass();
        }, () -> {
            await(1);
            Box box = racy() ? (Box) hidden() : published;
            use(box.x); // @2
            box.y = 3; // @4
            use(box.next); // @6
        });
    }
}
