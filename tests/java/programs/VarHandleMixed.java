// SPDX-License-Identifier: Apache-2.0
// A volatile-mode write of a variable that others read plainly is a race, unless something else orders them.
// EXPECT: race Box.x write @1 then read @2
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleMixed {
    static class Box {
        int x;
    }

    public static void main(String[] args) throws Exception {
        VarHandle x = MethodHandles.lookup().findVarHandle(Box.class, "x", int.class);
        Box warm = new Box();
        x.setVolatile(warm, (int) x.getVolatile(warm) + (int) x.get(warm));
        x.set(warm, 1);
        must(x.compareAndSet(warm, 1, 2));
        Box box = new Box();
        Run.guarded(
            () -> x.setVolatile(box, 1), // @1
            () -> use(box.x)); // @2
    }
}
