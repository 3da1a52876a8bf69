// SPDX-License-Identifier: Apache-2.0
// A compare-and-set of a variable that was written plainly. In the twin the thread that wrote it has published that by the variable itself.
// EXPECT: race Box.x write @1 then write @2
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleMixedCas {
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
            if (racy()) {
                box.x = 1; // @1
            } else {
                box.x = 5;
                x.setRelease(box, 1);
            }
        }, () -> {
            must(x.compareAndSet(box, 1, 2)); // @2
            if (!racy())
                use(box.x);
        });
    }
}
