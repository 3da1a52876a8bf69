// SPDX-License-Identifier: Apache-2.0
// A volatile flag between virtual threads that block on each other through a SynchronousQueue.
// EXPECT: race Item.value write @1 then read @2
// JDK: 21+
// JVM: -Djdk.virtualThreadScheduler.parallelism=4
import static goldilocks.test.Order.*;

import java.util.concurrent.SynchronousQueue;

class VirtualPublish {
    public static void main(String[] args) throws Exception {
        begin();
        SynchronousQueue<Item> queue = new SynchronousQueue<>();
        Thread producer = Thread.startVirtualThread(() -> Run.call(() -> {
            Item item = new Item();
            item.value = 1;
            queue.put(item);
            if (racy()) {
                await(1);
                item.value = 2; // @1
                pass();
                await(3);
            }
        }));
        Thread consumer = Thread.startVirtualThread(() -> Run.call(() -> {
            Item item = queue.take();
            if (racy()) {
                pass();
                await(2);
            }
            use(item.value); // @2
            pass();
        }));
        producer.join();
        consumer.join();
    }
}
