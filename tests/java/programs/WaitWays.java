// SPDX-License-Identifier: Apache-2.0
// wait() gives the monitor up, however it is called: by a reference to the method, a method handle, reflection.
// EXPECT: race WaitWays.data write @1 then read @2
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

class WaitWays {
    int data;
    boolean ready;

    synchronized void get(Run.Body wait) {
        data = 0;
        pass();
        while (!ready)
            Run.call(wait);
    }

    synchronized void put() {
        data = 1;
        ready = true;
        notify();
    }

    public static void main(String[] args) throws Exception {
        WaitWays a = new WaitWays(), b = new WaitWays(), c = new WaitWays();
        MethodHandle handle = MethodHandles.lookup().findVirtual(Object.class, "wait", MethodType.methodType(void.class));
        Method method = Object.class.getMethod("wait", long.class);
        Run.Body[] wait = {a::wait, () -> call(handle, b), () -> method.invoke(c, 0L)};
        Run.all(() -> {
            await(1);
            a.put();
            await(2);
            b.put();
            await(3);
            c.put();
            if (racy())
                c.data = 2; // @1
            pass();
        }, () -> {
            a.get(wait[0]);
            b.get(wait[1]);
            c.get(wait[2]);
            await(4);
            use(a.data + b.data);
            use(c.data); // @2
        });
    }

    private static void call(MethodHandle handle, Object o) throws Exception {
        try {
            handle.invoke(o);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
