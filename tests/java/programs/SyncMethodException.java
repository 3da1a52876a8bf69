// SPDX-License-Identifier: Apache-2.0
// A synchronized method left by an exception gives its monitor back.
// EXPECT: race SyncMethodException.x write @1 then write @2
import static goldilocks.test.Order.*;

class SyncMethodException {
    static int x;

    synchronized void fail(int value) {
        x = value;
        throw new IllegalStateException();
    }

    static void work(SyncMethodException object, int value) {
        try {
            object.fail(value);
            must(false);
        } catch (IllegalStateException e) {
            if (racy())
                x = value; // @1
        }
    }

    public static void main(String[] args) {
        SyncMethodException object = new SyncMethodException();
        Run.turns(() -> work(object, 1), () -> {
            synchronized (object) {
                x = 2; // @2
            }
        });
    }
}
