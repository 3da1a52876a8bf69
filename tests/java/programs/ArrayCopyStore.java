// SPDX-License-Identifier: Apache-2.0
// A copy that meets an element of the wrong class has stored those before it, and has looked at none behind it; a fill with a
// value of the wrong class stores nothing.
// EXPECT: race String[1] write @1 then write @2
import static goldilocks.test.Order.*;

import java.util.Arrays;

class ArrayCopyStore {
    static void refused(Runnable copy) {
        try {
            copy.run();
        } catch (ArrayStoreException e) {
            return;
        }
        must(false);
    }

    public static void main(String[] args) {
        Object[] from = {"a", "b", 3, "d"};
        String[] to = new String[4];
        Object[] filled = new String[4];
        Run.turns(() -> {
            if (racy())
                to[1] = "x"; // @1
            to[2] = "x";
            to[3] = "x";
            from[3] = "x";
            filled[0] = "x";
            filled[1] = "x";
        }, () -> {
            refused(() -> System.arraycopy(from, 0, to, 0, 4)); // @2
            refused(() -> Arrays.copyOf(from, 4, String[].class));
            refused(() -> Arrays.copyOfRange(from, 1, 4, String[].class));
            refused(() -> Arrays.fill(filled, 5));
            refused(() -> Arrays.fill(filled, 1, 2, 5));
        });
    }
}
