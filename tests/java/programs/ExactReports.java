// SPDX-License-Identifier: Apache-2.0
// Two thousand variables race at one pair of places: two thousand reports when deduplication is off.
// EXPECT: race int[*] write @1 then write @2
// OPTIONS: dedup=no,report_limit=0
// REPORTS racy: 2000
import static goldilocks.test.Order.*;

class ExactReports {
    static void write(int[] a, int from, int value) {
        for (int i = from; i < a.length; i += 2)
            a[i] = value; // @1 @2
    }

    public static void main(String[] args) {
        int[] a = new int[Exact.VARIABLES];
        Object lock = new Object();
        Run.turns(() -> {
            synchronized (lock) {
                write(a, 1, 1);
                if (!racy())
                    write(a, 0, 1);
            }
            if (racy())
                write(a, 0, 1);
        }, () -> {
            synchronized (lock) {
                write(a, 1, 2);
                if (!racy())
                    write(a, 0, 2);
            }
            if (racy())
                write(a, 0, 2);
        });
    }
}
