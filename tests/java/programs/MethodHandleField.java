// SPDX-License-Identifier: Apache-2.0
// A field behind method handles made by findGetter and findSetter.
// EXPECT: race Box.x write @1 then read @2
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

class MethodHandleField {
    static class Box {
        int x;
    }

    static MethodHandle set;
    static MethodHandle get;

    static void write(Box box) throws Exception {
        try {
            set.invokeExact(box, 1); // @1
        } catch (Throwable e) {
            fail(e);
        }
    }

    static void read(Box box) throws Exception {
        try {
            use((int) get.invokeExact(box)); // @2
        } catch (Throwable e) {
            fail(e);
        }
    }

    public static void main(String[] args) throws Exception {
        set = MethodHandles.lookup().findSetter(Box.class, "x", int.class);
        get = MethodHandles.lookup().findGetter(Box.class, "x", int.class);
        write(new Box());
        read(new Box());
        Box box = new Box();
        Run.guarded(() -> write(box), () -> read(box));
    }
}
