// SPDX-License-Identifier: Apache-2.0
// Monitors held at the access are given back by unwinding: a block and a synchronized method.
// EXPECT: race ThrowMonitor.x write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: DataRaceException free 1
// OUTPUT twin: none free 2
import static goldilocks.test.Order.*;

class ThrowMonitor {
    static int x;
    static String caught = "none";

    final Object inner = new Object();

    synchronized void set(int value) {
        synchronized (inner) {
            x = value; // @1 @2
        }
    }

    public static void main(String[] args) {
        ThrowMonitor one = new ThrowMonitor();
        ThrowMonitor two = racy() ? new ThrowMonitor() : one;
        Run.turns(() -> one.set(1), () -> {
            try {
                two.set(2);
            } catch (RuntimeException e) {
                caught = e.getClass().getSimpleName();
            }
        });
        Thread other = Run.start(() -> {
            synchronized (two) {
                synchronized (two.inner) {
                    pass();
                }
            }
        });
        Run.join(other);
        System.out.println(caught + " free " + x);
    }
}
