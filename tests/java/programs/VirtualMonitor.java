// SPDX-License-Identifier: Apache-2.0
// Virtual threads wait for a monitor while the collector moves its object: what the agent does behind monitorenter is about that object still.
// EXPECT: race VirtualMonitor.plain write @1 then write @2
// JDK: 21+
// JVM: -Xmx24m -Xmn4m -Djdk.virtualThreadScheduler.parallelism=4
// OUTPUT: counted
import static goldilocks.test.Order.*;

class VirtualMonitor {
    static final int ROUNDS = 60, THREADS = 8, TIMES = 100;
    static volatile Object garbage;
    static int plain;

    int count;

    void work() {
        for (int i = 0; i < TIMES; i++) {
            synchronized (this) {
                count++;
                Thread.yield();
            }
            garbage = new byte[8000];
        }
    }

    public static void main(String[] args) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            VirtualMonitor monitor = new VirtualMonitor(); // young, and so moved
            Thread[] all = new Thread[THREADS];
            for (int i = 0; i < THREADS; i++)
                all[i] = Thread.startVirtualThread(monitor::work);
            for (Thread t : all)
                t.join();
            if (monitor.count != THREADS * TIMES)
                throw new IllegalStateException();
        }
        System.out.println("counted");
        Run.turns(
            () -> plain = 1, // @1
            () -> {
                if (racy())
                    plain = 2; // @2
            });
    }
}
