// SPDX-License-Identifier: Apache-2.0
// Two halves of two arrays, exchanged over ten phases of a barrier; the racy run's second thread skips the last one.
// EXPECT: race int[0] write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.concurrent.CyclicBarrier;

class BarrierPhases {
    static final int PHASES = 10;

    public static void main(String[] args) {
        int[][] cells = new int[2][1];
        CyclicBarrier barrier = new CyclicBarrier(2);
        Run.all(() -> {
            for (int i = 0; i < PHASES; i++) {
                cells[0][0] = i; // @1
                if (i == PHASES - 1)
                    pass();
                if (racy() && i == PHASES - 1)
                    break;
                barrier.await();
                use(cells[1][0]);
                barrier.await();
            }
        }, () -> {
            for (int i = 0; i < PHASES; i++) {
                cells[1][0] = i;
                if (i == PHASES - 1)
                    await(1);
                if (!racy() || i < PHASES - 1)
                    barrier.await();
                use(cells[0][0]); // @2
                if (!racy() || i < PHASES - 1)
                    barrier.await();
            }
        });
    }
}
