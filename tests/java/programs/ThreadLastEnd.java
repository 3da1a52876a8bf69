// SPDX-License-Identifier: Apache-2.0
// Shutdown hooks come after the ends of all threads that are no daemons, if the JVM ends for that.
// ALONE: its race is at the end of the JVM
// EXPECT: race ThreadLastEnd.x write @1 then read @2
// OUTPUT: hook
import static goldilocks.test.Order.*;

class ThreadLastEnd {
    static int x, y;

    public static void main(String[] args) {
        begin();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            use(x); // @2
            use(y);
            System.out.println("hook");
        }));
        Thread worker = new Thread(() -> {
            x = 1; // @1
            pass();
            if (racy())
                stay();
        });
        worker.setDaemon(racy());
        worker.start();
        await(1);
        y = 1;
    }
}
