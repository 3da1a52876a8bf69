// SPDX-License-Identifier: Apache-2.0
// A subclass of Thread that overrides run(), with its result in a field.
// EXPECT: race Worker.result write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadSubclass {
    static class Worker extends Thread {
        int result;

        @Override
        public void run() {
            result = 1; // @1
            pass();
            if (racy())
                await(2);
        }
    }

    public static void main(String[] args) {
        begin();
        Worker worker = new Worker();
        worker.start();
        if (racy())
            await(1);
        else
            Run.join(worker);
        use(worker.result); // @2
        pass();
        Run.join(worker);
    }
}
