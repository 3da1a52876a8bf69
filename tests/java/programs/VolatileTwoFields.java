// SPDX-License-Identifier: Apache-2.0
// Two volatile fields of one object are two variables.
// EXPECT: race VolatileTwoFields.data write @1 then read @2
import static goldilocks.test.Order.*;

class VolatileTwoFields {
    static int data;
    volatile int first;
    volatile int second;

    public static void main(String[] args) {
        VolatileTwoFields object = new VolatileTwoFields();
        Run.turns(() -> {
            data = 1; // @1
            object.first = 1;
        }, () -> {
            use(racy() ? object.second : object.first);
            use(data); // @2
        });
    }
}
