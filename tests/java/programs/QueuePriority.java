// SPDX-License-Identifier: Apache-2.0
// An object passed on through a PriorityBlockingQueue.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.concurrent.PriorityBlockingQueue;

class QueuePriority {
    public static void main(String[] args) throws Exception {
        PriorityBlockingQueue<Item> queue = new PriorityBlockingQueue<>();
        Handoff.run(queue::put, queue::take);
    }
}
