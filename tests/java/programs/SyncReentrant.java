// SPDX-License-Identifier: Apache-2.0
// A monitor entered twice is free after the second exit.
// EXPECT: race SyncReentrant.x write @1 then write @2
import static goldilocks.test.Order.*;

class SyncReentrant {
    static int x;

    synchronized void outer(int depth) {
        if (depth > 0)
            outer(depth - 1);
        else
            x = 1; // @1
    }

    public static void main(String[] args) {
        SyncReentrant object = new SyncReentrant();
        Run.turns(() -> object.outer(5), () -> {
            if (racy())
                x = 2; // @2
            else
                object.outer(3);
        });
    }
}
