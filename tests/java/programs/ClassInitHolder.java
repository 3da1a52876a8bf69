// SPDX-License-Identifier: Apache-2.0
// The holder idiom: what a class's initialization wrote is there for whoever uses the class.
// EXPECT: race int[1] write @1 then read @2
import static goldilocks.test.Order.*;

class ClassInitHolder {
    static class Holder {
        static final int[] TABLE = new int[3];

        static {
            TABLE[1] = 7;
        }
    }

    public static void main(String[] args) {
        Run.turns(() -> {
            use(Holder.TABLE[1]);
            if (racy())
                Holder.TABLE[1] = 8; // @1
        }, () -> {
            int[] table = Holder.TABLE;
            use(table[1]); // @2
        });
    }
}
