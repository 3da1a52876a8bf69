// SPDX-License-Identifier: Apache-2.0
// Each variable that races throws at its own access; the others do not.
// EXPECT: race Box.a write @1 then write @2
// EXPECT: race Box.c write @3 then write @4
// OPTIONS: on_race=throw
// OUTPUT racy: a c
// OUTPUT twin:

class ThrowAgain {
    static class Box {
        int a;
        int b;
        int c;
    }

    static String raced = "";

    static void attempt(String name, Runnable access) {
        try {
            access.run();
        } catch (RuntimeException e) {
            raced += raced.isEmpty() ? name : " " + name;
        }
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(() -> {
            box.a = 1; // @1
            box.c = 1; // @3
        }, () -> {
            attempt("a", () -> box.a = 2); // @2
            attempt("b", () -> box.b = 2);
            attempt("c", () -> box.c = 2); // @4
        });
        System.out.println(raced);
    }
}
