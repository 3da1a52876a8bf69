// SPDX-License-Identifier: Apache-2.0
// A class that was initialized inside the initialization of its superclass: who uses it first when that is over, too, comes after its own initializer, and not after the superclass's.
// EXPECT: race Shared.late write @1 then read @2
import static goldilocks.test.Order.*;

class ClassInitInside {
    static class Shared {
        static int late;
    }

    static class Above {
        static final Above ONE = new Below();

        static {
            Shared.late = 5; // @1
        }

        static void method() {}
    }

    static class Below extends Above {
        static int used;

        static void method() {
            used = 1;
        }
    }

    public static void main(String[] args) {
        use(Shared.late);
        Run.turns(Above::method, () -> {
            Below.method();
            if (!racy())
                Above.method();
            use(Shared.late); // @2
        });
    }
}
