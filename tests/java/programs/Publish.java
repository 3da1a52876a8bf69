// SPDX-License-Identifier: Apache-2.0
import static goldilocks.test.Order.*;

/**
 * Publication under test: one thread writes data and then does `set`; the other one does `get`, which sees it, and
 * reads the data.
 */
final class Publish {
    static int data;

    private Publish() {}

    /** The racy run does `set` too early: before the write. */
    static void run(Run.Body set, Run.Body get) {
        threads(racy() ? set : Run.NOTHING, racy() ? Run.NOTHING : set, get);
    }

    /**
     * Always `set` after the write; the program gives the racy run a pair that orders nothing. Both are done once
     * beforehand, so that what the JVM links at a first use orders nothing.
     */
    static void with(Run.Body set, Run.Body get) {
        Run.call(set);
        Run.call(get);
        threads(Run.NOTHING, set, get);
    }

    private static void threads(Run.Body early, Run.Body set, Run.Body get) {
        Run.all(() -> {
            early.run();
            data = 1; // @written
            set.run();
            pass();
        }, () -> {
            await(1);
            get.run();
            use(data); // @read
        });
    }
}
