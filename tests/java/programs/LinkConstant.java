// SPDX-License-Identifier: Apache-2.0
// A dynamic constant is resolved once: what its bootstrap method did comes before whoever loads it.
// EXPECT: race Box.x write @1 then read @2
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

class LinkConstant {
    static class Box {
        int x;
    }

    static Object constant(MethodHandles.Lookup lookup, String name, Class<?> type) {
        Box box = new Box();
        box.x = 1;
        return box;
    }

    private static Box load(MethodHandle constant) {
        try {
            return (Box) (Object) constant.invokeExact();
        } catch (Throwable e) {
            fail(e);
            return null;
        }
    }

    public static void main(String[] args) throws Exception {
        MethodHandle constant = Linking.of(MethodHandles.lookup(), "constant");
        Run.turns(() -> {
            Box box = load(constant);
            if (racy())
                box.x = 2; // @1
        }, () -> {
            use(load(constant).x); // @2
            use(load(constant).x);
        });
    }
}
