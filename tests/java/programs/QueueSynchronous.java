// SPDX-License-Identifier: Apache-2.0
// An object passed on through a SynchronousQueue.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.concurrent.SynchronousQueue;

class QueueSynchronous {
    public static void main(String[] args) throws Exception {
        SynchronousQueue<Item> queue = new SynchronousQueue<>();
        Handoff.run(queue::put, queue::take);
    }
}
