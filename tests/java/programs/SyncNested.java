// SPDX-License-Identifier: Apache-2.0
// Two locks held at once; the second thread has one of them.
// EXPECT: race SyncNested.x write @1 then write @2
import static goldilocks.test.Order.*;

class SyncNested {
    static int x;

    public static void main(String[] args) {
        Object a = new Object();
        Object b = new Object();
        Object mine = racy() ? new Object() : b;
        Run.turns(() -> {
            synchronized (a) {
                synchronized (b) {
                    x = 1; // @1
                }
            }
        }, () -> {
            synchronized (mine) {
                x = 2; // @2
            }
        });
    }
}
