// SPDX-License-Identifier: Apache-2.0
// A read that races throws and gives no value.
// EXPECT: race Box.x write @1 then read @2
// OPTIONS: on_race=throw
// OUTPUT racy: DataRaceException
// OUTPUT twin: value

class ThrowRead {
    static class Box {
        String x;
    }

    static String got = "nothing";

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(
            () -> box.x = "value", // @1
            () -> {
                try {
                    got = box.x; // @2
                } catch (RuntimeException e) {
                    got = e.getClass().getSimpleName();
                }
            });
        System.out.println(got);
    }
}
