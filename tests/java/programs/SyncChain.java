// SPDX-License-Identifier: Apache-2.0
// Order through two locks and a third thread that touches no data.
// EXPECT: race SyncChain.x write @1 then write @2
import static goldilocks.test.Order.*;

class SyncChain {
    static int x;

    public static void main(String[] args) {
        Object a = new Object();
        Object b = new Object();
        Run.all(() -> {
            synchronized (a) {
                x = 1; // @1
            }
            pass();
        }, () -> {
            await(1);
            if (racy()) {
                synchronized (b) {
                    use(0);
                }
                synchronized (a) {
                    use(0);
                }
            } else {
                synchronized (a) {
                    use(0);
                }
                synchronized (b) {
                    use(0);
                }
            }
            pass();
        }, () -> {
            await(2);
            synchronized (b) {
                x = 2; // @2
            }
        });
    }
}
