// SPDX-License-Identifier: Apache-2.0
// A copy whose range races copies nothing.
// EXPECT: race int[1] write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: DataRaceException [0, 5, 0]
// OUTPUT twin: none [1, 2, 3]
import java.util.Arrays;

class ThrowArrayCopy {
    static String caught = "none";

    public static void main(String[] args) {
        int[] from = {1, 2, 3};
        int[] to = new int[3];
        Run.guarded(
            () -> to[1] = 5, // @1
            () -> {
                try {
                    System.arraycopy(from, 0, to, 0, 3); // @2
                } catch (RuntimeException e) {
                    caught = e.getClass().getSimpleName();
                }
            });
        System.out.println(caught + " " + Arrays.toString(to));
    }
}
