// SPDX-License-Identifier: Apache-2.0
// A default method of an interface writes an element of the array that the interface holds.
// EXPECT: race int[0] write @1 then write @2
import static goldilocks.test.Order.*;

class FieldInterfaceDefault implements Counted {
    public static void main(String[] args) {
        Counted one = new FieldInterfaceDefault();
        Counted two = new FieldInterfaceDefault();
        use(Counted.COUNTS[0]);
        Run.guarded(() -> one.count(1), () -> two.count(2));
    }
}

interface Counted {
    int[] COUNTS = new int[1];

    default void count(int value) {
        COUNTS[0] = value; // @1 @2
    }
}
