// SPDX-License-Identifier: Apache-2.0
// A shutdown hook is ordered after what its starter did before exit(), not after what other threads did.
// ALONE: its race is at the end of the JVM
// EXPECT: race ThreadShutdownHook.x write @1 then read @2
// OUTPUT: hook
import static goldilocks.test.Order.*;

class ThreadShutdownHook {
    static int x;

    public static void main(String[] args) {
        begin();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            use(x); // @2
            System.out.println("hook");
        }));
        Thread worker = new Thread(() -> {
            x = 1; // @1
            pass();
            if (racy())
                stay();
        });
        worker.setDaemon(true);
        worker.start();
        if (racy())
            await(1);
        else
            Run.join(worker);
        System.exit(0);
    }
}
