// SPDX-License-Identifier: Apache-2.0
// An object passed on through a LinkedBlockingQueue.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.concurrent.LinkedBlockingQueue;

class QueueLinkedBlocking {
    public static void main(String[] args) throws Exception {
        LinkedBlockingQueue<Item> queue = new LinkedBlockingQueue<>();
        Handoff.run(queue::put, queue::take);
    }
}
