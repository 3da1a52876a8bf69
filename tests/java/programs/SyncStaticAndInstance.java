// SPDX-License-Identifier: Apache-2.0
// A static and an instance method, both synchronized, hold two different locks.
// EXPECT: race SyncStaticAndInstance.x write @1 then write @2
import static goldilocks.test.Order.*;

class SyncStaticAndInstance {
    static int x;

    static synchronized void setStatic(int value) {
        x = value; // @1
    }

    synchronized void setHere(int value) {
        x = value; // @2
    }

    public static void main(String[] args) {
        SyncStaticAndInstance object = new SyncStaticAndInstance();
        Run.turns(() -> setStatic(1), () -> {
            if (racy())
                object.setHere(2);
            else
                setStatic(2);
        });
    }
}
