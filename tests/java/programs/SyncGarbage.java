// SPDX-License-Identifier: Apache-2.0
// A million objects are locked once and dropped, in a heap that has room for a few of them: what is kept of a monitor goes with its object.
// EXPECT: race Box.x write @1 then write @2
// JVM: -Xmx24m
// OUTPUT: 1000000
import static goldilocks.test.Order.*;

class SyncGarbage {
    static final int MANY = 1_000_000;

    static class Box {
        int x;
    }

    public static void main(String[] args) {
        Box box = new Box();
        for (int i = 0; i < MANY; i++) {
            Object lock = new Object();
            synchronized (lock) {
                box.x++;
            }
        }
        System.out.println(box.x);
        Run.turns(
            () -> box.x = 1, // @1
            () -> {
                if (racy())
                    box.x = 2; // @2
            });
    }
}
