// SPDX-License-Identifier: Apache-2.0
// One volatile field of two objects is two variables.
// EXPECT: race VolatileTwoObjects.data write @1 then read @2
import static goldilocks.test.Order.*;

class VolatileTwoObjects {
    static int data;
    volatile int flag;

    public static void main(String[] args) {
        VolatileTwoObjects one = new VolatileTwoObjects();
        VolatileTwoObjects two = new VolatileTwoObjects();
        Run.turns(() -> {
            data = 1; // @1
            one.flag = 1;
        }, () -> {
            use((racy() ? two : one).flag);
            use(data); // @2
        });
    }
}
