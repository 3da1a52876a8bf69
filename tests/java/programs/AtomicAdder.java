// SPDX-License-Identifier: Apache-2.0
// Four threads add to a LongAdder: no race. A plain sum beside it races.
// EXPECT: race AtomicAdder.plain write @1 then write @2
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.LongAdder;

class AtomicAdder {
    static long plain;

    public static void main(String[] args) {
        LongAdder sum = new LongAdder();
        Run.Body add = () -> {
            for (int i = 0; i < 1000; i++)
                sum.increment();
        };
        Run.all(add, add, add, add);
        must(sum.sum() == 4000);
        Run.guarded(
            () -> plain = 1, // @1
            () -> plain = 2); // @2
    }
}
