// SPDX-License-Identifier: Apache-2.0
// The compiler assigns captured variables before the superclass's constructor runs: no other thread can see them.
// EXPECT: race Box.x write @1 then write @2
import static goldilocks.test.Order.*;

class FieldBeforeSuper {
    abstract static class Upper {
        Upper() {
            use(captured());
        }

        abstract long captured();
    }

    static class Box {
        int x;
    }

    public static void main(String[] args) {
        Box box = new Box();
        long base = box.x + 41;
        Upper upper = new Upper() {
            @Override
            long captured() {
                return base;
            }
        };
        must(upper.captured() == 41);
        Run.guarded(
            () -> box.x = (int) upper.captured(), // @1
            () -> box.x = 2); // @2
    }
}
