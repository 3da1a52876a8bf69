// SPDX-License-Identifier: Apache-2.0
// An InterruptedException from a class of java.util.concurrent, caught as Exception: the thread that interrupted comes before.
// EXPECT: race InterruptedQueue.x write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.concurrent.ArrayBlockingQueue;

class InterruptedQueue {
    static int x;

    public static void main(String[] args) {
        ArrayBlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
        Thread reader = Run.start(() -> {
            try {
                use(queue.take());
                must(false);
            } catch (Exception e) {
                await(1);
            }
            use(x); // @2
            pass();
        });
        Thread writer = Run.start(() -> {
            if (!racy())
                x = 1;
            reader.interrupt();
            if (racy())
                x = 1; // @1
            pass();
            await(2);
        });
        Run.join(reader);
        Run.join(writer);
    }
}
