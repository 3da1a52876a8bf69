// SPDX-License-Identifier: Apache-2.0
// A ThreadLocal gives each thread its own object, unless the initial value is one and the same.
// EXPECT: race Box.x write @1 then write @2
import static goldilocks.test.Order.*;

class ThreadLocalValue {
    static class Box {
        int x;
    }

    public static void main(String[] args) {
        Box one = new Box();
        ThreadLocal<Box> local = ThreadLocal.withInitial(() -> racy() ? one : new Box());
        Run.turns(
            () -> local.get().x = 1, // @1
            () -> local.get().x = 2); // @2
    }
}
