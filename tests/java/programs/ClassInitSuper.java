// SPDX-License-Identifier: Apache-2.0
// Superclasses: one that initializes itself may make a subclass, which others use before it has done all; and what a superclass has done comes before the
// initializer of its subclass.
// EXPECT: race Shared.late write @1 then read @2
// EXPECT: race Shared.above write @3 then read @4
import static goldilocks.test.Order.*;

class ClassInitSuper {
    static class Shared {
        static int late, above;
    }

    static class Above {
        static final Above ONE = new Below();

        static {
            pass();
            await(2);
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

    static class First {
        static {
            Shared.above = 5; // @3
        }

        static void method() {}
    }

    static class Second extends First {
        static {
            use(Shared.above);
        }

        static void method() {}
    }

    public static void main(String[] args) {
        use(Shared.late + Shared.above);
        Run.all(() -> {
            Above.method();
            pass();
        }, () -> {
            await(1);
            Below.method(); // it is initialized, and the class above is not
            pass();
            await(3);
            if (!racy())
                Above.method();
            use(Shared.late); // @2
        });
        Run.turns(First::method, () -> {
            if (racy())
                use(Shared.above); // @4
            else
                Second.method();
        });
    }
}
