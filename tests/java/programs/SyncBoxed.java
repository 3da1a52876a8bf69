// SPDX-License-Identifier: Apache-2.0
// Small boxed integers are one object each, so equal numbers are one lock; large ones need not be.
// EXPECT: race SyncBoxed.x write @1 then write @2
import static goldilocks.test.Order.*;

class SyncBoxed {
    static int x;

    static Object lockOf(int number) {
        return number < 100 ? Integer.valueOf(number) : new Object();
    }

    public static void main(String[] args) {
        Object first = lockOf(racy() ? 1000 : 7);
        Object second = lockOf(racy() ? 1000 : 7);
        Run.turns(() -> {
            synchronized (first) {
                x = 1; // @1
            }
        }, () -> {
            synchronized (second) {
                x = 2; // @2
            }
        });
    }
}
