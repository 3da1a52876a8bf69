// SPDX-License-Identifier: Apache-2.0
// With history=stack, of a range that is copied each element has the stack of its copy, and no other's.
// EXPECT: race int[9] write @1 then write @2
// OPTIONS: history=stack
// REPORT: Previous write.*\n +at ReportHistoryRange\.inner\(.*\)\n +at ReportHistoryRange\.first\(.*\)

class ReportHistoryRange {
    static final int[] FROM = new int[16], TO = new int[16];

    static void inner(int from, int n) {
        System.arraycopy(FROM, from, TO, from, n); // @1 @2
    }

    static void first() {
        inner(8, 2);
    }

    static void before() {
        inner(0, 4);
        inner(4, 4);
    }

    public static void main(String[] args) {
        Run.guarded(() -> {
            before();
            first();
        }, () -> inner(9, 1));
    }
}
