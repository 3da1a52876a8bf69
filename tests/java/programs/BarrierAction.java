// SPDX-License-Identifier: Apache-2.0
// The action of a CyclicBarrier sees what all parties wrote, and they see what it wrote.
// EXPECT: race BarrierAction.total write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.concurrent.CyclicBarrier;

class BarrierAction {
    static int total;

    public static void main(String[] args) {
        int[] parts = new int[2];
        CyclicBarrier barrier = new CyclicBarrier(2, () -> {
            total = parts[0] + parts[1];
        });
        Run.all(() -> {
            parts[0] = 3;
            barrier.await();
            if (racy())
                total = 8; // @1
            pass();
        }, () -> {
            parts[1] = 4;
            barrier.await();
            await(1);
            use(total); // @2
        });
    }
}
