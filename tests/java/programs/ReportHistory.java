// SPDX-License-Identifier: Apache-2.0
// With history=stack the report has the whole stack of the earlier access too.
// EXPECT: race ReportHistory.x write @1 then write @2
// OPTIONS: history=stack
// REPORT: Previous write.*\n +at ReportHistory\.inner\(.*\)\n +at ReportHistory\.outer\(.*\)

class ReportHistory {
    static int x;

    static void inner(int value) {
        x = value; // @1 @2
    }

    static void outer(int value) {
        inner(value);
    }

    public static void main(String[] args) {
        Run.guarded(() -> outer(1), () -> outer(2));
    }
}
