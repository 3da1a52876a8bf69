// SPDX-License-Identifier: Apache-2.0
// Method handles of a static field.
// EXPECT: race HandleStatic.total write @1 then read @2
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

class HandleStatic {
    static long total;

    public static void main(String[] args) throws Throwable {
        MethodHandle set = MethodHandles.lookup().findStaticSetter(HandleStatic.class, "total", long.class); // @1
        MethodHandle get = MethodHandles.lookup().findStaticGetter(HandleStatic.class, "total", long.class);
        set.invokeExact(3L);
        must((long) get.invokeExact() == 3);
        Run.guarded(() -> HandleField.call(() -> {
            set.invokeExact(4L);
        }), () -> HandleField.call(() -> use((long) get.invokeExact()))); // @2
    }
}
