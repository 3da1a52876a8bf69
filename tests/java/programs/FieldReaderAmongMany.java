// SPDX-License-Identifier: Apache-2.0
// A write that is ordered after nine readers and not after the tenth.
// EXPECT: race Box.x read @1 then write @2
import static goldilocks.test.Order.*;

class FieldReaderAmongMany {
    static class Box {
        int x;
    }

    public static void main(String[] args) {
        Box box = new Box();
        Object lock = new Object();
        Run.Body[] bodies = new Run.Body[11];
        for (int i = 0; i < 9; i++) {
            int turn = i;
            bodies[i] = () -> {
                await(turn);
                synchronized (lock) {
                    use(box.x);
                }
                pass();
            };
        }
        bodies[9] = () -> {
            await(9);
            if (!racy())
                synchronized (lock) {
                    use(box.x);
                }
            else
                use(box.x); // @1
            pass();
        };
        bodies[10] = () -> {
            await(10);
            synchronized (lock) {
                box.x = 1; // @2
            }
        };
        Run.all(bodies);
    }
}
