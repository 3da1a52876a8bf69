// SPDX-License-Identifier: Apache-2.0
// The same with arrays of objects, which their own methods or a comparator compare, as often as without the agent; and what is refused
// is refused as ever.
// EXPECT: race String[5] write @1 then read @2|@3|@4|@5|@6|@7|@8|@9|@10|@11|@12
// REPORTS racy: 11
// OUTPUT racy: 39 comparisons
// OUTPUT twin: 27 comparisons
// OUTPUT: Array index out of range: 9
// OUTPUT: fromIndex(3) > toIndex(2)
// OUTPUT: NullPointerException
import static goldilocks.test.Order.*;

import java.util.Arrays;
import java.util.Comparator;

class ArrayCompareObjects {
    static final int FIRST = racy() ? 6 : 4;
    static final String A = "a";
    static int comparisons;
    static final Comparator<String> ORDER = (x, y) -> {
        comparisons++;
        return x.compareTo(y);
    };

    static String[] made() {
        String[] a = new String[8];
        for (int i = 0; i < a.length; i++)
            a[i] = new String(A);
        return a;
    }

    static void refused(Runnable call) {
        try {
            call.run();
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            System.out.println(e.getMessage());
            return;
        } catch (NullPointerException e) {
            System.out.println("NullPointerException");
            return;
        }
        must(false);
    }

    public static void main(String[] args) {
        String[][] a = new String[11][];
        for (int i = 0; i < a.length; i++)
            a[i] = made();
        String[] b = made();
        b[FIRST] = "b";
        Run.turns(() -> {
            for (String[] each : a)
                each[5] = A; // @1
        }, () -> {
            must(Arrays.mismatch(a[0], b) == FIRST); // @2
            must(Arrays.mismatch(a[1], 1, 8, b, 1, 8) == FIRST - 1); // @3
            must(Arrays.mismatch(a[2], b, ORDER) == FIRST); // @4
            must(Arrays.mismatch(a[3], 1, 8, b, 1, 8, ORDER) == FIRST - 1); // @5
            must(!Arrays.equals(a[4], 1, 8, b, 1, 8)); // @6
            must(!Arrays.equals(a[5], b, ORDER)); // @7
            must(!Arrays.equals(a[6], 1, 8, b, 1, 8, ORDER)); // @8
            must(Arrays.compare(a[7], b) == -1); // @9
            must(Arrays.compare(a[8], 1, 8, b, 1, 8) == -1); // @10
            must(Arrays.compare(a[9], b, ORDER) == -1); // @11
            must(Arrays.compare(a[10], 1, 8, b, 1, 8, ORDER) == -1); // @12
            System.out.println(comparisons + " comparisons");
        });
        String[] none = null;
        must(Arrays.compare(none, b) == -1 && Arrays.equals(none, none, ORDER) && Arrays.mismatch(b, 0, 4, b, 0, 3) == 3);
        must(Arrays.compare(b, 0, 3, b, 0, 2) == 1 && !Arrays.equals(b, 0, 3, b, 0, 2) && Arrays.mismatch(b, b) == -1);
        refused(() -> Arrays.equals(b, 0, 9, b, 0, 9));
        refused(() -> Arrays.compare(b, 3, 2, b, 0, 2, ORDER));
        refused(() -> Arrays.mismatch(none, b));
    }
}
