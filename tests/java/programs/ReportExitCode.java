// SPDX-License-Identifier: Apache-2.0
// The exit code of a program in which a race was reported, and the program's own in the twin.
// EXPECT: race ReportExitCode.x write @1 then write @2
// OPTIONS: exitcode=66
// EXIT racy: 66
// EXIT twin: 5

class ReportExitCode {
    static int x;

    public static void main(String[] args) {
        Run.guarded(
            () -> x = 1, // @1
            () -> x = 2); // @2
        System.exit(5);
    }
}
