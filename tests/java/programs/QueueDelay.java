// SPDX-License-Identifier: Apache-2.0
// An object passed on through a DelayQueue.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.concurrent.DelayQueue;

class QueueDelay {
    public static void main(String[] args) throws Exception {
        DelayQueue<Item> queue = new DelayQueue<>();
        Handoff.run(queue::put, queue::take);
    }
}
