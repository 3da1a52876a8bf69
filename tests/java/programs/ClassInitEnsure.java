// SPDX-License-Identifier: Apache-2.0
// What initializes a class without using it: who asked for that, and got it, comes after who did it.
// EXPECT: race Shared.data write @1 then read @2
// EXPECT: race Shared.more write @3 then read @4
// EXPECT: maybe Shared.less write @5 then read @6
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

class ClassInitEnsure {
    static class Shared {
        static int data, more, less;
    }

    static class Looked {
        static {
            Shared.data = 5; // @1
        }
    }

    static class Allocated {
        static {
            Shared.more = 5; // @3
        }
    }

    static class Ensured {
        static {
            Shared.less = 5; // @5
        }
    }

    public static void main(String[] args) throws Exception {
        Class<?> type = Class.forName("sun.misc.Unsafe"); // not by its name: the compiler warns of it
        Field field = type.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Object unsafe = field.get(null);
        Method allocate = type.getMethod("allocateInstance", Class.class);
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        use(Shared.data);
        Run.turns(() -> lookup.ensureInitialized(Looked.class), () -> {
            if (!racy())
                lookup.ensureInitialized(Looked.class);
            use(Shared.data); // @2
        });
        Run.turns(() -> allocate.invoke(unsafe, Allocated.class), () -> {
            if (!racy())
                allocate.invoke(unsafe, Allocated.class);
            use(Shared.more); // @4
        });
        if (Runtime.version().feature() >= 22) // it is gone
            return;
        Method ensure = type.getMethod("ensureClassInitialized", Class.class);
        Run.turns(() -> ensure.invoke(unsafe, Ensured.class), () -> {
            if (!racy())
                ensure.invoke(unsafe, Ensured.class);
            use(Shared.less); // @6
        });
    }
}
