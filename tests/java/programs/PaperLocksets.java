// SPDX-License-Identifier: Apache-2.0
// Three threads write x under changing pairs of locks, so that no lock protects it all the time; each write is ordered
// after the one before. Racy: the last thread has a lock that nobody held.
// EXPECT: race PaperLocksets.x write @1 then write @2
import static goldilocks.test.Order.*;

class PaperLocksets {
    static int x;

    static void set(Object outer, Object inner, int value) {
        synchronized (outer) {
            synchronized (inner) {
                x = value; // @1 @2
            }
        }
    }

    public static void main(String[] args) {
        Object m1 = new Object();
        Object m2 = new Object();
        Object m3 = new Object();
        Object other = new Object();
        Run.all(() -> {
            set(m1, m2, 1);
            pass();
        }, () -> {
            await(1);
            set(m2, m3, 2);
            pass();
        }, () -> {
            await(2);
            set(m1, racy() ? other : m3, 3);
        });
    }
}
