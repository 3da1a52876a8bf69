// SPDX-License-Identifier: Apache-2.0
// An object passed on through a LinkedTransferQueue.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.concurrent.LinkedTransferQueue;

class QueueTransfer {
    public static void main(String[] args) throws Exception {
        LinkedTransferQueue<Item> queue = new LinkedTransferQueue<>();
        Handoff.run(queue::transfer, queue::take);
    }
}
