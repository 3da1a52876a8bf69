// SPDX-License-Identifier: Apache-2.0
// Several objects passed on through a LinkedTransferQueue, whose nodes lead to one another.
// EXPECT: race Item.value write QueueTransferSeveral@late then read QueueTransferSeveral@taken
import static goldilocks.test.Order.*;

import java.util.concurrent.LinkedTransferQueue;

class QueueTransferSeveral {
    private static final int COUNT = 5;

    public static void main(String[] args) throws Exception {
        LinkedTransferQueue<Item> queue = new LinkedTransferQueue<>();
        Run.turns(() -> {
            Item item = null;
            for (int i = 0; i < COUNT; i++) {
                item = new Item();
                item.value = 1;
                queue.put(item);
            }
            if (racy()) {
                item.value = 2; // @late
            }
        }, () -> {
            for (int i = 0; i < COUNT; i++) {
                use(queue.take().value); // @taken
            }
        });
    }
}
