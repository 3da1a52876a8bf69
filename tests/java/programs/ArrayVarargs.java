// SPDX-License-Identifier: Apache-2.0
// Arguments of a varargs method travel in an array of their own.
// EXPECT: race String[0] write @1 then read @2
import static goldilocks.test.Order.*;

class ArrayVarargs {
    static String first(String... all) {
        return all[0]; // @2
    }

    public static void main(String[] args) {
        String[] shared = {"a"};
        Run.turns(
            () -> shared[0] = "b", // @1
            () -> use(racy() ? first(shared) : first("c", "d")));
    }
}
