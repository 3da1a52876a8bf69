// SPDX-License-Identifier: Apache-2.0
// An element of an array.
// EXPECT: race int[3] write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: DataRaceException 1
// OUTPUT twin: none 2

class ThrowArray {
    static String caught = "none";

    public static void main(String[] args) {
        int[] a = new int[8];
        Run.guarded(
            () -> a[3] = 1, // @1
            () -> {
                try {
                    a[3] = 2; // @2
                } catch (RuntimeException e) {
                    caught = e.getClass().getSimpleName();
                }
            });
        System.out.println(caught + " " + a[3]);
    }
}
