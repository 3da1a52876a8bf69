// SPDX-License-Identifier: Apache-2.0
// A field of null and an element of null throw what they always threw, with the same message.
// EXPECT: race Box.x write @1 then write @2
// OUTPUT: Cannot assign field "x" because "<local2>" is null
// OUTPUT: Cannot read field "x" because "<local2>" is null
// OUTPUT: Cannot store to int array because "<local3>" is null
// OUTPUT: Cannot load from int array because "<local3>" is null
import static goldilocks.test.Order.*;

class FieldNull {
    static class Box {
        int x;
    }

    static void show(Runnable body) {
        try {
            body.run();
            must(false);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        Box real = new Box();
        class Wrong {
            void run() {
                int unused = 1;
                Box box = unused == 1 ? null : real;
                int[] array = unused == 1 ? null : new int[1];
                try {
                    box.x = 1;
                } catch (NullPointerException e) {
                    System.out.println(e.getMessage());
                }
                try {
                    use(box.x);
                } catch (NullPointerException e) {
                    System.out.println(e.getMessage());
                }
                try {
                    array[0] = 1;
                } catch (NullPointerException e) {
                    System.out.println(e.getMessage());
                }
                try {
                    use(array[0]);
                } catch (NullPointerException e) {
                    System.out.println(e.getMessage());
                }
            }
        }
        new Wrong().run();
        Run.guarded(
            () -> real.x = 1, // @1
            () -> real.x = 2); // @2
    }
}
