// SPDX-License-Identifier: Apache-2.0
import static goldilocks.test.Order.*;

/**
 * A barrier under test: what one thread writes before it, the other one reads behind it. The racy run writes behind
 * it.
 */
final class Meet {
    static int data;

    private Meet() {}

    static void run(Run.Body barrier) {
        run(barrier, barrier);
    }

    static void run(Run.Body first, Run.Body second) {
        Run.all(() -> {
            if (!racy())
                data = 1;
            first.run();
            if (racy())
                data = 1; // @late
            pass();
        }, () -> {
            second.run();
            await(1);
            use(data); // @read
        });
    }
}
