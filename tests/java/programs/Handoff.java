// SPDX-License-Identifier: Apache-2.0
import static goldilocks.test.Order.*;

/** Passing an object on under test: the racy run's producer writes to it when it is already the consumer's. */
final class Handoff {
    interface Put {
        void put(Item item) throws Exception;
    }

    interface Take {
        Item take() throws Exception;
    }

    private Handoff() {}

    static void run(Put put, Take take) {
        Run.all(() -> {
            Item item = new Item();
            item.value = 1;
            put.put(item);
            if (racy()) {
                await(1);
                item.value = 2; // @late
                pass();
            }
        }, () -> {
            Item item = take.take();
            if (racy()) {
                pass();
                await(2);
            }
            use(item.value); // @taken
        });
    }

    /** For a collection that does not block: take is tried until there is something. */
    static void poll(Put put, Take take) {
        run(put, () -> {
            for (;;) {
                Item item = take.take();
                if (item != null)
                    return item;
                Thread.yield();
            }
        });
    }
}
