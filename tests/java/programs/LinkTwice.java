// SPDX-License-Identifier: Apache-2.0
// Two threads link one call site at the same time: both go on with the one that the JVM has chosen, and what made it comes before.
// EXPECT: race Box.x read @2 then write @1
// EXPECT: maybe Box.x write @1 then read @2
import static goldilocks.test.Order.*;

import goldilocks.test.Order.Meeting;
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;

class LinkTwice {
    static class Box {
        int x;
    }

    static final Meeting BOTH = new Meeting();
    static final ThreadLocal<Box> OWN = new ThreadLocal<>();

    static CallSite site(MethodHandles.Lookup lookup, String name, MethodType type) throws ReflectiveOperationException {
        Box box = new Box();
        box.x = 1;
        OWN.set(box);
        CallSite site = new MutableCallSite(target(box));
        BOTH.meet(2);
        return site;
    }

    private static MethodHandle target(Box box) throws ReflectiveOperationException {
        return MethodHandles.lookup().findStatic(LinkTwice.class, "read", MethodType.methodType(Object.class, Box.class)).bindTo(box);
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

    private static void link(MethodHandle site) {
        Box box = call(site);
        BOTH.meet(2);
        if (racy() && box == OWN.get())
            box.x = 2; // @1
        BOTH.meet(2);
        must(call(site) == box);
    }

    public static void main(String[] args) throws Exception {
        MethodHandle site = Linking.of(MethodHandles.lookup(), "site");
        use(target(new Box()));
        OWN.set(null);
        Run.all(() -> link(site), () -> link(site));
    }
}
