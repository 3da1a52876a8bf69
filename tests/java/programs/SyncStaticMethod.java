// SPDX-License-Identifier: Apache-2.0
// A static synchronized method holds its class, the same as a block on the class literal.
// EXPECT: race SyncStaticMethod.x write @1 then write @2
import static goldilocks.test.Order.*;

class SyncStaticMethod {
    static int x;

    static synchronized void set() {
        x = 1; // @1
    }

    public static void main(String[] args) {
        Object lock = racy() ? SyncStaticMethod[].class : SyncStaticMethod.class;
        Run.turns(SyncStaticMethod::set, () -> {
            synchronized (lock) {
                x = 2; // @2
            }
        });
    }
}
