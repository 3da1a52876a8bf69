// SPDX-License-Identifier: Apache-2.0
// In the initialization of a class an exception would make the class unusable, so there the race is only reported.
// EXPECT: race Shared.x write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT: 7
import static goldilocks.test.Order.*;

class ThrowStatic {
    static class Shared {
        static int x;
    }

    static class Late {
        static int value;

        static {
            Shared.x = 2; // @2
            value = 7;
        }
    }

    static int got;

    public static void main(String[] args) {
        use(Shared.x);
        Run.guarded(
            () -> Shared.x = 1, // @1
            () -> got = Late.value);
        System.out.println(got);
    }
}
