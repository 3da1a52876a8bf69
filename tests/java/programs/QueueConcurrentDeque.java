// SPDX-License-Identifier: Apache-2.0
// An object passed on through a ConcurrentLinkedDeque.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.concurrent.ConcurrentLinkedDeque;

class QueueConcurrentDeque {
    public static void main(String[] args) throws Exception {
        ConcurrentLinkedDeque<Item> deque = new ConcurrentLinkedDeque<>();
        Handoff.poll(deque::push, deque::pollLast);
    }
}
