// SPDX-License-Identifier: Apache-2.0
// The exception comes right before the access: the old value is still there, and the thread may go on.
// EXPECT: race ThrowField.x write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: DataRaceException 1 5
// OUTPUT twin: none 2 5

class ThrowField {
    static int x;
    static int after;
    static String caught = "none";

    public static void main(String[] args) {
        Run.guarded(
            () -> x = 1, // @1
            () -> {
                try {
                    x = 2; // @2
                } catch (RuntimeException e) {
                    caught = e.getClass().getSimpleName();
                }
                after = 5;
            });
        System.out.println(caught + " " + x + " " + after);
    }
}
