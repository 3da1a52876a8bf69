// SPDX-License-Identifier: Apache-2.0
// A variable throws once, then its accesses are made: what stop_checking=variable is for where exceptions are caught.
// EXPECT: race Box.x write @1 then write @2
// OPTIONS: on_race=throw,stop_checking=variable
// OUTPUT racy: 1 3
// OUTPUT twin: 0 3

class StopThrow {
    static class Box {
        int x;
    }

    static int thrown;

    static void write(Box box, int value) {
        try {
            box.x = value; // @1 @2
        } catch (RuntimeException e) {
            thrown++;
        }
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(() -> write(box, 1), () -> {
            write(box, 2);
            write(box, 3);
        });
        System.out.println(thrown + " " + box.x);
    }
}
