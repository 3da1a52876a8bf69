// SPDX-License-Identifier: Apache-2.0
// An object passed on through a ConcurrentLinkedQueue.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.concurrent.ConcurrentLinkedQueue;

class QueueConcurrentLinked {
    public static void main(String[] args) throws Exception {
        ConcurrentLinkedQueue<Item> queue = new ConcurrentLinkedQueue<>();
        Handoff.poll(queue::add, queue::poll);
    }
}
