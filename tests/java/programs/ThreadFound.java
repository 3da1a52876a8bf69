// SPDX-License-Identifier: Apache-2.0
// Who finds a thread by enumerate() knows that it was started, but does not come after that: nothing specified says so.
// EXPECT: race Worker.number write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadFound {
    static class Worker extends Thread {
        int number;

        @Override
        public void run() {
            await(2);
        }
    }

    static volatile Worker known;

    private static Worker find() {
        Thread[] all = new Thread[Thread.activeCount() + 100];
        int n = Thread.enumerate(all);
        for (int i = 0; i < n; i++)
            if (all[i] instanceof Worker worker)
                return worker;
        return null;
    }

    public static void main(String[] args) {
        use(find());
        use(new Worker());
        Run.all(() -> {
            Worker worker = new Worker();
            worker.number = 1; // @1
            worker.start();
            known = worker;
            pass();
            await(2);
            Run.join(worker);
        }, () -> {
            await(1);
            if (!racy())
                use(known);
            Worker worker = find();
            must(worker != null);
            use(worker.number); // @2
            pass();
        });
    }
}
