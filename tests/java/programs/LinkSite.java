// SPDX-License-Identifier: Apache-2.0
// A call site is linked once, visibly to all threads: what its bootstrap method did comes before every call of its target.
// EXPECT: race Box.x write @1 then read @2
import static goldilocks.test.Order.*;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

class LinkSite {
    static class Box {
        int x;
    }

    static CallSite site(MethodHandles.Lookup lookup, String name, MethodType type) throws ReflectiveOperationException {
        Box box = new Box();
        box.x = 1;
        return new ConstantCallSite(target(box));
    }

    private static MethodHandle target(Box box) throws ReflectiveOperationException {
        return MethodHandles.lookup().findStatic(LinkSite.class, "read", MethodType.methodType(Object.class, Box.class)).bindTo(box);
    }

    static Object read(Box box) {
        use(box.x); // @2
        return box;
    }

    private static Box call(MethodHandle site) {
        try {
            return (Box) (Object) site.invokeExact();
        } catch (Throwable e) {
            fail(e);
            return null;
        }
    }

    public static void main(String[] args) throws Exception {
        MethodHandle first = Linking.of(MethodHandles.lookup(), "site");
        use(target(new Box()));
        Run.turns(() -> {
            Box box = call(first);
            if (racy())
                box.x = 2; // @1
        }, () -> {
            call(first);
            call(first);
        });
    }
}
