// SPDX-License-Identifier: Apache-2.0
import static goldilocks.test.Order.*;

/**
 * Work done by another thread under test, in both directions: what was written before it was started is there for it,
 * and what it wrote is there for the one that waited for its end. The racy run writes the input too late and reads
 * the result too early.
 */
final class Async {
    interface Start {
        void start(Runnable work) throws Exception;
    }

    static int input;
    static int result;

    private Async() {}

    static void run(Start start, Run.Body finish) throws Exception {
        if (!racy())
            input = 1;
        start.start(Async::work);
        if (racy()) {
            await(1);
            input = 1; // @late
            pass();
            await(3);
        } else {
            finish.run();
        }
        use(result); // @early
        if (racy())
            finish.run();
    }

    private static void work() {
        if (racy()) {
            pass();
            await(2);
        }
        use(input); // @input
        result = 1; // @result
        pass();
    }
}
