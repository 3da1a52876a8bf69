// SPDX-License-Identifier: Apache-2.0
// The exception's message names both places, and its stack begins at the access.
// EXPECT: race ThrowPlaces.x write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: true true second true
// OUTPUT twin: nothing
import static goldilocks.test.Order.*;

class ThrowPlaces {
    static int x;
    static int firstLine;
    static int secondLine;
    static RuntimeException seen;

    static void first() {
        firstLine = line(); x = 1; // @1
    }

    static void second() {
        secondLine = line(); x = 2; // @2
    }

    public static void main(String[] args) {
        Run.guarded(ThrowPlaces::first, () -> {
            try {
                second();
            } catch (RuntimeException e) {
                seen = e;
            }
        });
        if (seen == null) {
            System.out.println("nothing");
            return;
        }
        String text = seen.getMessage();
        StackTraceElement top = seen.getStackTrace()[0];
        System.out.println(text.contains("ThrowPlaces.java:" + firstLine) + " "
            + text.contains("ThrowPlaces.java:" + secondLine) + " " + top.getMethodName() + " " + (top.getLineNumber() == secondLine));
    }
}
