// SPDX-License-Identifier: Apache-2.0
// Nobody catches it: the thread ends, with the exception in its handler; the others go on.
// EXPECT: race ThrowUncaught.x write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: DataRaceException 1
// OUTPUT twin: none 2
import static goldilocks.test.Order.*;

class ThrowUncaught {
    static int x;
    static String caught = "none";

    public static void main(String[] args) {
        begin();
        Thread first = new Thread(() -> {
            x = 1; // @1
            pass();
            if (racy())
                await(2);
        });
        Thread second = new Thread(() -> {
            await(1);
            if (!racy())
                Run.join(first);
            x = 2; // @2
        });
        second.setUncaughtExceptionHandler((thread, e) -> caught = e.getClass().getSimpleName());
        first.start();
        second.start();
        Run.join(second);
        pass();
        Run.join(first);
        System.out.println(caught + " " + x);
    }
}
