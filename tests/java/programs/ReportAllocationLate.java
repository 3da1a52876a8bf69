// SPDX-License-Identifier: Apache-2.0
// An object that compiled code does without, until it is left, is allocated at another line than its own: that one is not told as its place.
// OPTIONS: allocations=yes
// JVM: -Xbatch
// EXPECT: race Late.x write @w_late then read @r_late
// EXPECT: race int[1] write @w_array then read @r_array
// EXPECT: race Other.y write @w_other then read @r_other
// REPORT: The object is ReportAllocationLate\$Late@\w+(,\n  allocated by .* at \S+\.sum\(ReportAllocationLate\.java:@late\))?\.$
// REPORT: The object is int\[\]@\w+(,\n  allocated by .* at \S+\.sum\(ReportAllocationLate\.java:@array\))?\.$
// REPORT: The object is ReportAllocationLate\$Other@\w+,\n  allocated by .* at \S+\.sum\(ReportAllocationLate\.java:@other\)\.$
import static goldilocks.test.Order.*;

class ReportAllocationLate {
    static class Late {
        int x;
    }

    static class Other {
        int y;
    }

    static Late late;
    static Other other;
    static int[] array;

    /** Keeps what it makes only when it is told to, which the compiler has never seen. */
    static int sum(int n, boolean keep) {
        Late made = new Late(); // @late
        int[] made2 = new int[2]; // @array
        int sum = 0;
        for (int i = 0; i < 3; i++)
            sum += i * n;
        if (keep) {
            other = new Other(); // @other
            late = made;
            array = made2;
        }
        return sum;
    }

    public static void main(String[] args) {
        long total = 0;
        for (int i = 0; i < 100_000; i++)
            total += sum(i, false);
        use(total + sum(1, true));
        Run.guarded(() -> {
            late.x = 1; // @w_late
            array[1] = 1; // @w_array
            other.y = 1; // @w_other
        }, () -> {
            use(late.x); // @r_late
            use(array[1]); // @r_array
            use(other.y); // @r_other
        });
    }
}
