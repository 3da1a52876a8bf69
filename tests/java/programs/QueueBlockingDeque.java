// SPDX-License-Identifier: Apache-2.0
// An object passed on through a LinkedBlockingDeque.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.concurrent.LinkedBlockingDeque;

class QueueBlockingDeque {
    public static void main(String[] args) throws Exception {
        LinkedBlockingDeque<Item> queue = new LinkedBlockingDeque<>();
        Handoff.run(queue::putFirst, queue::take);
    }
}
