// SPDX-License-Identifier: Apache-2.0
// An inherited value is the parent's own object.
// EXPECT: race Box.x write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadLocalInherited {
    static class Box {
        int x;
    }

    public static void main(String[] args) {
        begin();
        InheritableThreadLocal<Box> local = new InheritableThreadLocal<>();
        local.set(new Box());
        if (!racy())
            local.get().x = 1;
        Thread child = new Thread(() -> {
            await(1);
            use(local.get().x); // @2
            pass();
        });
        child.start();
        if (racy())
            local.get().x = 1; // @1
        pass();
        await(2);
        Run.join(child);
    }
}
