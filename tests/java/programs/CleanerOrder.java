// SPDX-License-Identifier: Apache-2.0
// What came before the registration of a cleaning action comes before the action; what follows comes before it only if a
// reachabilityFence() of the object follows that.
// EXPECT: race CleanerOrder.x write @1 then read @2
import static goldilocks.test.Order.*;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;

class CleanerOrder {
    static int x;
    static int before;

    private static void make(Cleaner cleaner) {
        Object object = new Object();
        before = 1;
        cleaner.register(object, () -> {
            use(before);
            use(x); // @2
            pass();
        });
        x = 1; // @1
        if (!racy())
            Reference.reachabilityFence(object);
    }

    public static void main(String[] args) {
        Cleaner cleaner = Cleaner.create();
        Run.join(Run.start(() -> make(cleaner)));
        System.gc();
        await(1);
        use(cleaner);
    }
}
