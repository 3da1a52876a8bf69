// SPDX-License-Identifier: Apache-2.0
// The initialization of a class initializes its superclass first.
// EXPECT: race int[0] write @1 then read @2
import static goldilocks.test.Order.*;

class ClassInitSuper {
    static class Upper {
        static final int[] DATA = {1};
    }

    static class Lower extends Upper {
        static int own = 2;
    }

    public static void main(String[] args) {
        Run.turns(() -> {
            use(Lower.own);
            if (racy())
                Lower.DATA[0] = 2; // @1
        }, () -> {
            int[] data = Upper.DATA;
            use(data[0]); // @2
        });
    }
}
