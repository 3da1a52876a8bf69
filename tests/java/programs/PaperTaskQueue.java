// SPDX-License-Identifier: Apache-2.0
// The 2006 report's task queue: a task belongs to its maker, to the queue, to the worker that took it out, to the lock
// of its subtasks, and at last to the worker again. Racy: the subtasks add up without the lock.
// EXPECT: race Task.out write @1 then read @2
// EXPECT: maybe Task.out write @1 then write @1
// OUTPUT twin: 42
import static goldilocks.test.Order.*;

import java.util.ArrayDeque;

class PaperTaskQueue {
    static class Task {
        final int[] input = {10, 11};
        int out;

        void perform(int number) {
            int result = input[number] * 2;
            if (racy()) {
                add(result);
                return;
            }
            synchronized (this) {
                add(result);
            }
        }

        private void add(int result) {
            int sum = out; // @2
            out = sum + result; // @1
        }
    }

    static class Queue {
        private final ArrayDeque<Task> tasks = new ArrayDeque<>();

        synchronized void put(Task task) {
            tasks.add(task);
            notify();
        }

        synchronized Task take() throws InterruptedException {
            while (tasks.isEmpty())
                wait();
            return tasks.remove();
        }
    }

    public static void main(String[] args) {
        Queue queue = new Queue();
        Thread worker = Run.start(() -> {
            Task task = queue.take();
            Run.turns(() -> task.perform(0), () -> task.perform(1));
            if (!racy())
                System.out.println(task.out);
        });
        Thread maker = Run.start(() -> {
            Task task = new Task();
            task.out = 0;
            queue.put(task);
        });
        Run.join(maker);
        Run.join(worker);
    }
}
