// SPDX-License-Identifier: Apache-2.0
// A racy access in a constructor: no object comes of it.
// EXPECT: race ThrowConstructor.count write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: null DataRaceException
// OUTPUT twin: Box none

class ThrowConstructor {
    static int count;
    static Object made;
    static String caught = "none";

    static class Box {
        final int number;

        Box(int n) {
            count = n; // @2
            number = n;
        }
    }

    public static void main(String[] args) {
        Run.guarded(
            () -> count = 1, // @1
            () -> {
                try {
                    made = new Box(2);
                } catch (RuntimeException e) {
                    caught = e.getClass().getSimpleName();
                }
            });
        System.out.println((made == null ? "null" : made.getClass().getSimpleName()) + " " + caught);
    }
}
