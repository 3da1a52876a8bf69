// SPDX-License-Identifier: Apache-2.0
// Increments of a volatile counter by four threads: no data race, even though updates may be lost.
// EXPECT: race VolatileIncrement.plain write @1 then write @2
import static goldilocks.test.Order.*;

class VolatileIncrement {
    static volatile int counter;
    static int plain;

    public static void main(String[] args) {
        Run.Body count = () -> {
            for (int i = 0; i < 1000; i++)
                counter++;
        };
        Run.all(count, count, count, count);
        must(counter >= 2 && counter <= 4000);
        Run.guarded(
            () -> plain = 1, // @1
            () -> plain = 2); // @2
    }
}
