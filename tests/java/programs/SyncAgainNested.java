// SPDX-License-Identifier: Apache-2.0
// A monitor inside of one that is entered again and again: who enters the inner one comes after what was done before it was left, not after the rest
// of the outer section.
// EXPECT: race SyncAgainNested.rest write @1 then read @2
import static goldilocks.test.Order.*;

class SyncAgainNested {
    static final Object outer = new Object(), inner = new Object();
    static int begin, mid, rest;

    static void outerOnly() {
        synchronized (outer) {
            begin++;
        }
    }

    static void both(int i) {
        synchronized (outer) {
            begin = i;
            for (int k = 0; k < 3; k++)
                synchronized (inner) {
                    mid = i;
                }
            rest = i; // @1
        }
    }

    public static void main(String[] args) {
        Run.turns(() -> {
            for (int i = 0; i < 300; i++) {
                outerOnly();
                outerOnly();
                both(i);
            }
        }, () -> {
            synchronized (inner) {
                use(mid);
                use(begin);
                if (racy())
                    use(rest); // @2
            }
            synchronized (outer) {
                use(rest);
            }
        });
    }
}
