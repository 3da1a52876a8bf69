// SPDX-License-Identifier: Apache-2.0
// A long field of an object, in an expression.
// EXPECT: race Box.x write @1 then read @2
// OPTIONS: on_race=throw
// OUTPUT racy: DataRaceException 1099511627776
// OUTPUT twin: none 1099511627781

class ThrowLong {
    static class Box {
        long x;
    }

    static String caught = "none";

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(
            () -> box.x = 1L << 40, // @1
            () -> {
                try {
                    box.x += 5; // @2
                } catch (RuntimeException e) {
                    caught = e.getClass().getSimpleName();
                }
            });
        System.out.println(caught + " " + box.x);
    }
}
