// SPDX-License-Identifier: Apache-2.0
// A ThreadLocal belongs to the virtual thread, not to its carrier.
// EXPECT: race Box.x write @1 then write @2
// JDK: 21+
// JVM: -Djdk.virtualThreadScheduler.parallelism=4
import static goldilocks.test.Order.*;

class VirtualLocal {
    static class Box {
        int x;
    }

    public static void main(String[] args) throws Exception {
        begin();
        Box one = new Box();
        ThreadLocal<Box> local = ThreadLocal.withInitial(() -> racy() ? one : new Box());
        Thread first = Thread.startVirtualThread(() -> {
            meet(2);
            local.get().x = 1; // @1
            pass();
            await(2);
        });
        Thread second = Thread.startVirtualThread(() -> {
            meet(2);
            await(1);
            local.get().x = 2; // @2
            pass();
        });
        first.join();
        second.join();
    }
}
