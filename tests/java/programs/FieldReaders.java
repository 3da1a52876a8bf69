// SPDX-License-Identifier: Apache-2.0
// Any number of threads may read; a write after unordered reads races with each of them, and at least one is named.
// EXPECT: race Box.x read @1|@2|@3 then write @4
import static goldilocks.test.Order.*;

class FieldReaders {
    static class Box {
        int x;
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.all(
            () -> {
                use(box.x); // @1
                pass();
            }, () -> {
                await(1);
                use(box.x); // @2
                pass();
            }, () -> {
                await(2);
                use(box.x); // @3
                pass();
            }, () -> {
                await(3);
                if (racy())
                    box.x = 1; // @4
                else
                    use(box.x);
            });
    }
}
