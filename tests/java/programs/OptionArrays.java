// SPDX-License-Identifier: Apache-2.0
// With arrays=no only fields are checked.
// EXPECT: race OptionArrays.x write @1 then write @2
// OPTIONS: arrays=no
import static goldilocks.test.Order.*;

class OptionArrays {
    static int x;

    public static void main(String[] args) {
        int[] a = new int[1];
        Run.turns(() -> {
            a[0] = 1;
            if (racy())
                x = 1; // @1
        }, () -> {
            a[0] = 2;
            x = 2; // @2
        });
    }
}
