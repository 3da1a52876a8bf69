// SPDX-License-Identifier: Apache-2.0
// The famous mistake: the instance is not volatile. The reference races, and so does what it refers to.
// EXPECT: race Singleton.plain write @1 then read @2
// EXPECT: maybe Singleton.plain write @1 then read @5
// EXPECT: race Singleton.state write @3 then read @4
import static goldilocks.test.Order.*;

class DoubleCheckedLocking {
    static class Singleton {
        static Singleton plain;
        static volatile Singleton safe;
        int state;

        Singleton() {
            state = 5; // @3
        }

        static Singleton racyGet() {
            if (plain == null) { // @2
                synchronized (Singleton.class) {
                    if (plain == null)
                        plain = new Singleton(); // @1
                }
            }
            return plain; // @5
        }

        static Singleton safeGet() {
            Singleton result = safe;
            if (result == null) {
                synchronized (Singleton.class) {
                    result = safe;
                    if (result == null)
                        safe = result = new Singleton();
                }
            }
            return result;
        }
    }

    public static void main(String[] args) {
        Run.turns(
            () -> use(racy() ? Singleton.racyGet() : Singleton.safeGet()),
            () -> {
                Singleton mine = racy() ? Singleton.racyGet() : Singleton.safeGet();
                use(mine.state); // @4
            });
    }
}
