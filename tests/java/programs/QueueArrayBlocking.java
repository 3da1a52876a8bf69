// SPDX-License-Identifier: Apache-2.0
// An object passed on through a ArrayBlockingQueue.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.concurrent.ArrayBlockingQueue;

class QueueArrayBlocking {
    public static void main(String[] args) throws Exception {
        ArrayBlockingQueue<Item> queue = new ArrayBlockingQueue<>(1);
        Handoff.run(queue::put, queue::take);
    }
}
