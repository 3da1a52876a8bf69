// SPDX-License-Identifier: Apache-2.0
// on_race=halt ends the JVM at the first race: nothing after it happens.
// EXPECT: race ReportHalt.x write @1 then write @2
// OPTIONS: on_race=halt,exitcode=66
// EXIT racy: 66
// OUTPUT twin: went on

class ReportHalt {
    static int x;

    public static void main(String[] args) {
        Run.guarded(
            () -> x = 1, // @1
            () -> x = 2); // @2
        System.out.println("went on");
    }
}
