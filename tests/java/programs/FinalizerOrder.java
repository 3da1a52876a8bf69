// SPDX-License-Identifier: Apache-2.0
// JLS 12.6.2: the end of an object's constructor comes before its finalizer. What comes after the constructor does not.
// EXPECT: race Base.x write @1 then read @2
import static goldilocks.test.Order.*;

class FinalizerOrder {
    static class Base {
        int x;

        Base() {
            x = 1;
        }

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            use(x); // @2
            pass();
        }
    }

    static class Box extends Base {
        Box(int first) {
            x = first;
        }
    }

    private static void make() {
        Base box = new Box(2);
        if (racy())
            box.x = 3; // @1
    }

    public static void main(String[] args) {
        Run.call(() -> Run.join(Run.start(FinalizerOrder::make)));
        System.gc();
        await(1);
    }
}
