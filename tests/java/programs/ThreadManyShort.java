// SPDX-License-Identifier: Apache-2.0
// Two thousand short threads, one after the other: what one wrote is there for the next.
// EXPECT: race ThreadManyShort.x write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadManyShort {
    static int x;

    public static void main(String[] args) throws Exception {
        begin();
        for (int i = 0; i < 2000; i++) {
            Thread thread = new Thread(() -> x++);
            thread.start();
            thread.join();
        }
        must(x == 2000);
        Run.guarded(
            () -> x = 1, // @1
            () -> use(x)); // @2
    }
}
