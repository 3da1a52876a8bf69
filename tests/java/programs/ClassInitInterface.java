// SPDX-License-Identifier: Apache-2.0
// The fields of an interface are initialized when the first of them is used.
// EXPECT: race int[0] write @1 then read @2
import static goldilocks.test.Order.*;

class ClassInitInterface {
    interface Constants {
        int[] DATA = {1, 2, 3};
    }

    public static void main(String[] args) {
        Run.turns(() -> {
            use(Constants.DATA[0]);
            if (racy())
                Constants.DATA[0] = 2; // @1
        }, () -> {
            int[] data = Constants.DATA;
            use(data[0]); // @2
        });
    }
}
