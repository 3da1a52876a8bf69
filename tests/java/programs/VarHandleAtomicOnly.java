// SPDX-License-Identifier: Apache-2.0
// Accesses in opaque mode do not race with one another, but with plain ones they do.
// EXPECT: race Box.x read @1 then write @2
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleAtomicOnly {
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
        Run.turns(() -> {
            x.setOpaque(box, 1);
            if (racy())
                use(box.x); // @1
        }, () -> x.setOpaque(box, 2)); // @2
    }
}
