// SPDX-License-Identifier: Apache-2.0
// One instruction serves byte[] and boolean[]; both know their neighbours.
// EXPECT: race byte[2] write @1 then write @2
// EXPECT: race boolean[2] write @3 then write @4
import static goldilocks.test.Order.*;

class ArrayByteAndBoolean {
    public static void main(String[] args) {
        byte[] bytes = new byte[4];
        boolean[] booleans = new boolean[4];
        Run.turns(() -> {
            bytes[2] = 1; // @1
            booleans[2] = true; // @3
        }, () -> {
            int i = racy() ? 2 : 1;
            bytes[i] = 2; // @2
            booleans[i] = true; // @4
            bytes[3] = 2;
            booleans[0] = true;
        });
    }
}
