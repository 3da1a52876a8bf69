// SPDX-License-Identifier: Apache-2.0
// offer and poll with a time.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import static goldilocks.test.Order.*;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

class QueueTimed {
    public static void main(String[] args) throws Exception {
        ArrayBlockingQueue<Item> queue = new ArrayBlockingQueue<>(2);
        Handoff.poll(item -> must(queue.offer(item, 9, TimeUnit.SECONDS)), () -> queue.poll(1, TimeUnit.MILLISECONDS));
    }
}
