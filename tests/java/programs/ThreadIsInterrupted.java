// SPDX-License-Identifier: Apache-2.0
// A third thread that sees the interrupt is ordered too.
// EXPECT: race ThreadIsInterrupted.x write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadIsInterrupted {
    static int x;

    public static void main(String[] args) {
        Thread target = Run.start(() -> await(2));
        Thread reader = Run.start(() -> {
            while (!target.isInterrupted())
                Thread.yield();
            await(1);
            use(x); // @2
            pass();
        });
        Thread writer = Run.start(() -> {
            if (!racy())
                x = 1;
            target.interrupt();
            if (racy())
                x = 1; // @1
            pass();
            await(2);
        });
        Run.join(target);
        Run.join(reader);
        Run.join(writer);
    }
}
