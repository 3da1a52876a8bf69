// SPDX-License-Identifier: Apache-2.0
// The 2006 report's example 2: two boxes behind a and b, each with its lock. A thread that swaps them under both locks
// gives each box another lock without touching it. Racy: it holds one lock only.
// EXPECT: race PaperIntBox.b write @1 then read @2
// EXPECT: race IntBox.x write @3 then write @4
import static goldilocks.test.Order.*;

class PaperIntBox {
    static class IntBox {
        int x;
    }

    static IntBox a = new IntBox();
    static IntBox b = new IntBox();

    public static void main(String[] args) {
        Object lockA = new Object();
        Object lockB = new Object();
        Object second = racy() ? lockA : lockB;
        Run.all(() -> {
            synchronized (lockA) {
                a.x = 1; // @3
            }
            pass();
        }, () -> {
            await(1);
            synchronized (lockA) {
                synchronized (second) {
                    IntBox old = a;
                    a = b;
                    b = old; // @1
                }
            }
            pass();
        }, () -> {
            await(2);
            synchronized (lockB) {
                IntBox box = b; // @2
                box.x = 2; // @4
            }
        });
    }
}
