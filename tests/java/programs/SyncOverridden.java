// SPDX-License-Identifier: Apache-2.0
// A synchronized method overridden by one that is not: the subclass has to call the superclass's.
// EXPECT: race Upper.x write @1 then write @2
import static goldilocks.test.Order.*;

class SyncOverridden {
    static class Upper {
        int x;

        synchronized void set(int value) {
            x = value; // @1
        }
    }

    static class Lower extends Upper {
        @Override
        void set(int value) {
            if (racy())
                x = value; // @2
            else
                super.set(value);
        }

        void setAsUpper(int value) {
            super.set(value);
        }
    }

    public static void main(String[] args) {
        Lower object = new Lower();
        Run.turns(() -> object.setAsUpper(1), () -> object.set(2));
    }
}
