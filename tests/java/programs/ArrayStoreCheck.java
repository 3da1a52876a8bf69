// SPDX-License-Identifier: Apache-2.0
// A store of the wrong class and an index out of range throw what they always threw.
// EXPECT: race Object[0] write @1 then write @2
// OUTPUT: java.lang.Integer
// OUTPUT: Index 4 out of bounds for length 2
// OUTPUT: -1
import static goldilocks.test.Order.*;

class ArrayStoreCheck {
    public static void main(String[] args) {
        Object[] strings = new String[2];
        Object[] shared = new Object[1];
        try {
            strings[0] = 5;
            must(false);
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        try {
            strings[4] = "";
            must(false);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            use(new long[-1]);
            must(false);
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        Run.guarded(
            () -> shared[0] = "one", // @1
            () -> shared[0] = "two"); // @2
    }
}
