// SPDX-License-Identifier: Apache-2.0
// The handler repairs: it takes the lock that was missing, and the access is then right.
// EXPECT: race ThrowRetry.x write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: repaired 2
// OUTPUT twin: fine 2
import static goldilocks.test.Order.*;

class ThrowRetry {
    static int x;
    static String how = "fine";

    public static void main(String[] args) {
        Object lock = new Object();
        Object wrong = racy() ? new Object() : lock;
        Run.turns(() -> {
            synchronized (lock) {
                x = 1; // @1
            }
        }, () -> {
            try {
                synchronized (wrong) {
                    x = 2; // @2
                }
            } catch (RuntimeException e) {
                synchronized (lock) {
                    x = 2;
                }
                how = "repaired";
            }
        });
        System.out.println(how + " " + x);
    }
}
