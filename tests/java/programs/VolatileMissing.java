// SPDX-License-Identifier: Apache-2.0
// The flag is not volatile: it races itself, and so does the data.
// EXPECT: race VolatileMissing.plain write @1 then read @2
// EXPECT: race VolatileMissing.data write @3 then read @4
import static goldilocks.test.Order.*;

class VolatileMissing {
    static int data;
    static boolean plain;
    static volatile boolean flag;

    public static void main(String[] args) {
        Run.turns(() -> {
            data = 1; // @3
            if (racy())
                plain = true; // @1
            else
                flag = true;
        }, () -> {
            if (racy() ? plain : flag) // @2
                use(data); // @4
        });
    }
}
