// SPDX-License-Identifier: Apache-2.0
// Method handles that set and get a field: found by name, or made of a java.lang.reflect.Field. Of the earlier access the place is
// where its handle was made.
// EXPECT: race Box.x write @1 then read @2
// EXPECT: race Box.y write @3 then write @4
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

class HandleField {
    static class Box {
        private int x;
        private String y;
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Box.class, MethodHandles.lookup());
        MethodHandle set = lookup.findSetter(Box.class, "x", int.class); // @1
        MethodHandle get = lookup.findGetter(Box.class, "x", int.class);
        MethodHandle name = lookup.unreflectSetter(Box.class.getDeclaredField("y")); // @3
        MethodHandle name2 = lookup.unreflectSetter(Box.class.getDeclaredField("y"));
        Box warm = new Box();
        set.invokeExact(warm, 1);
        name.invokeExact(warm, "a");
        name2.invokeExact(warm, "b");
        must((int) get.invokeExact(warm) == 1 && warm.y.equals("b"));
        Box box = new Box();
        Run.guarded(() -> call(() -> {
            set.invokeExact(box, 1);
            name.invokeExact(box, "c");
        }), () -> call(() -> {
            use((int) get.invokeExact(box)); // @2
            name2.invokeExact(box, "d"); // @4
        }));
    }

    interface Body {
        void run() throws Throwable;
    }

    static void call(Body body) {
        try {
            body.run();
        } catch (Throwable e) {
            fail(e);
        }
    }
}
