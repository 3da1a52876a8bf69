// SPDX-License-Identifier: Apache-2.0
// The same for the fields of an object that the initialization made, behind a static method.
// EXPECT: race Registry.size write @1 then read @2
import static goldilocks.test.Order.*;

class ClassInitObject {
    static class Registry {
        private static final Registry ONE = new Registry();
        private int size;

        private Registry() {
            size = 3;
        }

        static Registry get() {
            return ONE;
        }
    }

    public static void main(String[] args) {
        Run.turns(() -> {
            Registry registry = Registry.get();
            if (racy())
                registry.size = 4; // @1
        }, () -> {
            Registry registry = Registry.get();
            use(registry.size); // @2
        });
    }
}
